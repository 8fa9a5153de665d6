import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The payload of a `sessionOpened` record, the first record of a session.
public struct SessionOpened: SystemPayload {
  /// The kind of the record.
  public static var kind: RecordKind { .sessionOpened }

  /// The name of the app.
  public var app: String
  /// The build of the app.
  public var build: String
  /// The fingerprint of the action schema; its number is in the record's envelope.
  public var actionSchema: Digest
  /// The fingerprint of the state schema.
  public var stateSchema: Digest
  /// The fingerprint of the reducer; zero if unknown.
  public var reducer: Digest
  /// The scene that the session attached to, if any.
  public var scene: SceneID?
  /// The id of the time zone of the process.
  public var zone: String
  /// The version of the time zone database; empty if unknown.
  public var zoneDatabase: String
  /// The user and the process; `nil` in a log of version 1.
  public var origin: SessionOrigin?
  /// The schemas of the session's commands and refusals; empty in a log of version 1.
  public var schemas: [NamedSchema]
  /// For how many milliseconds the machine had been suspended since it was started.
  ///
  /// It is `nil` in a log of version 1 or 2.
  public var sleptMilliseconds: Int64?

  /// Creates the payload.
  public init(
    app: String, build: String, actionSchema: Digest, stateSchema: Digest, reducer: Digest,
    scene: SceneID?, zone: String, zoneDatabase: String, origin: SessionOrigin? = nil,
    schemas: [NamedSchema] = [], sleptMilliseconds: Int64? = nil
  ) {
    self.app = app
    self.build = build
    self.actionSchema = actionSchema
    self.stateSchema = stateSchema
    self.reducer = reducer
    self.scene = scene
    self.zone = zone
    self.zoneDatabase = zoneDatabase
    self.origin = origin
    self.schemas = schemas
    self.sleptMilliseconds = sleptMilliseconds
  }

  /// The name in schemas.
  public static var recordedName: String { "SessionOpened" }

  /// Returns a record of eleven fields.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    schema(ofVersion: LogFormat.version, in: &composer)
  }

  /// Returns a record of eleven fields; of ten in version 2 and of eight in version 1.
  public static func schema(
    ofVersion version: UInt8, in composer: inout SchemaComposer
  ) -> Schema {
    composer.named(recordedName) { composer in
      var fields = [
        Schema.Field("app", .string),
        Schema.Field("build", .string),
        Schema.Field("actionSchema", digestSchema(in: &composer)),
        Schema.Field("stateSchema", digestSchema(in: &composer)),
        Schema.Field("reducer", digestSchema(in: &composer)),
        Schema.Field("scene", .union([.null, SceneID.schema(in: &composer)])),
        Schema.Field("zone", .string),
        Schema.Field("zoneDatabase", .string),
      ]
      if version > 1 {
        fields += [
          Schema.Field("origin", .union([.null, SessionOrigin.schema(in: &composer)])),
          Schema.Field("schemas", .array(NamedSchema.schema(in: &composer))),
        ]
      }
      if version > 2 { fields.append(Schema.Field("sleptMilliseconds", .union([.null, .long]))) }
      return .record(name: recordedName, fields: fields)
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    writer.string(app)
    writer.string(build)
    writer.digest(actionSchema)
    writer.digest(stateSchema)
    writer.digest(reducer)
    scene.encode(into: &writer)
    writer.string(zone)
    writer.string(zoneDatabase)
    origin.encode(into: &writer)
    schemas.encode(into: &writer)
    sleptMilliseconds.encode(into: &writer)
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    try self.init(decoding: &reader, version: LogFormat.version)
  }

  /// Reads the fields of a format version, in order.
  public init(decoding reader: inout AvroReader, version: UInt8) throws(AvroError) {
    app = try reader.string()
    build = try reader.string()
    actionSchema = try reader.digest()
    stateSchema = try reader.digest()
    reducer = try reader.digest()
    scene = try SceneID?(decoding: &reader)
    zone = try reader.string()
    zoneDatabase = try reader.string()
    schemas = []
    guard version > 1 else { return }
    origin = try SessionOrigin?(decoding: &reader)
    schemas = try [NamedSchema](decoding: &reader)
    guard version > 2 else { return }
    sleptMilliseconds = try Int64?(decoding: &reader)
  }
}

/// The number and the fingerprint of a schema of commands or refusals; covered by the chain.
public struct NamedSchema: Recordable, Hashable, Sendable {
  /// The number; see ``LogFormat/commandSchemaNumber(_:)``.
  public var number: UInt32
  /// The fingerprint of the JSON that the log stores under the number.
  public var fingerprint: Digest

  /// Creates a named schema.
  public init(number: UInt32, fingerprint: Digest) {
    self.number = number
    self.fingerprint = fingerprint
  }

  /// The name in schemas.
  public static var recordedName: String { "NamedSchema" }

  /// Returns a record of two fields.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName) { composer in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("number", .long), Schema.Field("fingerprint", digestSchema(in: &composer)),
        ])
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    writer.long(Int64(number))
    writer.digest(fingerprint)
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    let number = try reader.long()
    guard LogFormat.isSchemaNumber(number) else {
      throw AvroError(.outOfRange, at: start, "number")
    }
    self.init(number: UInt32(number), fingerprint: try reader.digest())
  }
}

