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

/// The n-th call fails while a store is opened that a crashed program left: the action that ended
/// the program is recorded once, whichever call failed.
///
/// `RETRACE_FULL=1` takes more codes.
@Suite struct OpenFaultTests {
  @Test func `whichever call into LMDB fails while a crash is recovered, it is recorded once`()
    throws
  {
    let codes: [LMDBError.Code] = [.inputOutput, .noSpace, .outOfMemory, .mapFull]
    try withTemporaryDirectory { folder in
      for code in codes.prefix(max(2, cycles(codes.count))) {
        for timing in [LMDBFaultPlan.Timing.before, .after] {
          let path = "\(folder)/lmdb-\(code.rawValue)-\(timing)"
          let calls = try runs(on: path) { number in
            let plan = LMDBFaultPlan()
            plan.fail(code, atCall: number, timing: timing)
            let error = reopen(path, plan)
            return (error, plan.calls() >= number)
          }
          print("open, \(code.symbol ?? ""), \(timing): n = \(calls)")
        }
      }
    }
  }

  @Test func `whichever call on a file fails while a crash is recovered, it is recorded once`()
    throws
  {
    let codes: [PlatformError.Code] = [.inputOutput, .noSpace, .accessDenied, .tooManyOpenFiles]
    try withTemporaryDirectory { folder in
      for code in codes.prefix(max(2, cycles(codes.count))) {
        for timing in [PlatformFaultPlan.Timing.before, .after] {
          let path = "\(folder)/file-\(code.rawValue)-\(timing)"
          let calls = try runs(on: path) { number in
            let plan = PlatformFaultPlan(under: path)
            plan.fail(code, atCall: number, timing: timing)
            let error = plan.whileInstalled { reopen(path, nil) }
            return (error, plan.calls() >= number)
          }
          print("open, \(code), \(timing): n = \(calls)")
        }
      }
    }
  }

  private func reopen(_ path: String, _ plan: LMDBFaultPlan?) -> StoreError? {
    SeamStore.error { () throws(StoreError) in
      let store = try SeamStore.open(path, faults: plan)
      plan?.removeAll()
      store.storage.close()
    }
  }

  /// Leaves a crash and opens the store, with its first, second, … call failing.
  private func runs(
    on path: String, opening: (Int) throws -> (error: StoreError?, reached: Bool)
  ) throws -> Int {
    var number = 1
    var acknowledged: UInt64 = 0
    while true {
      try leaveCrash(in: path, number)
      let (error, reached) = try opening(number)
      let place: Comment = "call \(number): \(error?.description ?? "no error")"
      let again = try SeamStore.open(path)
      let crashes = try again.storage.withSnapshot { (snapshot) throws(StoreError) in
        var crashes = 0
        try snapshot.verify()
        try snapshot.forEachRecord(from: 1, through: snapshot.head.sequence) {
          (envelope, _) throws(StoreError) in
          if envelope.kind == .crashed { crashes += 1 }
        }
        return crashes
      }
      #expect(crashes == number, place)
      #expect(again.sequence > acknowledged, place)
      acknowledged = again.sequence
      try again.close()
      if !reached {
        #expect(error == nil, place)
        #expect(number > 3)
        return number
      }
      number += 1
    }
  }

  /// Writes what a program leaves that ended while it was reducing a batch.
  private func leaveCrash(in path: String, _ number: Int) throws {
    let store = try SeamStore.open(path)
    let receipt = try store.sendBlocking(SeamStore.batch("known \(number)"))
    let session = receipt.sequences.lowerBound - 1
    var file = try store.storage.attemptFile(session: session)
    try file.write(
      Attempt(
        firstSequence: store.sequence + 1, session: session, schema: 1,
        batches: [
          Attempt.Batch(
            moment: Moment(microseconds: 5),
            actions: SeamStore.batch("crash \(number)").map { $0.encoded() })
        ]))
    store.storage.close()
  }
}
