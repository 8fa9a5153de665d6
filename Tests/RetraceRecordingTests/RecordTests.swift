import RetraceArchitecture
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceTesting
import RetraceSystem
import RetraceFixtures
import Testing

@testable import RetraceRecording

/// What each record tells, and when it is in the log.
@Suite struct RecordTests {
  /// A record's envelope, without what other tests compare.
  private struct Seen: Equatable {
    var sequence: UInt64
    var kind: RecordKind
    var startsBatch: Bool
    var cause: UInt64?
    var seconds: Int64
  }

  // A session's first record is its origin; the origin of a command is recorded with it.
  @Test func `each record has its sequence, batch, moment, origin and cause [L1]`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["milk": .waits])
      errands.clock.advance(by: .seconds(3))
      let begin = errands.clock.moment.microseconds
      let receipt = try await errands.store.send([
        .noted("a"), .started(Errand("milk"), after: .zero, id: ""),
      ])
      await errands.desk.whenStarted(1)
      errands.clock.advance(by: .seconds(5))
      errands.desk.release("milk")
      try await receipt.settled()
      var seen: [Seen] = []
      var origin: SessionOrigin?
      try errands.store.storage.withReadView { view throws(StoreError) in
        try view.scan(from: 1, through: view.head.sequence) { record throws(StoreError) in
          let seconds = (record.moment.microseconds - begin) / 1_000_000
          seen.append(
            Seen(
              sequence: record.sequence, kind: record.kind, startsBatch: record.startsBatch,
              cause: record.cause, seconds: seconds))
          #expect(record.session == 1)
          if record.kind == .sessionOpened {
            origin = (try? record.systemPayload(as: SessionOpened.self))?.origin
          }
        }
      }
      #expect(
        seen == [
          Seen(sequence: 1, kind: .sessionOpened, startsBatch: true, cause: nil, seconds: 0),
          Seen(sequence: 2, kind: .action, startsBatch: true, cause: nil, seconds: 0),
          Seen(sequence: 3, kind: .action, startsBatch: false, cause: nil, seconds: 0),
          Seen(sequence: 4, kind: .effectFinished, startsBatch: true, cause: 3, seconds: 5),
          Seen(sequence: 5, kind: .action, startsBatch: true, cause: 3, seconds: 5),
        ])
      #expect(origin?.process == ThisProcess.identifier)
      try errands.store.closeBlocking()
    }
  }

  @Test func `a state that an observer gets is in the log already [L2]`() throws {
    try ScratchDirectory.with { path in
      let store = try Store<CounterApp>.openBlocking(
        at: path + "/store", configuration: StoreConfiguration())
      let calls = Lock((count: 0, early: 0))
      let observation = store.observe { [weak store] state in
        guard let storage = store?.storage, let head = try? storage.head() else { return }
        // Each counter was added by a record of its own, after the session's first one.
        let shown = state.counters.count == 0 ? 0 : UInt64(state.counters.count) + 1
        calls.withLock { calls in
          calls.count += 1
          if head.sequence < shown { calls.early += 1 }
        }
      }
      for number in 0..<200 { try store.sendBlocking([.added(name: "n\(number)")]) }
      observation.cancel()
      #expect(calls.withLock { $0.count } == 201)
      #expect(calls.withLock { $0.early } == 0)
      #expect(store.durableSequence == store.sequence)
      try store.closeBlocking()
    }
  }
}