/// The user and the process that opened a session.
///
/// ```swift
/// var configuration = StoreConfiguration()
/// configuration.origin = SessionOrigin(login: "ada", host: "home", process: 1)
/// ```
public struct SessionOrigin: Recordable, Hashable, Sendable {
  /// The user's login name; empty if unknown.
  public var login: String
  /// The name of the machine; empty if unknown.
  public var host: String
  /// The process identifier.
  public var process: Int32
  /// Whether the session's moments came from an option instead of the clock.
  public var isClockFixed: Bool

  /// Creates an origin.
  public init(login: String, host: String, process: Int32, isClockFixed: Bool = false) {
    self.login = login
    self.host = host
    self.process = process
    self.isClockFixed = isClockFixed
  }

  /// The name in schemas.
  public static var recordedName: String { "SessionOrigin" }

  /// Returns a record of four fields.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName) { _ in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("login", .string),
          Schema.Field("host", .string),
          Schema.Field("process", .int),
          Schema.Field("isClockFixed", .boolean),
        ])
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    writer.string(login)
    writer.string(host)
    writer.long(Int64(process))
    writer.boolean(isClockFixed)
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    login = try reader.string()
    host = try reader.string()
    process = try reader.int()
    isClockFixed = try reader.boolean()
  }
}

/// The payload of a `sessionClosed` record: how a session ended.
public struct SessionClosed: SystemPayload {
  /// The kind of the record.
  public static var kind: RecordKind { .sessionClosed }

  /// The ways in which a session ends.
  public enum Reason: Hashable, Sendable, CustomStringConvertible {
    /// The session closed its store.
    case closed
    /// Another session found that the process of this session had ended.
    case foundDead
    /// The session closed its store because its process received the signal with this number. Since
    /// version 2.
    case signalled(Int32)

    /// The reason in words, such as `signal 15`.
    public var description: String {
      switch self {
      case .closed: "closed"
      case .foundDead: "found dead"
      case .signalled(let number): "signal \(number)"
      }
    }

    /// The names in schemas, by position.
    static let symbols = ["closed", "foundDead", "signalled"]

    var position: Int {
      switch self {
      case .closed: 0
      case .foundDead: 1
      case .signalled: 2
      }
    }
  }

  /// The way in which the session ended.
  public var reason: Reason

  /// Creates the payload.
  public init(reason: Reason) {
    self.reason = reason
  }

  /// The name in schemas.
  public static var recordedName: String { "SessionClosed" }

  /// Returns a record of two fields.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    schema(ofVersion: LogFormat.version, in: &composer)
  }

  /// Returns a record of two fields; of one in version 1.
  public static func schema(
    ofVersion version: UInt8, in composer: inout SchemaComposer
  ) -> Schema {
    composer.named(recordedName) { _ in
      let symbols = version > 1 ? Reason.symbols : Array(Reason.symbols.prefix(2))
      var fields = [Schema.Field("reason", .enumeration(name: "SessionEnd", symbols: symbols))]
      if version > 1 { fields.append(Schema.Field("signal", .union([.null, .int]))) }
      return .record(name: recordedName, fields: fields)
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    writer.branch(reason.position)
    if case .signalled(let signal) = reason {
      writer.branch(1)
      writer.long(Int64(signal))
    } else {
      writer.branch(0)
    }
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    try self.init(decoding: &reader, version: LogFormat.version)
  }

  /// Reads the fields of a format version, in order.
  public init(decoding reader: inout AvroReader, version: UInt8) throws(AvroError) {
    let position = try reader.branch(count: version > 1 ? Reason.symbols.count : 2)
    let start = reader.offset
    var signal: Int32?
    if version > 1, try reader.branch(count: 2) == 1 { signal = try reader.int() }
    switch (position, signal) {
    case (0, nil): reason = .closed
    case (1, nil): reason = .foundDead
    case (2, let signal?): reason = .signalled(signal)
    default: throw AvroError(.outOfRange, at: start, "signal")
    }
  }
}

/// The payload of a `clockJumped` record: a jump of the wall clock.
public struct ClockJumped: SystemPayload {
  /// The kind of the record.
  public static var kind: RecordKind { .clockJumped }

  /// The expected time of the clock.
  public var expected: Moment
  /// The time that the clock showed.
  public var observed: Moment

  /// Creates the payload.
  public init(expected: Moment, observed: Moment) {
    self.expected = expected
    self.observed = observed
  }

  /// The name in schemas.
  public static var recordedName: String { "ClockJumped" }

  /// Returns a record of two moments.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName) { composer in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("expected", Moment.schema(in: &composer)),
          Schema.Field("observed", Moment.schema(in: &composer)),
        ])
    }
  }

  /// Writes both moments.
  public func encode(into writer: inout AvroWriter) {
    expected.encode(into: &writer)
    observed.encode(into: &writer)
  }

  /// Reads both moments.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    expected = try Moment(decoding: &reader)
    observed = try Moment(decoding: &reader)
  }
}
