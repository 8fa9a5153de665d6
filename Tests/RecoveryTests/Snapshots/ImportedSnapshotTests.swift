import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing
import TrackerFeatures

extension ImportedReplayTests {
  @Test("A snapshot and its tail give the state of a fold from zero anywhere in the log")
  func snapshotAndTail() throws {
    try withSeed("imported snapshots") { random in
      let store = try ImportedStore.current()
      try ImportedLog.reading(store.path) { storage in
        let last = try storage.head().sequence
        // Each seek folds some ten thousand records, slowly in a debug build.
        let count = repetitions(1_000) == 1_000 ? 1_000 : 20
        let places = Set((0..<count).map { _ in UInt64.random(in: 1...last, using: &random) })
        var hashes: [UInt64: Digest] = [:]
        try ImportedLog.fold(storage, through: last) { envelope, _, state in
          guard places.contains(envelope.sequence) else { return }
          hashes[envelope.sequence] = StateHasher.hash(&state, with: SHA256Hasher.self)
        }
        var (most, fromSnapshots) = (UInt64(0), 0)
        for place in places {
          var replayer = try Replayer<TimeTracker>(storage)
          try replayer.seek(to: place)
          #expect(replayer.stateHash() == hashes[place], "at \(place)")
          #expect(replayer.snapshotUse.notice == nil)
          if replayer.snapshotUse.used != nil { fromSnapshots += 1 }
          most = max(most, replayer.recordsFolded)
        }
        print(
          "\(places.count) seeks in \(last) records: \(fromSnapshots) from snapshots, at most "
            + "\(most) records folded")
        #expect(most <= 250_000)
        #expect(fromSnapshots > places.count / 3)
      }
    }
  }
}
