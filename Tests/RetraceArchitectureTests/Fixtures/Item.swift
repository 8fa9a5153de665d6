import RetraceAvro
import RetraceState

struct ItemID: EntityID { var value: Int64 }

struct Item: TableEntity, Hashable {
  var name: String
  var start: Int64

  var sortKey: Int64 { start }

  init(_ name: String, start: Int64) {
    self.name = name
    self.start = start
  }
}

typealias Items = EntityTable<ItemID, Item>

extension EntityTable {
  /// All entities by the numbers of their ids, as the table shows them.
  var contents: [Int64: Entity] {
    var contents: [Int64: Entity] = [:]
    forEach { id, entity in contents[id.value] = entity }
    return contents
  }
}
