import Retrace
import RetraceStorage

/// A command in the queue, which the writer decides inside the write transaction.
///
/// A class, so that passing a command on copies one reference, whatever the app.
final class PendingCommand<App: ReplayableApp>: Sendable {
  let command: App.Command
  let encoded: [UInt8]
  let origin: RecordedCommand.Origin

  init(_ command: App.Command, encoded: [UInt8], from origin: RecordedCommand.Origin) {
    self.command = command
    self.encoded = encoded
    self.origin = origin
  }

  /// Returns the payload of the command's record.
  ///
  /// - Parameters:
  ///   - schemas: The numbers, in the log, of the app's schemas of commands and refusals.
  ///   - refusal: The refusal, if the command was refused.
  func record(_ schemas: CommandSchemaNumbers, refusal: App.Refusal? = nil) -> RecordedCommand {
    RecordedCommand(
      origin: origin, command: RecordedCommand.Encoded(schema: schemas.command, bytes: encoded),
      refusal: refusal.map {
        RecordedCommand.Encoded(schema: schemas.refusal, bytes: $0.encoded())
      })
  }

  /// Decides the command, and encodes its facts.
  ///
  /// - Parameters:
  ///   - fold: The fold right before the batch.
  ///   - moment: The moment of the batch.
  ///   - encoder: Encodes the facts.
  func decide(
    on fold: borrowing Fold<App>, at moment: Moment, _ encoder: ActionEncoder<App>
  ) -> Decision<App> {
    do throws(App.Refusal) {
      guard let facts = try App._decide(command, on: fold, at: moment) else {
        return Decision(.failed(.unhandledCommand))
      }
      do throws(StoreError) {
        return Decision(.accepted(facts, try encoder.encode(facts)))
      } catch {
        return Decision(.failed(error))
      }
    } catch {
      if origin.recordsRefusals, let failure = Self.limitFailure(of: error) {
        return Decision(.failed(failure))
      }
      return Decision(.refused(error))
    }
  }

  /// Returns the error for a refusal that cannot be recorded; `nil` if it can.
  private static func limitFailure(of refusal: App.Refusal) -> StoreError? {
    let bytes = refusal.encoded()
    return AppSchemas.of(App.self).commands.flatMap {
      ActionEncoder<App>.limitFailure(of: bytes, $0.refusal, name: "refusal")
    }
  }
}

/// The outcome of deciding a command.
///
/// A class, so that a receipt holds only a reference, which is `nil` for a batch without a command.
final class Decision<App: ReplayableApp>: Sendable {
  enum Outcome: Sendable {
    case accepted([App.Action], EncodedActions)
    case refused(App.Refusal)
    /// The reason why the command could not be decided, or why its facts could not be appended.
    case failed(StoreError)
  }

  let outcome: Outcome

  init(_ outcome: Outcome) { self.outcome = outcome }

  var isAccepted: Bool {
    if case .accepted = outcome { true } else { false }
  }

  var refusal: App.Refusal? {
    if case .refused(let refusal) = outcome { refusal } else { nil }
  }

  /// Whether the log gets a record of the command.
  func isRecorded(from origin: RecordedCommand.Origin) -> Bool {
    switch outcome {
    case .accepted: true
    case .refused: origin.recordsRefusals
    case .failed: false
    }
  }
}

extension RecordedCommand.Origin {
  /// Whether a refusal is recorded: a scene showed it to the user, and an effect has ended with it.
  var recordsRefusals: Bool { self == .scene || self == .effect }
}

/// The numbers of an app's schemas of commands and refusals in a log.
struct CommandSchemaNumbers: Hashable, Sendable {
  var command: UInt32
  var refusal: UInt32
}
