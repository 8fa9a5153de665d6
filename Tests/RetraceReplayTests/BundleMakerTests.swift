import RetraceArchitecture
import RetraceBundle
import RetraceFixtures
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing

@Suite struct BundleMakerTests {
  /// Counters whose reducer is wrong.
  private enum Tripled: CounterVariant {
    static var reducer: CounterReducer { CounterReducer(factor: 3) }
  }

  private static func options(
    isPlain: Bool = false, allowed: [String] = []
  ) -> BundleOptions {
    BundleOptions(isPlain: isPlain, allowed: allowed, key: Array(0..<32))
  }

  @Test func `a planted bug shows at the same record of the bundle [L13]`() throws {
    try withSeed { random throws in
      try CounterLog.withDirectory { path in
        _ = try CounterLog.record(200, in: 2, at: path, &random)
        try CounterLog.reading(path) { log in
          let made = try BundleMaker<Tripled>.make(of: log, Self.options()) { _ in nil }
          let bundle = try LogStorage.open(bundle: made.bytes, named: "bundle")
          let found = try Verifier<Tripled>.verify(log).firstDivergence
          #expect(found != nil)
          #expect(try Verifier<Tripled>.verify(bundle).firstDivergence == found)
          let same = try BundleComparison(of: Tripled.self, log, and: bundle) { _ in nil }
          #expect(same.isSame && same.places > 0)
          // By the right reducer, the log is right. The hashes of the bundle are of the wrong one.
          #expect(try Verifier<CounterApp>.verify(log).firstDivergence == nil)
          let other = try BundleComparison(of: CounterApp.self, log, and: bundle) { _ in nil }
          #expect(!other.isSame && other.failures.count == 1)
        }
      }
    }
  }

  @Test func `a field that is allowed keeps its texts, and the others do not`() throws {
    try withSeed { random throws in
      try CounterLog.withDirectory { path in
        _ = try CounterLog.record(100, in: 1, at: path, &random)
        try CounterLog.reading(path) { log in
          let all = try BundleMaker<CounterApp>.make(of: log, Self.options()) { _ in nil }
          #expect(
            all.replaced.map { $0.field } == [
              "CounterAction_added.name", "CounterAction_noticed._0",
            ])
          let allowed = try BundleMaker<CounterApp>.make(
            of: log, Self.options(allowed: ["CounterAction_added.name"])
          ) { _ in nil }
          #expect(allowed.replaced.map { $0.field } == ["CounterAction_noticed._0"])
          #expect(allowed.header.allowed == ["CounterAction_added.name"])
          func names(_ storage: LogStorage) throws -> [String] {
            var replayer = try Replayer<CounterApp>(storage)
            try replayer.seek(to: replayer.last)
            var names: [String] = []
            replayer.state.counters.forEach { _, counter in names.append(counter.name) }
            return names
          }
          let kept = try LogStorage.open(bundle: allowed.bytes, named: "bundle")
          let replaced = try LogStorage.open(bundle: all.bytes, named: "bundle")
          #expect(try names(kept) == names(log) && names(replaced) != names(log))
          #expect(try names(replaced).count == names(log).count)
        }
      }
    }
  }

  @Test func `a bundle accepts no records, and reads as its store does`() throws {
    try withSeed { random throws in
      try CounterLog.withDirectory { path in
        _ = try CounterLog.record(3_000, in: 3, at: path, &random)
        try CounterLog.reading(path) { log in
          let made = try BundleMaker<CounterApp>.make(
            of: log, Self.options(isPlain: true)
          ) { _ in nil }
          let bundle = try LogStorage.open(bundle: made.bytes, named: "bundle")
          #expect(bundle.isClosedForWriting && bundle.bundle?.header == made.header)
          #expect(throws: StoreError.self) { try bundle.backup(to: path + "-copy") }
          let last = try log.head().sequence
          #expect(try bundle.head().sequence == last)
          func records(_ storage: LogStorage, _ first: UInt64) throws -> [Envelope] {
            var found: [Envelope] = []
            try storage.withReadView { view throws(StoreError) in
              try view.forEachRecord(from: first, through: min(last, first + 50)) {
                envelope, _ throws(StoreError) in found.append(envelope)
              }
            }
            return found
          }
          for _ in 0..<50 {
            let first = UInt64.random(in: 1...last, using: &random)
            #expect(try records(bundle, first) == records(log, first))
          }
          let chain = try bundle.withReadView { view throws(StoreError) in
            try view.chain(at: last)
          }
          #expect(chain == (try bundle.head().chain))
          bundle.close()
          #expect(throws: StoreError.self) { try bundle.head() }
        }
      }
    }
  }
}
