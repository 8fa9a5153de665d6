public import Retrace
public import RetraceStorage

extension Store {
  /// Carries out what an input of the user means, in order.
  ///
  /// Neighbouring actions of the scene are one batch; each command is decided on the state that the
  /// intents before it left, and recorded as coming from a scene. After a refused command the
  /// intents that follow are dropped, because they were meant for the state after the command, such
  /// as the end of a form. The log has the refusal, but a screen is made of the state, so what the
  /// user is told is an action that the caller sends.
  ///
  /// ```swift
  /// let intents: [HeaterApp.Intent] = [.scene(.roomsChanged(["bath"])), .command(.warm(to: 21))]
  /// if let refusal = try await heater.carryOut(intents) { print("refused: \(refusal)") }
  /// ```
  ///
  /// - Parameter intents: The intents of one input.
  /// - Complexity: As `send` or `perform` for each intent.
  /// - Throws: As `send` and `perform`; the intents before the one that failed are carried out.
  /// - Returns: The refusal, which the log has too; `nil` if all intents are carried out.
  public func carryOut(
    _ intents: [App.Intent]
  ) async throws(StoreError) -> App.Refusal? {
    for step in Self.steps(of: intents) {
      switch step {
      case .scene(let actions): try await send(actions)
      case .command(let command):
        do throws(CommandError<App>) {
          try await perform(command, from: .scene)
        } catch {
          return try error.refusal()
        }
      }
    }
    return nil
  }

  /// Carries out what an input of the user means, and blocks until all of it is durable; see
  /// ``carryOut(_:)``.
  ///
  /// - Throws: As `sendBlocking` and `performBlocking`.
  public func carryOutBlocking(
    _ intents: [App.Intent]
  ) throws(StoreError) -> App.Refusal? {
    for step in Self.steps(of: intents) {
      switch step {
      case .scene(let actions): try sendBlocking(actions)
      case .command(let command):
        do throws(CommandError<App>) {
          try performBlocking(command, from: .scene)
        } catch {
          return try error.refusal()
        }
      }
    }
    return nil
  }

  /// Returns the intents with neighbouring actions of the scene joined to batches.
  private static func steps(
    of intents: [App.Intent]
  ) -> [Intent<[App.SceneAction], App.Command>] {
    var steps: [Intent<[App.SceneAction], App.Command>] = []
    for intent in intents {
      switch intent {
      case .command(let command): steps.append(.command(command))
      case .scene(let action):
        if case .scene(let before)? = steps.last {
          steps[steps.count - 1] = .scene(before + [action])
        } else {
          steps.append(.scene([action]))
        }
      }
    }
    return steps
  }
}
