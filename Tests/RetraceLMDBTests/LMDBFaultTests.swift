import Glibc
import RetraceLMDB
import RetraceSystem
import Testing
import ToolTestSupport

struct LMDBFaultTests {
  let directory: TemporaryDirectory
  let plan = LMDBFaultPlan()
  /// Where copies go.
  let sink: Int32

  init() throws {
    directory = try TemporaryDirectory()
    // Unsafe: C reads the path during the call.
    sink = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    #expect(sink >= 0)
  }

  private var options: LMDBEnvironment.Options {
    var options = LMDBEnvironment.Options()
    options.faults = plan
    return options
  }

  @Test func `The n-th call of an operation fails once, and calls are counted`() throws {
    let environment = try LMDBEnvironment.open(directory.path, options: options)
    let table = try environment.createDatabase("table")
    let commits = plan.callCount(of: .commit)
    plan.fail(.noSpace, atCall: 3, of: .put)
    try environment.write([1], 1, table)
    try environment.write([2], 2, table)
    #expect(throws: LMDBError(.noSpace, during: .put)) { try environment.write([3], 3, table) }
    try environment.write([4], 4, table)
    #expect(plan.callCount(of: .put) == 4)
    #expect(plan.callCount(of: .commit) == commits + 3)
    #expect(try environment.contents(table).count == 3)
  }

  @Test
  func `A copy that a signal interrupts fails, and is not started again after its first bytes`()
    throws
  {
    let environment = try LMDBEnvironment.open(directory.path, options: options)
    plan.fail(.interrupted, atCall: 1, of: .copyEnvironment, timing: .after)
    #expect(throws: LMDBError(.interrupted, during: .copyEnvironment)) {
      try environment.copy(to: sink)
    }
    #expect(plan.callCount(of: .copyEnvironment) == 1)
  }

  @Test func `A lasting fault fails until it is removed`() throws {
    let environment = try LMDBEnvironment.open(directory.path, options: options)
    let table = try environment.createDatabase("table")
    plan.fail(.inputOutput, atCall: 2, of: .commit, persistent: true)
    try environment.write([1], 1, table)
    for _ in 0..<3 {
      #expect(throws: LMDBError(.inputOutput, during: .commit)) {
        try environment.write([2], 2, table)
      }
    }
    plan.removeAll()
    try environment.write([3], 3, table)
    #expect(try environment.contents(table).count == 2)
  }

  @Test func `A commit can fail before or after it was performed`() throws {
    let environment = try LMDBEnvironment.open(directory.path, options: options)
    let table = try environment.createDatabase("table")
    plan.fail(.inputOutput, atCall: 1, of: .commit, timing: .before)
    #expect(throws: LMDBError(.inputOutput, during: .commit)) {
      try environment.write([1], 1, table)
    }
    plan.fail(.inputOutput, atCall: 1, of: .commit, timing: .after)
    #expect(throws: LMDBError(.inputOutput, during: .commit)) {
      try environment.write([2], 2, table)
    }
    #expect(try environment.read(1, table) == nil)
    #expect(try environment.read(2, table) == [2])
    environment.close()
    let again = try LMDBEnvironment.open(directory.path)
    let found = try #require(try again.openDatabase("table"))
    #expect(try again.contents(found).count == 1)
  }

  /// Opens, makes two databases, writes into both in one transaction, reads back.
  private func workload() throws(LMDBError) {
    let environment = try LMDBEnvironment.open(directory.path, options: options)
    defer { environment.close() }
    let first = try environment.createDatabase("first")
    let second = try environment.createDatabase("second")
    var write = try environment.beginWrite()
    try write.removeAll(in: second)
    try write.put([1].span, for: 1, in: first)
    try write.append([1].span, for: 1, in: second)
    try write.put([1].span, for: 2, in: first)
    _ = try write.delete(2, in: first)
    try write.commit()
    _ = try environment.info()
    try environment.clearStaleReaders()
    try environment.copy(to: sink)
    let read = try environment.beginRead()
    _ = try read.statistics(of: first)
    _ = try read.bytes(1, first)
    var cursor = try read.cursor(over: second)
    while try cursor.next() {}
  }

  @Test(arguments: [LMDBFaultPlan.Timing.before, .after])
  func `Whichever call fails, the error comes out and the store stays whole`(
    timing: LMDBFaultPlan.Timing
  ) throws {
    try workload()
    let total = plan.callCount()
    #expect(total > 25)
    var failed: Set<LMDBError.Operation> = []
    for call in 1...total {
      plan.removeAll()
      plan.fail(.inputOutput, atCall: call, timing: timing)
      do throws(LMDBError) {
        try workload()
      } catch {
        #expect(error.code == .inputOutput, "call \(call)")
        failed.insert(error.operation)
      }
      plan.removeAll()
      // Nothing is left open or locked, and both databases agree.
      let environment = try LMDBEnvironment.open(directory.path)
      let first = try #require(try environment.openDatabase("first"))
      let second = try #require(try environment.openDatabase("second"))
      #expect(try environment.contents(first) == environment.contents(second), "call \(call)")
      try environment.write([1], 1, first)
      environment.close()
    }
    // The rest cannot fail, or is not part of the workload.
    let never: Set<LMDBError.Operation> = [.closeEnvironment, .abort]
    #expect(failed == Set(LMDBError.Operation.allCases).subtracting(never))
  }
}
