public import RetraceAvro

extension BackStack: Recordable {
  /// `BackStack`, joined with the name of the route's type.
  public static var recordedName: String { "BackStack__" + Route.recordedName }

  /// A record of `root` and the array `pushed`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let root = Route.schema(in: &composer)
      let pushed = Schema.array(Route.schema(in: &composer))
      return .record(
        name: recordedName, fields: [Schema.Field("root", root), Schema.Field("pushed", pushed)])
    }
  }

  /// Writes the root, then the routes above it.
  public func encode(into writer: inout AvroWriter) {
    root.encode(into: &writer)
    writer.beginBlock(count: pushed.count)
    for route in pushed { route.encode(into: &writer) }
    writer.endBlocks()
  }

  /// Reads the root, then the routes above it.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self.init(root: try Route(decoding: &reader))
    let count = try reader.beginBlock()
    guard count > 0 else { return }
    for _ in 0..<count { push(try Route(decoding: &reader)) }
    try reader.endBlocks()
  }
}
