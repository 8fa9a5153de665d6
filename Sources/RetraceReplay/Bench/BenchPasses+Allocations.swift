import RetraceArchitecture
import RetraceLog
import RetracePlatform
import RetraceStorage

extension BenchPasses {
  /// What each record of a log takes from the heap, type by type.
  struct Allocations {
    var types: [BenchedType]
  }

  /// Folds a log once and counts what decoding and reducing each record takes from the heap.
  ///
  /// Apart from all that is timed.
  static func countAllocations(
    _ storage: LogStorage, _ start: RecordFold<App>, order sorting: RecordSorting
  ) throws(StoreError) -> Allocations {
    let counts = sorting.bytes.map(\.count)
    var allocations = counts.map { Figures(capacity: $0) }
    var bytes = allocations
    var isCounted = false
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      guard !sorting.types.isEmpty, let counter = AllocationCounter() else { return }
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
    let types = sorting.names.indices.map { index in
      BenchedType(
        name: sorting.names[index], records: UInt64(counts[index]),
        bytes: Distribution(of: sorting.bytes[index]),
        allocations: isCounted ? Distribution(of: allocations[index].values) : nil,
        allocatedBytes: isCounted ? Distribution(of: bytes[index].values) : nil)
    }
    return Allocations(types: types)
  }

  /// Figures whose memory is there before they are.
  private struct Figures {
    var values: [UInt32] = []

    init(capacity: Int) { values.reserveCapacity(capacity) }

    mutating func append(_ value: Int) { values.append(UInt32(clamping: value)) }
  }
}
