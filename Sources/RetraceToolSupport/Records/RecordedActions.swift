import Retrace
package import RetraceStorage

package struct RecordedActions {
  private var codecs: [SchemaCodec] = []

  /// Reads the schemas of a log.
  ///
  /// - Complexity: O(bytes of the schemas).
  package init(in storage: LogStorage) throws(ToolFailure) {
    let schemas = try orFail(
      try storage.withReadView { view throws(StoreError) in try view.parsedSchemas() })
    codecs = schemas.compactMap { try? SchemaCodec($0) }
  }

  /// Requires that a schema has an action or a feature with a name.
  ///
  /// A log without actions accepts every name.
  ///
  /// - Throws: A usage failure that suggests names.
  package func require(_ name: String) throws(ToolFailure) {
    guard !codecs.isEmpty, !codecs.contains(where: { $0.hasCase(named: name) }) else { return }
    var names: [String] = []
    for codec in codecs {
      for name in codec.caseNames where !names.contains(name) { names.append(name) }
    }
    let parts = name.split(separator: ".")
    let similar = names.filter { candidate in
      candidate.split(separator: ".").contains { part in parts.last == part }
    }
    let features = names.reduce(into: [String]()) { features, name in
      let feature = String(name.prefix { $0 != "." })
      if !features.contains(feature) { features.append(feature) }
    }
    throw .usage(
      "No schema of the log has the action \(name).",
      advice: similar.isEmpty
        ? "The actions and features are: \(Self.list(features))."
        : "Names with this part are: \(Self.list(similar)).")
  }

  private static var namesMax: Int { 20 }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(namesMax).joined(separator: ", ")
    return names.count > namesMax ? "\(shown) and \(names.count - namesMax) more" : shown
  }
}
