import RetraceLMDB
import RetraceLog
import RetracePlatform
import RetraceStorage
import Testing

@Suite("Calls that fail")
struct FaultTests {
  private static let codes: [LMDBError.Code] = [
    .inputOutput, .noSpace, .mapFull, .panic, .accessDenied,
  ]
  private static let timings = [LMDBFaultPlan.Timing.before, .after]
  private let group = (0..<300).map {
    Note(text: [UInt8](repeating: UInt8($0 % 7), count: 90), moment: $0)
  }

  @Test("Whichever call of a commit fails, nothing acknowledged is lost, nothing is half there")
  func everyCallOfACommit() throws {
    try withDirectory { directory in
      let path = directory + "/store"
      try LogStorage.open(at: path, access: .create).close()
      var kept = 0
      var failures: [StoreError.Code: Int] = [:]
      for code in FaultTests.codes {
        for timing in FaultTests.timings {
          var call = 1
          while true {
            let plan = LMDBFaultPlan()
            let storage = try LogStorage.open(at: path, access: .write, faults: plan)
            #expect(try storage.notes().count == kept)
            plan.fail(code, atCall: call, timing: timing)
            let before = plan.calls()
            let error = storeError { () throws(StoreError) in try storage.write(group) }
            let reached = plan.calls() - before >= call
            let isUnknown = error != nil && storage.isClosedForWriting
            storage.close()
            let again = try LogStorage.open(at: path, access: .write)
            let found = try again.notes().count
            #expect(try again.report().damage == nil)
            again.close()
            let place: Comment = "\(code), \(timing), call \(call): \(error?.description ?? "")"
            if error == nil || isUnknown && found != kept { kept += group.count }
            #expect(found == kept, place)
            if let error { failures[error.code, default: 0] += 1 }
            if !reached { break }
            #expect(error != nil, place)
            call += 1
          }
        }
      }
      let expected: Set<StoreError.Code> = [
        .storageFailed, .diskFull, .mapFull, .permissionDenied, .commitOutcomeUnknown,
      ]
      #expect(Set(failures.keys) == expected, "\(failures)")
    }
  }

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
        #expect(error?.exitCode == 6)
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

  @Test("Whichever call of making a store fails, there is a whole store or none")
  func everyCallOfCreation() throws {
    try withDirectory { directory in
      for code in FaultTests.codes.prefix(2) {
        for timing in FaultTests.timings {
          var call = 1
          while true {
            let path = directory + "/\(code.rawValue).\(timing).\(call)"
            let plan = LMDBFaultPlan()
            plan.fail(code, atCall: call, timing: timing)
            let error = storeError { () throws(StoreError) in
              try LogStorage.open(at: path, access: .create, faults: plan).close()
            }
            let reached = plan.calls() >= call
            #expect(reached || error == nil)
            let storage = try LogStorage.open(at: path, access: .create)
            #expect(try storage.head() == .empty)
            storage.close()
            if !reached { break }
            call += 1
          }
        }
      }
      #expect(try FileSystem.list(directory).allSatisfy { !$0.hasPrefix(".retrace-") })
    }
  }

  @Test("Whichever call on a file fails while a store is made, there is a whole store or none")
  func everyFileCallOfCreation() throws {
    try withDirectory { directory in
      for code in [PlatformError.Code.inputOutput, .noSpace, .accessDenied] {
        var call = 1
        while true {
          let parent = directory + "/\(code.rawValue).\(call)"
          try FileSystem.makeDirectory(parent)
          let plan = PlatformFaultPlan(under: parent)
          plan.fail(code, atCall: call)
          let error = plan.whileInstalled {
            storeError { () throws(StoreError) in
              try LogStorage.open(at: parent + "/store", access: .create).close()
            }
          }
          let reached = plan.calls() >= call
          let storage = try LogStorage.open(at: parent + "/store", access: .create)
          #expect(try storage.head() == .empty, "call \(call): \(error?.description ?? "")")
          storage.close()
          if !reached { break }
          call += 1
        }
        #expect(call > 5)
      }
    }
  }
}
