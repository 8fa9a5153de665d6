import Retrace
import RetraceSystem
package import RetraceStorage

/// Measures how long it takes to read, decode, reduce and hash the records of a log.
///
/// Creating a bench reads the log several times, to sort the records by type and to warm up. Each
/// `round()` then measures everything once, with a new state for every fold. Nothing is written
/// and no effect is run.
///
/// The scan, the fold and the verification are each measured as a whole. The difference between the
/// times of the fold and the scan is divided between decoding and reducing in proportion to the
/// times of single records. Another fold measures these with the clock, and subtracts the cost of
/// reading it.
package struct LogBench<App: ReplayableApp> {
  /// The last record measured; the first is 1.
  package let last: UInt64
  /// The types of the records, in the order of their first occurrence in the log.
  package let types: [BenchedType]
  /// The chain of the log up to the last record measured, which identifies the log.
  package let chain: Digest
  /// The bytes of the records measured, payload and envelope.
  package let bytes: UInt64
  /// The hash of the state after the last record.
  package let stateHash: Digest
  /// The number of state hashes that a round computes.
  package let hashes: Int
  /// The number of times a round repeats each part, so that a short log can be measured.
  package let repetitions: Int
  /// The number of times a round repeats the verification.
  ///
  /// It has a count of its own, because verifying a short log takes longer than folding it.
  let verifications: Int
  /// The cost of reading the clock once, in nanoseconds.
  package var clockNanoseconds: Double { clocks.monotonicCost }
  /// The step of the clock that measures the types, in nanoseconds.
  package var clockStepNanoseconds: Double { clocks.step }

  let storage: LogStorage
  let initialFold: RecordFold<App>
  let order: [UInt16]
  let clocks: ClockProperties

  /// The time, in nanoseconds, that each part of a round should take; a short log is repeated to
  /// reach it.
  static var partNanoseconds: Int64 { 10_000_000 }

  /// Prepares a bench and warms everything up.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - last: The last record to measure; the log has to reach it. `nil` for its last record.
  /// - Complexity: O(records), each read several times, decoded and reduced three times.
  /// - Throws: `damaged`, `incompatible` or `storageFailed`; `reducerTrapped` if two earlier
  ///   processes crashed while they folded the same record.
  package init(_ storage: LogStorage, through last: UInt64? = nil) throws(StoreError) {
    var classifier = RecordClassifier()
    var initialFold = RecordFold<App>(plan: DecodingPlan())
    var end: UInt64 = 0
    var chain = Digest.zero
    // This first pass notes its progress, so that a trap of the reducer is traced to its record.
    try storage.withReadView { (view) throws(StoreError) in
      end = last ?? view.head.sequence
      guard end > 0 else { return }
      classifier.reserve(Int(clamping: end))
      initialFold = RecordFold(plan: try view.plan(for: App.self))
      chain = try view.chain(at: end)
      var position = initialFold
      try view.scan(
        foldingBy: App.reducerFingerprint, from: 1, through: end
      ) { record throws(StoreError) in
        try classifier.classify(record, in: view)
        try view.fold(record, into: &position)
      }
    }
    self.storage = storage
    self.last = end
    self.chain = chain
    self.initialFold = initialFold
    order = classifier.types
    clocks = ClockProperties.measured()
    types = classifier.names.indices.map { index in
      BenchedType(
        name: classifier.names[index], records: UInt64(classifier.bytes[index].count),
        bytes: Distribution(of: classifier.bytes[index]))
    }
    bytes = UInt64(classifier.bytes.joined().reduce(0) { $0 + Int($1) })
    let times = TypeSamples(recordCounts: classifier.bytes.map(\.count), repetitions: 1)
    var passes = BenchPasses(storage, initialFold, through: end, repetitions: 1)
    let warm = try passes.foldTimed(order: order, times, clocks)
    stateHash = warm.stateHash
    hashes = warm.hashes
    repetitions = Self.repetitions(of: try passes.fold())
    verifications = Self.repetitions(of: try passes.verify())
  }

  /// Measures everything once.
  ///
  /// - Complexity: O(records × repetitions), each read four times, decoded and reduced twice and
  ///   hashed once.
  /// - Throws: `damaged`, `incompatible` or `storageFailed`.
  package func round() throws(StoreError) -> BenchRound {
    var passes = BenchPasses(storage, initialFold, through: last, repetitions: repetitions)
    let samples = TypeSamples(
      recordCounts: types.map { Int($0.records) },
      repetitions: min(repetitions, Self.timedRepetitions(of: last)))
    let wall = MonotonicClock.nanoseconds()
    let start = ThreadClock.nanoseconds()
    let calibration = MachineSpeed.nanoseconds()
    let records = Double(max(1, last)) * Double(repetitions)
    let scan = Double(try passes.scan()) / records
    let fold = Double(try passes.fold()) / records
    var verifying = BenchPasses(storage, initialFold, through: last, repetitions: verifications)
    let verify =
      Double(try verifying.verify()) / (Double(max(1, last)) * Double(verifications))
    let details = try passes.foldTimed(order: order, samples, clocks)
    let hash = details.hashNanoseconds / Double(max(1, last))
    let types = samples.times()
    let decode = (fold - scan) * BenchRound.TypeTimes.decodingShare(of: types)
    return BenchRound(
      parts: [
        .scan: scan, .verify: verify, .decode: decode, .reduce: fold - scan - decode,
        .hash: hash, .fold: fold, .total: verify + fold + hash,
      ],
      types: types, wallNanoseconds: MonotonicClock.nanoseconds() - wall,
      processorNanoseconds: ThreadClock.nanoseconds() - start, calibrationNanoseconds: calibration)
  }

  /// Returns how often to repeat work that takes `nanoseconds` once.
  private static func repetitions(of nanoseconds: Int64) -> Int {
    Int(max(1, min(10_000, partNanoseconds / max(1, nanoseconds))))
  }

  /// Returns the number of passes that measure each record by itself; a short log has several.
  private static func timedRepetitions(of records: UInt64) -> Int {
    Int(max(1, 20_000 / max(1, records)))
  }
}
