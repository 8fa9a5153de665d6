import RetraceLMDB
import RetraceLog
import RetraceSystem
import RetraceStorage
import Testing

@Suite("Calls that fail")
struct FaultTests {
  @Test("After a commit with an unknown outcome the store takes nothing more")
  func unknownOutcome() throws {
    try withDirectory { directory in
      for (timing, kept) in [(LMDBFaultPlan.Timing.before, 0), (.after, 1)] {
        let path = directory + "/store.\(timing)"
        let plan = LMDBFaultPlan()
        let storage = try LogStorage.open(at: path, access: .create, faults: plan)
        plan.fail(.inputOutput, atCall: 1, of: .commit, timing: timing)
        let note = [Note(text: [1], moment: 1)]
        let error = storeError { () throws(StoreError) in try storage.write(note) }
        #expect(error?.code == .commitOutcomeUnknown)
        #expect(storage.isClosedForWriting)
        let second = storeError { () throws(StoreError) in try storage.write(note) }
        #expect(second == error)
        storage.close()
        let again = try LogStorage.open(at: path, access: .write)
        #expect(try again.notes().count == kept)
        again.close()
      }
    }
  }
}
