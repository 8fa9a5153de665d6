import RetraceArchitecture
import RetraceLog
import RetraceSystem
import RetraceReplay
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// States that are saved while the next group is reduced.
@Suite struct ConcurrentSaveTests {
  /// Enqueues random batches that become several groups, after most of which more is queued.
  private static func enqueue(
    _ batches: Int, to store: Store<CounterApp>, _ random: inout SeededGenerator
  ) throws {
    let actions = (0..<batches).map { _ in
      (0..<Int.random(in: 1...900, using: &random)).map { _ in
        CounterAction.random(on: store.state, using: &random)
      }
    }
    try store.storage.performWriting { (_) throws(StoreError) in
      for batch in actions { try store.enqueue(batch) }
    }
    try store.flushBlocking()
  }

  /// Expects each stored state to equal a fold from the start, and returns their sequences.
  private static func expectComplete(at path: String) throws -> [UInt64] {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    let stored = try storage.snapshotUse(of: CounterApp.self).stored
    for sequence in stored {
      var replayer = try Replayer<CounterApp>(storage)
      try replayer.seek(to: sequence)
      let expected = try SnapshotTests.folded(CounterApp.self, in: storage, through: sequence)
      let isRight = try replayer.read { state throws(StoreError) in state == expected.state }
      #expect(isRight, "at \(sequence)")
      #expect(replayer.snapshotUse.notice == nil)
    }
    return stored
  }

  @Test func `a snapshot saved while more is reduced is complete, and so are later ones`()
    throws
  {
    try withSeed("Concurrent saves") { random in
      try SnapshotTests.withStore { path in
        for _ in 0..<3 {
          var configuration = SnapshotTests.configuration(100, gapMax: 5_000)
          configuration.largeGroupActionsMin = Bool.random(using: &random) ? 1 : .max
          let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
          for _ in 0..<2 {
            try Self.enqueue(Int.random(in: 5...14, using: &random), to: store, &random)
            try store.sendBlocking([.added(name: "one by one")])
          }
          let state = store.state
          try store.closeBlocking()
          let expected = try SnapshotTests.folded(at: path)
          let isRight = state == expected.state
          #expect(isRight)
        }
        #expect(try Self.expectComplete(at: path).count > 6)
      }
    }
  }

  @Test func `after the stored states were removed the whole state is saved again`() throws {
    try withSeed("Concurrent saves, removed") { random in
      try SnapshotTests.withStore { path in
        let configuration = SnapshotTests.configuration(100, gapMax: 5_000)
        let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
        try Self.enqueue(10, to: store, &random)
        let removed = store.sequence
        store.storage.snapshots.removeAll()
        try Self.enqueue(20, to: store, &random)
        try store.closeBlocking()
        let stored = try Self.expectComplete(at: path)
        #expect(!stored.isEmpty && stored.allSatisfy { $0 > removed })
      }
    }
  }
}
