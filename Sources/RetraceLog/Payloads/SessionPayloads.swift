public import RetraceArchitecture
public import RetraceAvro

/// What a session says of itself when it begins.
public struct SessionOpened: SystemPayload {
  /// The kind of the record.
  public static var kind: RecordKind { .sessionOpened }

  /// The name of the app.
  public var app: String
  /// The build of the app, as it calls itself.
  public var build: String
  /// The fingerprint of the action schema; its number is in the record's envelope.
  public var actionSchema: Digest
  /// The fingerprint of the state schema.
  public var stateSchema: Digest
  /// The fingerprint of the reducer; zero if the build does not know it.
  public var reducer: Digest
  /// The scene to which the session attached, if it did to one.
  public var scene: SceneID?
  /// The id of the time zone of the process.
  public var zone: String
  /// The version of the time zone database, empty if unknown.
  public var zoneDatabase: String

  /// Makes the payload.
  public init(
    app: String, build: String, actionSchema: Digest, stateSchema: Digest, reducer: Digest,
    scene: SceneID?, zone: String, zoneDatabase: String
  ) {
    self.app = app
    self.build = build
    self.actionSchema = actionSchema
    self.stateSchema = stateSchema
    self.reducer = reducer
    self.scene = scene
    self.zone = zone
    self.zoneDatabase = zoneDatabase
  }

  /// The name in schemas.
  public static var recordedName: String { "SessionOpened" }

  /// A record of eight fields.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName) { composer in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("app", .string),
          Schema.Field("build", .string),
          Schema.Field("actionSchema", digestSchema(in: &composer)),
          Schema.Field("stateSchema", digestSchema(in: &composer)),
          Schema.Field("reducer", digestSchema(in: &composer)),
          Schema.Field("scene", .union([.null, SceneID.schema(in: &composer)])),
          Schema.Field("zone", .string),
          Schema.Field("zoneDatabase", .string),
        ])
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    writer.string(app)
    writer.string(build)
    writer.digest(actionSchema)
    writer.digest(stateSchema)
    writer.digest(reducer)
    writer.branch(scene == nil ? 0 : 1)
    if let scene { scene.encode(into: &writer) }
    writer.string(zone)
    writer.string(zoneDatabase)
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    app = try reader.string()
    build = try reader.string()
    actionSchema = try reader.digest()
    stateSchema = try reader.digest()
    reducer = try reader.digest()
    scene = try reader.branch(count: 2) == 0 ? nil : SceneID(decoding: &reader)
    zone = try reader.string()
    zoneDatabase = try reader.string()
  }
}

/// How a session ended.
public struct SessionClosed: SystemPayload {
  /// The kind of the record.
  public static var kind: RecordKind { .sessionClosed }

  /// The ways in which a session can end.
  public enum Reason: Int, CaseIterable, Hashable, Sendable {
    /// The session closed its store.
    case closed = 0
    /// Another session found that its process had ended.
    case foundDead = 1

    /// The name in schemas.
    var symbol: String {
      switch self {
      case .closed: "closed"
      case .foundDead: "foundDead"
      }
    }
  }

  /// The way in which it ended.
  public var reason: Reason

  /// Makes the payload.
  public init(reason: Reason) {
    self.reason = reason
  }

  /// The name in schemas.
  public static var recordedName: String { "SessionClosed" }

  /// A record of one field.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName) { _ in
      .record(
        name: recordedName,
        fields: [
          Schema.Field(
            "reason",
            .enumeration(name: "SessionEnd", symbols: Reason.allCases.map(\.symbol)))
        ])
    }
  }

  /// Writes the field.
  public func encode(into writer: inout AvroWriter) {
    writer.branch(reason.rawValue)
  }

  /// Reads the field.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    guard let reason = Reason(rawValue: try reader.branch(count: Reason.allCases.count)) else {
      throw AvroError(.outOfRange, at: start, "reason")
    }
    self.reason = reason
  }
}

/// The wall clock was found at another time than it should have shown.
public struct ClockJumped: SystemPayload {
  /// The kind of the record.
  public static var kind: RecordKind { .clockJumped }

  /// What the clock should have shown.
  public var expected: Moment
  /// What it showed.
  public var observed: Moment

  /// Makes the payload.
  public init(expected: Moment, observed: Moment) {
    self.expected = expected
    self.observed = observed
  }

  /// The name in schemas.
  public static var recordedName: String { "ClockJumped" }

  /// A record of two moments.
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
