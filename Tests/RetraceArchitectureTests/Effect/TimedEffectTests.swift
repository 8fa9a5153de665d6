import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceArchitecture

/// Debounced and throttled effects, whose times are the recorded moments.
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

  @Test func `a moment that is a little earlier than the last one does not open the window`() {
    var fold = Fold<HouseApp>()
    for microseconds in [101, 100, 90, 200] as [Int64] {
      let moment = start.adding(ElapsedTime(microseconds: microseconds))
      let action = HouseAction.hall(.reported("a", latest: false))
      _ = fold.apply(action, at: moment, sequence: fold.sequence + 1)
    }
    #expect(fold.inFlight.leaves.map(\.id.cause) == [1])
  }

  @Test func `work that waits is replaced where the clock was set back`() {
    let asked: [(Int64, HouseAction)] = [1_000, 1_003, 0, 1].map {
      ($0, .hall(.reported("a", latest: true)))
    }
    #expect(due(fold(asked)) == [[1, 1_000], [3, 0], [4, 10]])
  }

  @Test func `a cancellation after waiting work has started leaves its window open`() {
    var flying = EffectsInFlight()
    flying.register(throttled("a"), cause: 1, at: start)
    flying.register(throttled("b"), cause: 2, at: start.adding(.seconds(5)))
    flying.register(
      Effect<HouseAction, HouseDesk>.cancel("save"), cause: 3, at: start.adding(.seconds(12)))
    #expect(flying.isEmpty)
    flying.register(throttled("c"), cause: 4, at: start.adding(.seconds(13)))
    #expect(flying.leaves.map { $0.due.elapsed(since: start).seconds } == [20])
  }

  /// Work that starts at most once in ten seconds under the key `save`.
  private func throttled(_ text: String) -> Effect<HouseAction, HouseDesk> {
    EffectWork<HouseAction, HouseDesk>.send(.hall(.glowed(text)))
      .throttled("save", for: .seconds(10), latest: true)
  }

  @Test func `a window ends with its child also when its work has ended`() {
    var house = fold([(0, .hadGuest(true)), (0, .guest(.reported("a", latest: false)))])
    let hasFinished = house.inFlight.finish(EffectLeafID(cause: 2, ordinal: 0))
    #expect(hasFinished)
    for (second, action) in [
      (3, .hadGuest(false)), (4, .hadGuest(true)), (5, .guest(.reported("a", latest: false))),
    ] as [(Int64, HouseAction)] {
      let moment = start.adding(.seconds(second))
      _ = house.apply(action, at: moment, sequence: house.sequence + 1)
    }
    #expect(due(house) == [[5, 5]])
  }

  @Test func `only the work that waits is replaced, not work of its record that has started`() {
    var flying = EffectsInFlight()
    flying.register(throttled("a").merged(with: throttled("b")), cause: 1, at: start)
    #expect(flying.leaves.map(\.id.ordinal) == [0, 1])
    flying.register(throttled("c"), cause: 2, at: start.adding(.seconds(1)))
    #expect(flying.leaves.map(\.id.description) == ["1.0", "2.0"])
    flying.register(
      throttled("d").merged(with: throttled("e")).merged(with: throttled("f")), cause: 3,
      at: start.adding(.seconds(2)))
    #expect(flying.leaves.map(\.id.description) == ["1.0", "3.2"])
  }

  @Test func `a window with a key twice or with a cause to come is refused`() throws {
    var flying = EffectsInFlight()
    flying.register(throttled("a"), cause: 7, at: start)
    #expect(flying.isCaused(upTo: 7) && !flying.isCaused(upTo: 6))
    let window = try #require(flying.windows.first)
    #expect(EffectsInFlight(leaves: [], windows: [window]) != nil)
    #expect(EffectsInFlight(leaves: [], windows: [window, window]) == nil)
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
