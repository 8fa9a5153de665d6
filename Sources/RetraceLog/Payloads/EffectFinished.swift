public import RetraceArchitecture
public import RetraceAvro
import RetraceScreen

/// The payload of an `effectFinished` record: how an effect ended.
public struct EffectFinished: SystemPayload {
  /// The kind of the record.
  public static var kind: RecordKind { .effectFinished }

  /// The ways in which an effect ends.
  public enum Outcome: Int, CaseIterable, Hashable, Sendable {
    /// The effect ran to completion.
    case finished = 0
    /// The effect was cancelled.
    case cancelled = 1
    /// The program ended first, and the effect was dropped.
    case dropped = 2
    /// The effect threw an error, or its actions could not be recorded.
    case failed = 3
    /// The program ended first, and the action declared for that case was sent instead.
    case replaced = 4

    /// The name in schemas.
    var symbol: String {
      switch self {
      case .finished: "finished"
      case .cancelled: "cancelled"
      case .dropped: "dropped"
      case .failed: "failed"
      case .replaced: "replaced"
      }
    }
  }

  /// The record that caused the effect, and the index of the leaf.
  public var id: EffectLeafID
  /// The way in which the effect ended.
  public var outcome: Outcome
  /// The error of a failed effect, as one line of safe text; otherwise empty.
  public var error: String

  /// The maximum size of ``error``, in bytes.
  public static var errorBytesMax: Int { 1024 }

  /// Creates the payload; cuts the error to ``errorBytesMax`` bytes and makes it safe text.
  public init(id: EffectLeafID, outcome: Outcome, error: String = "") {
    self.id = id
    self.outcome = outcome
    self.error = SafeText.line(error, bytesMax: Self.errorBytesMax)
  }

  /// The name in schemas.
  public static var recordedName: String { "EffectFinished" }

  /// Returns a record of four fields.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName) { _ in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("cause", .long),
          Schema.Field("ordinal", .int),
          Schema.Field(
            "outcome",
            .enumeration(name: "EffectOutcome", symbols: Outcome.allCases.map { $0.symbol })),
          Schema.Field("error", .string),
        ])
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    writer.long(Int64(clamping: id.cause))
    writer.long(Int64(id.ordinal))
    writer.branch(outcome.rawValue)
    writer.string(error)
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let cause = try decodeSequence(&reader)
    id = EffectLeafID(cause: cause, ordinal: UInt32(try decodeIndex(&reader)))
    let start = reader.offset
    guard let outcome = Outcome(rawValue: try reader.branch(count: Outcome.allCases.count)) else {
      throw AvroError(.outOfRange, at: start, "outcome")
    }
    self.outcome = outcome
    error = try reader.string()
  }
}
