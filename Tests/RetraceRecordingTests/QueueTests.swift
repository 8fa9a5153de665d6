import RetraceState
import RetraceArchitecture
import RetraceLog
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// The batches that wait for their commit.
@Suite struct QueueTests {
  private static let bytesMax = 100
  private static let actionsMax = 10

  private static func batch(
    _ number: Int, using random: inout SeededGenerator
  ) throws -> PendingBatch<CounterApp> {
    let count = Int.random(in: 0...14, using: &random)
    let bytes = count * Int.random(in: 1...9, using: &random)
    var key: BatchKey?
    if Int.random(in: 0..<8, using: &random) == 0 {
      key = try BatchKey("\(Int.random(in: 0..<3, using: &random))", of: EncodedActions())
    }
    return PendingBatch<CounterApp>(
      actions: Array(repeating: .noticed("\(number)"), count: count), encoded: EncodedActions(),
      bytes: bytes, moment: Moment(microseconds: 0), key: key)
  }

  /// How many of the first batches go together, by the rule as it is written down.
  private static func length(ofGroupIn batches: [PendingBatch<CounterApp>]) -> Int {
    var count = 0
    while count < batches.count {
      let before = batches[..<count]
      let actions = before.reduce(0) { $0 + $1.actions.count }
      if actions > 0 {
        let bytes = before.reduce(batches[count].bytes) { $0 + $1.bytes }
        if bytes > bytesMax || actions + batches[count].actions.count > actionsMax { break }
      }
      if let key = batches[count].key, before.contains(where: { $0.key == key }) { break }
      count += 1
    }
    return count
  }

  @Test func `a group has at most the given number of batches`() throws {
    let queue = BatchQueue<CounterApp>(StoreConfiguration())
    for number in 0..<12 {
      let batch = PendingBatch<CounterApp>(
        actions: [.noticed("\(number)")], encoded: EncodedActions(), bytes: 1,
        moment: Moment(microseconds: 0))
      #expect(try queue.push(batch, bounded: true) == (number == 0))
    }
    var counts: [Int] = []
    while queue.size.actions > 0 {
      counts.append(queue.takeGroup(bytes: 100, actions: 100, batches: 5).batches.count)
    }
    #expect(counts == [5, 5, 2])
  }

  @Test func `batches without actions count as batches too`() throws {
    let queue = BatchQueue<CounterApp>(StoreConfiguration())
    for number in 0..<7 {
      let batch = PendingBatch<CounterApp>(
        actions: [], encoded: EncodedActions(), bytes: 1, moment: Moment(microseconds: 0),
        answer: LeafAnswer(
          id: EffectLeafID(cause: UInt64(number + 1), ordinal: 0), outcome: .finished))
      _ = try queue.push(batch, bounded: false)
    }
    var counts: [Int] = []
    var hasMore = true
    while hasMore {
      let group = queue.takeGroup(bytes: 100, actions: 100, batches: 5)
      counts.append(group.batches.count)
      hasMore = group.hasMoreQueued
    }
    #expect(counts == [5, 2])
  }

  @Test func `groups hold what was sent, in order and within the limits`() throws {
    try withSeed { random in
      let queue = BatchQueue<CounterApp>(StoreConfiguration())
      var expected: [PendingBatch<CounterApp>] = []
      for number in 0..<3_000 {
        switch Int.random(in: 0..<100, using: &random) {
        case 0:
          let all = queue.refuse([], for: .closed, isClosedForWriting: false)
          #expect(all.map(\.actions) == expected.map(\.actions))
          // The next flush reports the failure of batches that nothing awaits.
          #expect(queue.takeFailure(isFinal: false) == (expected.isEmpty ? nil : .closed))
          #expect(!queue.isScheduled)
          expected = []
        case 1..<5:
          guard let taken = expected.randomElement(using: &random) else { continue }
          #expect(queue.remove(taken) && !queue.remove(taken))
          expected.removeAll { $0 === taken }
        case 5..<40:
          let (group, hasMoreQueued) = queue.takeGroup(
            bytes: Self.bytesMax, actions: Self.actionsMax)
          let length = Self.length(ofGroupIn: expected)
          #expect(group.map(\.actions) == expected.prefix(length).map(\.actions))
          expected.removeFirst(length)
          #expect(hasMoreQueued == !expected.isEmpty && queue.isScheduled == hasMoreQueued)
        default:
          let batch = try Self.batch(number, using: &random)
          _ = try queue.push(batch, bounded: false)
          if !batch.isEmpty { expected.append(batch) }
        }
        #expect(queue.size.actions == expected.reduce(0) { $0 + $1.actions.count })
        #expect(queue.size.bytes == expected.reduce(0) { $0 + $1.bytes })
      }
    }
  }
}
