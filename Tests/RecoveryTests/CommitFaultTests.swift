import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog
import RetracePlatform
import RetraceRecording
import RetraceStorage
import Testing
import TimeTracking
import ToolTestSupport

/// The n-th call of a commit fails, n growing until a run meets no failure: each run gives an error
/// or a correct result, and the log has whole batches and everything acknowledged.
@Suite(.serialized) struct CommitFaultTests {
  /// What became of the runs of one kind of failure.
  private struct Outcome {
    /// The number of calls until a run met no failure.
    var calls = 0
    var errors: [String: Int] = [:]
    var accepted = 0

    var description: String {
      let counts = errors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "n = \(calls): \(counts.joined(separator: ", ")), no error \(accepted)"
    }
  }

  /// A call under test: what it does to an open store.
  private enum Call: String, CaseIterable {
    case send, transact, close
  }

  @Test func `whichever call into LMDB fails, batches stay whole and nothing is lost`() throws {
    let codes: [LMDBError.Code] = [
      .inputOutput, .noSpace, .mapFull, .panic, .accessDenied, .outOfMemory, .transactionFull,
    ]
    try withTemporaryDirectory { folder in
      for call in Call.allCases {
        for code in codes {
          for timing in [LMDBFaultPlan.Timing.before, .after] {
            let store = "\(folder)/\(call)-\(code.rawValue)-\(timing)"
            let outcome = try runs(on: store, call) { number, plan, body in
              plan.fail(code, atCall: number, timing: timing)
              let before = plan.calls()
              let error = body()
              plan.removeAll()
              return (error, plan.calls() - before >= number)
            }
            print("\(call.rawValue), \(code.symbol ?? ""), \(timing): \(outcome.description)")
            #expect(outcome.calls > 1 && !outcome.errors.isEmpty)
          }
        }
      }
    }
  }

  @Test func `whichever call on a file fails, batches stay whole and nothing is lost`() throws {
    let codes: [PlatformError.Code] = [
      .inputOutput, .noSpace, .accessDenied, .tooManyOpenFiles, .interrupted,
    ]
    try withTemporaryDirectory { folder in
      for call in Call.allCases {
        for code in codes {
          for timing in [PlatformFaultPlan.Timing.before, .after] {
            let store = "\(folder)/\(call)-\(code.rawValue)-\(timing)"
            let outcome = try runs(on: store, call) { number, _, body in
              let plan = PlatformFaultPlan(under: store)
              plan.fail(code, atCall: number, timing: timing)
              let error = plan.whileInstalled { body() }
              return (error, plan.calls() >= number)
            }
            print("\(call.rawValue), \(code), \(timing): \(outcome.description)")
            #expect(outcome.calls > 1)
          }
        }
      }
    }
  }

  /// Runs a call with its first, second, … call failing, until one meets no failure.
  private func runs(
    on path: String, _ call: Call,
    failing: (Int, LMDBFaultPlan, () -> StoreError?) -> (error: StoreError?, reached: Bool)
  ) throws -> Outcome {
    var outcome = Outcome()
    var kept: [[UInt8]] = []
    while true {
      outcome.calls += 1
      let number = outcome.calls
      let plan = LMDBFaultPlan()
      let store = try SeamStore.open(path, faults: plan)
      let known = SeamStore.batch("known \(number)")
      try store.sendBlocking(known)
      kept += known.map { $0.encoded() }
      let tried = SeamStore.batch("tried \(number)")
      let (error, reached) = failing(number, plan) { perform(call, tried, on: store) }
      let encoded = call == .close ? [] : tried.map { $0.encoded() }
      let isUnknown = error != nil && store.storage.isClosedForWriting
      // The program ends here, without the store being closed in order.
      store.storage.close()
      let place: Comment = "\(call), call \(number): \(error?.description ?? "no error")"
      let again = try SeamStore.open(path)
      #expect(again.recovered.isEmpty, "a failed call was taken for a crash: \(place)")
      let found = try actions(in: again.storage)
      if error == nil || isUnknown && found.count > kept.count { kept += encoded }
      #expect(found == kept, place)
      let state = again.state
      try again.close()
      let last = try SeamStore.open(path)
      #expect(last.state == state, place)
      last.storage.close()
      if let error {
        outcome.errors[error.code.name, default: 0] += 1
        #expect((4...6).contains(error.exitCode), place)
      } else {
        outcome.accepted += 1
      }
      if !reached {
        #expect(error == nil, place)
        return outcome
      }
    }
  }

  private func perform(
    _ call: Call, _ batch: [AppAction], on store: SeamStore.TrackerStore
  ) -> StoreError? {
    switch call {
    case .send:
      return SeamStore.error { () throws(StoreError) in try store.sendBlocking(batch) }
    case .close:
      return SeamStore.error { () throws(StoreError) in try store.close() }
    case .transact:
      do throws(TransactionError<Refusal>) {
        try store.transact(closing: true) { (_, _) throws(Refusal) in batch }
        return nil
      } catch {
        guard case .store(let failure) = error else { return nil }
        return failure
      }
    }
  }

  /// The payloads of the actions in a log; checks the log on the way.
  private func actions(in storage: LogStorage) throws -> [[UInt8]] {
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      var payloads: [[UInt8]] = []
      try snapshot.verify()
      try snapshot.forEachRecord(from: 1, through: snapshot.head.sequence) {
        (envelope, payload) throws(StoreError) in
        if envelope.kind == .action { payloads.append(payload.indices.map { payload[$0] }) }
      }
      return payloads
    }
  }
}
