import RetraceArchitecture
import RetraceState

/// The same entries in three tables.
///
/// No property is lazy: changing a lazy property in place would copy its value.
final class Tables {
  let count: Int
  private(set) var entries: [Entry] = []
  private(set) var ids: [Int] = []
  var ours = Entries()
  var radix = PlainRadix<Entry>()
  var dictionary: [Int: Entry] = [:]

  init(_ count: Int) { self.count = count }

  /// Fills the tables, once.
  func prepare() {
    guard entries.isEmpty else { return }
    entries = Input.entries(count)
    ids = Input.ids(operations, below: count)
    // One entry to each in turn, so that no table gets a better layout in memory.
    for entry in entries {
      ours.append(entry)
      radix.append(entry)
      dictionary.append(entry)
    }
  }
}
