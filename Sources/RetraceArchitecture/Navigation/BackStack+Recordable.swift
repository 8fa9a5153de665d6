public import RetraceAvro
import RetraceState

extension BackStack: Recordable {
  /// `BackStack`, joined with the name of the route's type.
  public static var recordedName: String { "BackStack__" + Route.recordedName }

  /// `BackStack`, joined with the former names of the route's type.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(of: "BackStack", formerly: [], with: [Route._recordedNames])
  }

  /// Returns a record of a long, `nextID`, and the array `entries`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName, aliases: recordedAliases,
        fields: [
          Schema.Field("nextID", .long),
          Schema.Field("entries", composer.schema(of: [Entry].self)),
        ])
    }
  }

  /// Writes the next id, then the entries from the root to the top.
  public func encode(into writer: inout AvroWriter) {
    writer.long(next)
    storage.encode(into: &writer)
  }

  /// Reads the next id, then the entries.
  ///
  /// - Throws: `outOfRange` if there is no entry, or if the ids are not ascending and below the
  ///   next id; the errors of the route.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    let next = try reader.long()
    let entries = try [Entry](decoding: &reader)
    var last: Int64 = -1
    for entry in entries {
      guard entry.id.value > last else { throw AvroError(.outOfRange, at: start, "route id") }
      last = entry.id.value
    }
    // Pushing never reaches `tabMark`. Rejecting higher ids keeps the counter from overflowing.
    guard last >= 0 && last < next && next < Self.tabMark else {
      throw AvroError(.outOfRange, at: start, "next route id")
    }
    self.init(storage: entries, next: next)
  }
}

extension BackStack.Entry: Recordable {
  /// `BackStack_Entry`, joined with the name of the route's type.
  public static var recordedName: String { "BackStack_Entry__" + Route.recordedName }

  /// `BackStack_Entry`, joined with the former names of the route's type.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(of: "BackStack_Entry", formerly: [], with: [Route._recordedNames])
  }

  /// Returns a record of `id` and `route`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let id = composer.schema(of: RouteID.self)
      let route = composer.schema(of: Route.self)
      return .record(
        name: recordedName, aliases: recordedAliases,
        fields: [Schema.Field("id", id), Schema.Field("route", route)])
    }
  }

  /// Writes the id, then the route.
  public func encode(into writer: inout AvroWriter) {
    id.encode(into: &writer)
    route.encode(into: &writer)
  }

  /// Reads the id, then the route.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let id = try RouteID(decoding: &reader)
    self.init(id: id, route: try Route(decoding: &reader))
  }
}
