import RetraceArchitecture

/// The same entries three times.
final class Tables {
  let count: Int
  lazy var entries = Input.entries(count)
  lazy var ids = Input.ids(operations, below: count)
  lazy var ours: Entries = filled()
  lazy var radix: PlainRadix<Entry> = filled()
  lazy var dictionary: [Int: Entry] = filled()

  init(_ count: Int) { self.count = count }

  private func filled<Table: EntryHolder>() -> Table {
    var table = Table()
    for entry in entries { table.append(entry) }
    return table
  }

  func prepare() {
    _ = ids
    _ = ours.count
    _ = radix.next
    _ = dictionary.count
  }
}
