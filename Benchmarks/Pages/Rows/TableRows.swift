import Figures

/// Registers rows of reads, changes and appends, beside a plain radix and a dictionary.
func registerTableRows() {
  for count in [10_000, 1_000_000] {
    let tables = Tables(count)
    let size = count == 10_000 ? "10^4" : "10^6"
    let input = "\(grouped(count)) entries, \(grouped(operations)) operations, \(Input.seeds)"

    func row(
      _ name: String, atMost: Double,
      _ ours: @escaping () -> UInt64, _ radix: @escaping () -> UInt64,
      _ dictionary: @escaping () -> UInt64, count operations: Int = operations
    ) {
      func side(_ work: @escaping () -> UInt64) -> () -> Measured {
        { timed { (UInt64(operations), work()) } }
      }
      compare(
        Row(
          "\(name), \(size) entries", input: input, limit: "one cache miss for each level"),
        setUp: tables.prepare, ours: side(ours),
        yardsticks: [
          Yardstick("plain radix", .timesYardstick(atMost: atMost), round: side(radix)),
          Yardstick("Dictionary", round: side(dictionary)),
        ])
    }

    let (t, n) = (tables, count)
    row(
      "mutate in place", atMost: 1.1, { mutations(&t.ours, t.ids) },
      { mutations(&t.radix, t.ids) }, { mutations(&t.dictionary, t.ids) })
    func gets<Way: EntryAccess>(_ name: String, _ way: Way.Type) {
      row(
        "\(name), each id from the previous value", atMost: 1.1,
        { dependentGets(way, t.ours, below: n) }, { dependentGets(way, t.radix, below: n) },
        { dependentGets(way, t.dictionary, below: n) })
      row(
        "\(name), ids known in advance", atMost: 1.4, { independentGets(way, t.ours, t.ids) },
        { independentGets(way, t.radix, t.ids) }, { independentGets(way, t.dictionary, t.ids) })
    }
    gets("get", ByRead.self)
    gets("get by subscript", BySubscript.self)
    let times = 1_000_000 / count
    row(
      "append", atMost: 1.1, { appends(Entries.self, t.entries, times: times) },
      { appends(PlainRadix<Entry>.self, t.entries, times: times) },
      { appends([Int: Entry].self, t.entries, times: times) }, count: 1_000_000)
  }
}
