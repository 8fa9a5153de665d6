import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// The log of a real import: stepping through it, and finding planted faults in it.
@Suite(.serialized, ImportedStore.Trait()) struct ImportedReplayTests {
  /// How many records are stepped over on each side of a sequence.
  private static let reach: UInt64 = 2

  @Test func `at random sequences, reached from both sides, the state is that of a fold from zero`()
    throws
  {
    try withSeed("20 sequences") { random in
      try ImportedLog.reading(try ImportedStore.current().path) { storage in
        let last = try storage.head().sequence
        let places = (0..<20).map { _ in
          UInt64.random(in: Self.reach...last - Self.reach, using: &random)
        }
        print("sequences \(places)")
        let near = Set(places.flatMap { ($0 - Self.reach...$0 + Self.reach) })
        var expected: [UInt64: (state: TrackerState, hash: Digest)] = [:]
        try ImportedLog.fold(storage, through: last) { envelope, _, state in
          guard near.contains(envelope.sequence) else { return }
          let hash = StateHasher.hash(&state, with: SHA256Hasher.self)
          expected[envelope.sequence] = (state, hash)
        }
        var replayer = try Replayer<TimeTracker>(storage)
        for place in places {
          try replayer.seek(to: place - Self.reach)
          for _ in 0..<2 * Self.reach {
            let stepped = try replayer.stepForward()
            #expect(stepped)
          }
          #expect(replayer.sequence == place + Self.reach)
          #expect(replayer.stateHash() == expected[place + Self.reach]?.hash)
          for _ in 0..<Self.reach {
            let stepped = try replayer.stepBackward()
            #expect(stepped)
          }
          #expect(replayer.sequence == place)
          #expect(replayer.stateHash() == expected[place]?.hash, "backwards to \(place)")
          #expect(replayer.state == expected[place]?.state)
          try replayer.seek(to: place - Self.reach)
          #expect(replayer.stateHash() == expected[place - Self.reach]?.hash)
          for _ in 0..<Self.reach { _ = try replayer.stepForward() }
          #expect(replayer.stateHash() == expected[place]?.hash, "forwards to \(place)")
        }
      }
    }
  }

  @Test func `a planted wrong hash in a sound log is reported with its interval`() throws {
    let store = try ImportedStore.current()
    let path = "\(store.folder)/planted"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try withSeed("planted hash") { random in
      let (before, planted) = try ImportedLog.reading(store.path) { storage in
        let hashed = try ImportedLog.hashed(storage)
        let index = Int.random(in: 1..<hashed.count - 1, using: &random)
        try ImportedLog.copy(
          storage, to: path, replacingHashAt: hashed[index],
          by: SHA256Hasher.digest(of: Array("another state".utf8).span))
        return (hashed[index - 1], hashed[index])
      }
      let audited = try run("audit", ["verify", "--store", path])
      #expect(audited.status == 0, "\(audited.errors)")
      let verified = try run("replay", ["verify", "--store", path, "--json"])
      #expect(verified.status == 2)
      let divergence = try #require(try verified.json()["firstDivergence"] as? [String: Any])
      #expect(divergence["after"] as? UInt64 == before)
      #expect(divergence["upTo"] as? UInt64 == planted)
      print("planted at \(planted): \(verified.errors)")
      #expect(verified.errors.contains("\(planted)"))
    }
  }

  @Test func `one changed constant in the reducer gives another hash where it first matters`()
    throws
  {
    try ImportedLog.reading(try ImportedStore.current().path) { storage in
      var first: UInt64?
      try ImportedLog.fold(storage, through: try storage.head().sequence) { envelope, _, state in
        let made = state.domain.timeEntries.nextID.value
        if first == nil && made > ChangedTracker.Root.firstBillable { first = envelope.sequence }
      }
      let changedAt = try #require(first)
      let hashed = try ImportedLog.hashed(storage)
      let result = try Verifier<ChangedTracker>.verify(storage)
      let divergence = try #require(result.firstDivergence)
      #expect(divergence.upTo == hashed.first { $0 >= changedAt })
      #expect(divergence.after == hashed.last { $0 < changedAt })
      print("changed at \(changedAt), reported after \(divergence.after) up to \(divergence.upTo)")
      #expect(result.notComparable == 0)
    }
  }
}
