import RetraceState

extension EntityTable {
  /// All entities by the numbers of their ids, as the table shows them.
  var contents: [Int64: Entity] {
    var contents: [Int64: Entity] = [:]
    forEach { id, entity in contents[id.value] = entity }
    return contents
  }
}
