import Retrace
import RetraceStorage
import RetraceSystem

/// The passes over a log that a bench measures, each in nanoseconds of processor time.
struct BenchPasses<App: ReplayableApp>: ~Copyable {
  private let storage: LogStorage
  private let initialFold: RecordFold<App>
  private let last: UInt64
  private let repetitions: Int
  /// A value that depends on all results, so that the compiler cannot drop the work.
  private(set) var sink: UInt64 = 0

  init(
    _ storage: LogStorage, _ initialFold: RecordFold<App>, through last: UInt64, repetitions: Int
  ) {
    self.storage = storage
    self.initialFold = initialFold
    self.last = last
    self.repetitions = repetitions
  }

  mutating func scan() throws(StoreError) -> Int64 {
    let (time, sum) = try timed { (view, last) throws(StoreError) in
      var sum: UInt64 = 0
      try view.scan(from: 1, through: last) { record in
        sum &+= UInt64(record.payload.count)
      }
      return sum
    }
    sink &+= sum ?? 0
    return time
  }

  /// Folds all records into a new state.
  mutating func fold() throws(StoreError) -> Int64 {
    let initialFold = initialFold
    let (time, fold) = try timed { (view, last) throws(StoreError) in
      var position = initialFold
      try view.scan(from: 1, through: last) { record throws(StoreError) in
        try view.fold(record, into: &position)
      }
      return position
    }
    sink &+= fold?.fold.sequence ?? 0
    return time
  }

  /// Recomputes checksums and chain, and checks all records and the head.
  mutating func verify() throws(StoreError) -> Int64 {
    // Verifies the whole log, even if only a part is folded.
    let (time, records) = try timed { (view, _) throws(StoreError) in try view.verify().records }
    guard let records, records > last else { return time }
    return Int64(Double(time) * Double(last) / Double(records))
  }

  /// The results of a pass that measures each record by itself.
  struct TimedResults {
    var stateHash = Digest.zero
    var hashes = 0
    var hashNanoseconds = 0.0
  }

  /// Folds all records and measures each with the clock.
  ///
  /// Hashes the state after each record with a recorded state hash, and after the last record.
  mutating func foldTimed(
    order: [UInt16], _ samples: TypeSamples, _ clocks: ClockProperties
  ) throws(StoreError) -> TimedResults {
    var result = TimedResults()
    let initialFold = initialFold
    let last = self.last
    for _ in 0..<samples.repetitions {
      try storage.withReadView { (view) throws(StoreError) in
        guard last > 0 else { return }
        var position = TimedFold<App>(initialFold, samples, clocks)
        try view.scan(from: 1, through: last) { record throws(StoreError) in
          try position.measure(record, type: Int(order[Int(record.sequence - 1)]))
        }
        if !position.isHashed { position.hash() }
        result.hashes = position.hashes
        result.stateHash = position.stateHash
        result.hashNanoseconds += position.hashNanoseconds / Double(samples.repetitions)
      }
    }
    return result
  }

  /// Returns the time of all repetitions, and the result of the last one.
  ///
  /// The release of the results is not measured.
  private func timed<R>(
    _ body: (borrowing ReadView, UInt64) throws(StoreError) -> R
  ) throws(StoreError) -> (nanoseconds: Int64, result: R?) {
    guard last > 0 else { return (0, nil) }
    let last = self.last
    var time: Int64 = 0
    var result: R?
    for _ in 0..<repetitions {
      result = nil
      try storage.withReadView { (view) throws(StoreError) in
        let start = ThreadClock.nanoseconds()
        let found = try body(view, last)
        time += ThreadClock.nanoseconds() - start
        result = found
      }
    }
    return (time, result)
  }
}

/// A fold that reads the clock around each record.
private struct TimedFold<App: ReplayableApp>: ~Copyable {
  private var fold: RecordFold<App>
  private let samples: TypeSamples
  private let clocks: ClockProperties
  private var writer = AvroWriter(capacity: 4096)
  private(set) var stateHash = Digest.zero
  private(set) var hashes = 0
  private(set) var isHashed = false
  private(set) var hashNanoseconds = 0.0

  init(_ fold: RecordFold<App>, _ samples: TypeSamples, _ clocks: ClockProperties) {
    self.fold = fold
    self.samples = samples
    self.clocks = clocks
  }

  mutating func measure(_ record: borrowing RecordCursor, type: Int) throws(StoreError) {
    var between: Int64 = 0
    let before = MonotonicClock.nanoseconds()
    do throws(FoldError) {
      try fold.advance(record) { between = MonotonicClock.nanoseconds() }
    } catch {
      throw StoreError(error)
    }
    let after = MonotonicClock.nanoseconds()
    samples.append(type, decode: taken(before, between), reduce: taken(between, after))
    isHashed = false
    if record.stateHash != nil { hash() }
  }

  mutating func hash() {
    // Computing a hash takes long and is rare. The thread's clock costs more to read, but does not
    // count the time of other programs.
    let before = ThreadClock.nanoseconds()
    stateHash = StateHasher.hash(&fold.fold.state, with: SHA256Hasher.self, &writer)
    let after = ThreadClock.nanoseconds()
    hashNanoseconds += max(0, Double(after - before) - clocks.threadCost)
    hashes += 1
    isHashed = true
  }

  private func taken(_ start: Int64, _ end: Int64) -> Double {
    max(0, Double(end - start) - clocks.monotonicCost)
  }
}
