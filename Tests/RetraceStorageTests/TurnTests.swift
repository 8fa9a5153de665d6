import RetraceSystem
import Testing

@testable import RetraceStorage

/// Whose turn it is to write.
@Suite struct TurnTests {
  @Test func `who had the turn for long looks for others, and seldom after one did not come`() {
    var pace = TurnPace()
    #expect(!pace.isLong)
    var now: Int64 = 1_000_000_000
    func turn(_ time: Int64) {
      pace.begin(at: now)
      now += time
      pace.end(at: now)
      // What passes between two turns does not count.
      now += 1_000_000_000
    }
    turn(6_000_000)
    #expect(!pace.isLong)
    turn(6_000_000)
    #expect(pace.isLong)
    pace.clear()
    #expect(!pace.isLong)
    turn(50_000_000)
    #expect(pace.isLong)
    pace.waitedInVain()
    turn(50_000_000)
    #expect(!pace.isLong)
    turn(50_000_000)
    #expect(pace.isLong)
  }

  @Test func `others see that somebody waits, until one of them has the turn`() throws {
    try withDirectory { folder in
      let path = StorePath(folder)
      let first = try OwnerLock.open(path, forWriting: true)
      let second = try OwnerLock.open(path, forWriting: true)
      #expect(try !first.isAwaited())
      #expect(try first.takeTurn())
      #expect(try !second.takeTurn())
      try second.beginWaiting()
      #expect(try first.isAwaited())
      // Who waits is not in its own way.
      #expect(try !second.isAwaited())
      try first.endTurn()
      #expect(try first.isAwaited())
      #expect(try second.takeTurn())
      #expect(try !first.isAwaited())
      try second.endTurn()
      try second.endWaiting()
      #expect(try !first.isAwaited())
    }
  }
}
