import RetraceSystem
import RetraceStorage
import RetraceFixtures
import Testing

@testable import RetraceRecording

/// The limit on the size of a group, which bounds how long other processes wait for a writer.
@Suite struct GroupLimitTests {
  @Test func `a group has as many actions as the reducer handles in a short time`() {
    var groupLimit = GroupLimit()
    let first = groupLimit.actions
    groupLimit.adjust(after: first, took: 1_000_000)
    #expect(groupLimit.actions == 40 * first)
    // A reducer that takes a millisecond for each.
    groupLimit.adjust(after: 4_000, took: 4_000_000_000)
    #expect(groupLimit.actions == 64)
    groupLimit.adjust(after: 64, took: 20_000_000)
    #expect(groupLimit.actions == 128)
  }

  @Test func `a group too small or too fast to measure changes nothing`() {
    var groupLimit = GroupLimit()
    let first = groupLimit.actions
    groupLimit.adjust(after: 63, took: 1_000_000_000)
    groupLimit.adjust(after: 5_000, took: 0)
    #expect(groupLimit.actions == first)
    groupLimit.adjust(after: .max, took: 1)
    #expect(groupLimit.actions >= 1_000_000_000)
  }

  @Test func `the time of earlier groups sets the size of later ones`() throws {
    try ScratchDirectory.with { folder in
      let store = try Store<CounterApp>.openBlocking(
        at: folder + "/store", configuration: StoreConfiguration())
      let queue = store.writer.queue
      let before = queue.groupActionLimit
      try store.storage.performWriting { (_) throws(StoreError) in
        for _ in 0..<100 {
          try store.enqueue([CounterAction](repeating: .noticed("x"), count: 10))
        }
        queue.recordGroupTime(of: 100, took: 40_000_000)
        let counts = (0..<2).map { _ in
          queue.takeGroup(bytes: 1 << 20, actions: 500).batches.count
        }
        guard counts == [10, 10] else { throw StoreError.overloaded(actions: counts[0], bytes: 0) }
      }
      try store.flushBlocking()
      let after = queue.groupActionLimit
      #expect(after != before && after != 100)
      try store.closeBlocking()
    }
  }
}
