public import RetraceAvro

/// A command and its origin.
///
/// It is the first record of its batch and changes no state. The facts that it led to follow in the
/// same batch; a refused command has none.
public struct RecordedCommand: SystemPayload {
  /// The kind of the record.
  public static var kind: RecordKind { .command }

  /// The origin of a command.
  public enum Origin: Int, CaseIterable, Hashable, Sendable {
    /// A command line.
    case commandLine = 0
    /// A user's input in a scene.
    case scene = 1
    /// An imported file.
    case importing = 2
    /// The undo or redo of an earlier command.
    case undo = 3
    /// An effect; the record's cause is the record of the effect.
    case effect = 4
    /// The app itself, or a program that uses it as a library.
    case program = 5

    /// The name in schemas and in output.
    package var symbol: String {
      switch self {
      case .commandLine: "commandLine"
      case .scene: "scene"
      case .importing: "import"
      case .undo: "undo"
      case .effect: "effect"
      case .program: "program"
      }
    }
  }

  /// An encoded value with the number of its schema.
  public struct Encoded: Hashable, Sendable {
    /// The number of the schema; see ``LogFormat/commandSchemaNumber(_:)``.
    public var schema: UInt32
    /// The Avro binary of the value.
    public var bytes: [UInt8]

    /// Creates an encoded value.
    public init(schema: UInt32, bytes: [UInt8]) {
      self.schema = schema
      self.bytes = bytes
    }
  }

  /// The origin of the command.
  public var origin: Origin
  /// The command.
  public var command: Encoded
  /// The reason why the command was refused; `nil` if it was not.
  public var refusal: Encoded?

  /// The numbers under which the log stores the schemas of the command and of the refusal.
  public var schemas: [UInt32] {
    [command.schema, refusal?.schema].compactMap { $0 }.map(LogFormat.commandSchemaNumber)
  }

  /// Creates the payload.
  public init(origin: Origin, command: Encoded, refusal: Encoded? = nil) {
    self.origin = origin
    self.command = command
    self.refusal = refusal
  }

  /// The name in schemas.
  public static var recordedName: String { "Command" }

  /// Returns a record of three fields.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName) { composer in
      let encoded = composer.named("Encoded") { _ in
        .record(
          name: "Encoded", fields: [Schema.Field("schema", .long), Schema.Field("bytes", .bytes)])
      }
      return .record(
        name: recordedName,
        fields: [
          Schema.Field(
            "origin",
            .enumeration(name: "CommandOrigin", symbols: Origin.allCases.map { $0.symbol })),
          Schema.Field("command", encoded),
          Schema.Field("refusal", .union([.null, .reference("Encoded")])),
        ])
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    writer.branch(origin.rawValue)
    command.encode(into: &writer)
    writer.branch(refusal == nil ? 0 : 1)
    refusal?.encode(into: &writer)
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    guard let origin = Origin(rawValue: try reader.branch(count: Origin.allCases.count)) else {
      throw AvroError(.outOfRange, at: start, "origin")
    }
    self.origin = origin
    command = try Encoded(decoding: &reader)
    refusal = try reader.branch(count: 2) == 1 ? Encoded(decoding: &reader) : nil
  }
}

extension RecordedCommand.Encoded {
  fileprivate func encode(into writer: inout AvroWriter) {
    writer.long(Int64(schema))
    writer.bytes(bytes)
  }

  fileprivate init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    let schema = try reader.long()
    guard LogFormat.isSchemaNumber(schema) else {
      throw AvroError(.outOfRange, at: start, "schema")
    }
    self.init(schema: UInt32(schema), bytes: try reader.byteArray())
  }
}
