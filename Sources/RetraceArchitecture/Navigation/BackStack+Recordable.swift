public import RetraceAvro

extension BackStack: Recordable {
  /// `BackStack`, joined with the name of the route's type.
  public static var recordedName: String { "BackStack__" + Route.recordedName }

  /// `BackStack`, joined with the former names of the route's type.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(of: "BackStack", formerly: [], with: [Route.self])
  }

  /// Returns a record of `root` and the array `pushed`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let root = composer.schema(of: Route.self)
      let pushed = composer.schema(of: [Route].self)
      return .record(
        name: recordedName, aliases: recordedAliases,
        fields: [Schema.Field("root", root), Schema.Field("pushed", pushed)])
    }
  }

  /// Writes the root, then the routes above it.
  public func encode(into writer: inout AvroWriter) {
    root.encode(into: &writer)
    pushed.encode(into: &writer)
  }

  /// Reads the root, then the routes above it.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self.init(root: try Route(decoding: &reader))
    for route in try [Route](decoding: &reader) { push(route) }
  }
}
