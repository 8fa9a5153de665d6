import RetraceArchitecture
import RetraceAvro
import RetraceHashing
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

  static func random(_ generator: inout some RandomNumberGenerator) -> Item {
    let name = String(
      (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        "ab é".randomElement(using: &generator) ?? "a"
      })
    return Item(name, start: Int64.random(in: -1_000...1_000, using: &generator))
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

  /// The hash, with a buffer of its own.
  mutating func hash() -> Digest {
    var writer = AvroWriter()
    return hash(with: SwiftHasher.self, &writer)
  }
}
