import Testing

@testable import RetracePlatform

/// Counters are one at a time in a process, so their tests are one after another.
@Suite(.serialized) struct AllocationCounterTests {
  /// Makes objects that nobody can do without.
  @inline(never)
  private func makeObjects(_ count: Int, into objects: inout [Held]) {
    for number in 0..<count { objects.append(Held(number)) }
  }

  @Test(arguments: [0, 1, 1_000])
  func `as many allocations are counted as objects were made`(count: Int) throws {
    var objects: [Held] = []
    objects.reserveCapacity(count + 1)
    let counter = try waitForCounter()
    let before = counter.counts
    makeObjects(count, into: &objects)
    let after = counter.counts
    #expect(after.allocations - before.allocations == count)
    #expect(after.bytes - before.bytes == count * 24)
    #expect(objects.count == count)
  }

  @Test func `a text of more than fifteen bytes is one allocation, a shorter one none`() throws {
    var texts: [String] = []
    texts.reserveCapacity(2)
    let bytes = (short: Array("fifteen bytes !".utf8), long: Array("sixteen bytes, !".utf8))
    let counter = try waitForCounter()
    let start = counter.counts
    texts.append(String(decoding: bytes.short, as: UTF8.self))
    let short = counter.counts
    texts.append(String(decoding: bytes.long, as: UTF8.self))
    let long = counter.counts
    #expect(short.allocations - start.allocations == 0)
    #expect(long.allocations - short.allocations == 1)
    #expect(long.bytes - short.bytes > 16)
    #expect(texts.map(\.utf8.count) == [15, 16])
  }

  @Test func `what another thread takes is not counted`() throws {
    let worker = WorkerThread(name: "allocates")
    let counter = try waitForCounter()
    let before = counter.counts.allocations
    let made = worker.perform {
      var objects: [Held] = []
      for number in 0..<100_000 { objects.append(Held(number)) }
      return objects.count
    }
    #expect(made == 100_000)
    // Handing the work over takes some.
    #expect(counter.counts.allocations - before < 1_000)
  }

  @Test func `there is one counter at a time, and then another`() throws {
    do {
      let first = try waitForCounter()
      if AllocationCounter() != nil { Issue.record("a second counter") }
      #expect(first.counts.allocations >= 32)
    }
    let second = try waitForCounter()
    #expect(second.counts.allocations < 10_000)
  }
}

/// This process cannot count.
private struct NoCounter: Error {}

/// Makes a counter; another test of this process may have the only one for a while.
private func waitForCounter() throws -> AllocationCounter {
  let deadline = MonotonicClock.nanoseconds() + 60_000_000_000
  while MonotonicClock.nanoseconds() < deadline {
    if let counter = AllocationCounter() { return counter }
    MonotonicClock.sleep(milliseconds: 1)
  }
  throw NoCounter()
}

/// An object of 24 bytes: the head and a number.
private final class Held {
  let number: Int
  init(_ number: Int) { self.number = number }
}
