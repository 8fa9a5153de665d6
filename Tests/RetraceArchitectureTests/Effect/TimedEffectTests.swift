import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTestSupport
import Testing

/// Debounced and throttled effects: their times are those of the recorded moments.
@Suite struct TimedEffectTests {
  private let start = Moment(microseconds: 1_000_000)

  /// Folds actions at given seconds.
  private func fold(_ actions: [(Int64, HouseAction)]) -> Fold<HouseApp> {
    var fold = Fold<HouseApp>()
    for (second, action) in actions {
      let moment = start.adding(.seconds(second))
      _ = fold.apply(action, at: moment, sequence: fold.sequence + 1)
    }
    return fold
  }

  /// The effects in flight: the cause of each, and when it is due, in seconds.
  private func due(_ fold: Fold<HouseApp>) -> [[Int64]] {
    fold.inFlight.leaves.map { [Int64($0.id.cause), $0.due.elapsed(since: start).seconds] }
  }

  @Test func `debounced work starts after a time without other work of its key [E7]`() {
    #expect(due(fold([(0, .hall(.searched("a")))])) == [[1, 1]])
    let typed: [(Int64, HouseAction)] = (0..<5).map { ($0, .hall(.searched("a"))) }
    #expect(due(fold(typed)) == [[5, 5]])
    #expect(due(fold(typed + [(4, .hall(.warmed("b")))])) == [[5, 5], [6, 4]])
  }

  @Test func `throttled work starts once in a time [E7]`() {
    let asked: [(Int64, HouseAction)] = [0, 3, 9, 10, 12, 20].map {
      ($0, .hall(.reported("a", latest: false)))
    }
    #expect(due(fold(asked)) == [[1, 0], [4, 10], [6, 20]])
    #expect(fold(asked).inFlight.leaves.map(\.cancellations).allSatisfy { $0.count == 1 })
  }

  @Test func `with latest, the last work starts at the end of the time [E7]`() {
    let asked: [(Int64, HouseAction)] = [0, 3, 9].map {
      ($0, .hall(.reported("a", latest: true)))
    }
    #expect(due(fold(asked)) == [[1, 0], [3, 10]])
    // The window begins again when the last work starts.
    let more = asked + [(13, .hall(.reported("a", latest: true)))]
    #expect(due(fold(more)) == [[1, 0], [3, 10], [4, 20]])
    let later = asked + [(25, .hall(.reported("a", latest: true)))]
    #expect(due(fold(later)) == [[1, 0], [3, 10], [4, 25]])
    // Work that was cancelled before its start does not extend the time.
    let cancelled: [(Int64, HouseAction)] = [
      (0, .hall(.reported("a", latest: true))), (3, .hall(.reported("b", latest: true))),
      (4, .hall(.switchedOff)), (5, .hall(.reported("c", latest: true))),
    ]
    #expect(due(fold(cancelled)) == [[4, 5]])
  }

  @Test func `a clock that is set back closes the window`() {
    let asked: [(Int64, HouseAction)] = [
      (1_000, .hall(.reported("a", latest: false))), (0, .hall(.reported("a", latest: false))),
    ]
    #expect(due(fold(asked)) == [[1, 1_000], [2, 0]])
  }

  @Test func `two children have windows of their own, which go with them [E7]`() {
    let house = fold([
      (0, .hadGuest(true)), (0, .guest(.reported("a", latest: false))),
      (1, .hall(.reported("a", latest: false))), (2, .guest(.reported("a", latest: false))),
      (3, .hadGuest(false)), (4, .hadGuest(true)), (5, .guest(.reported("a", latest: false))),
    ])
    #expect(due(house) == [[3, 1], [7, 5]])
  }

  @Test(arguments: 1...20)
  func `throttled work is what a model of whole histories says [E7]`(seed: UInt64) throws {
    try withSeed(default: seed) { generator in
      var second: Int64 = 0
      var asked: [(Int64, HouseAction)] = []
      var starts: [[Int64]] = []
      var windowEnd: Int64 = 0
      var waiting = false
      for cause in 1...60 as ClosedRange<Int64> {
        second += Int64.random(in: 0...12, using: &generator)
        let latest = Bool.random(using: &generator)
        asked.append((second, .hall(.reported("x", latest: latest))))
        if waiting, second >= windowEnd { (windowEnd, waiting) = (windowEnd + 10, false) }
        if second >= windowEnd {
          starts.append([cause, second])
          windowEnd = second + 10
        } else if latest {
          if waiting { starts.removeLast() }
          starts.append([cause, windowEnd])
          waiting = true
        }
        let bytes = fold(asked).inFlight.encoded()
        try #require(try EffectsInFlight(encoded: bytes.span) == fold(asked).inFlight)
      }
      #expect(due(fold(asked)) == starts)
    }
  }
}
