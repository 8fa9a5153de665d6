import RetraceArchitecture
import RetraceLog
import RetracePlatform
import RetraceStorage

extension BenchPasses {
  /// The types of a log, and what decoding and reducing each record takes from the heap.
  ///
  /// That is counted in a fold of its own, apart from all that is timed.
  static func types(
    of sorting: RecordSorting, in storage: LogStorage, _ start: RecordFold<App>,
    countingAllocations: Bool
  ) throws(StoreError) -> [BenchedType] {
    let counts = sorting.bytes.map(\.count)
    var allocations = counts.map { Figures(capacity: $0) }
    var bytes = allocations
    var isCounted = false
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      guard countingAllocations, !sorting.types.isEmpty, let counter = AllocationCounter() else {
        return
      }
      var fold = start
      try snapshot.scan(
        from: 1, through: UInt64(sorting.types.count)
      ) { record throws(StoreError) in
        let type = Int(sorting.types[Int(record.sequence - 1)])
        let before = counter.counts
        try snapshot.take(record, into: &fold)
        let after = counter.counts
        allocations[type].append(after.allocations - before.allocations)
        bytes[type].append(after.bytes - before.bytes)
      }
      isCounted = true
    }
    return sorting.names.indices.map { index in
      BenchedType(
        name: sorting.names[index], records: UInt64(counts[index]),
        bytes: Distribution(of: sorting.bytes[index]),
        allocations: isCounted ? Distribution(of: allocations[index].values) : nil,
        allocatedBytes: isCounted ? Distribution(of: bytes[index].values) : nil)
    }
  }

  /// Figures whose memory is there before they are.
  private struct Figures {
    var values: [UInt32] = []

    init(capacity: Int) { values.reserveCapacity(capacity) }

    mutating func append(_ value: Int) { values.append(UInt32(clamping: value)) }
  }
}
