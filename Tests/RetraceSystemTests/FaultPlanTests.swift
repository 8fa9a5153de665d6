import RetraceSystem
import Testing
import ToolTestSupport

struct FaultPlanTests {
  let directory: TemporaryDirectory
  let plan: SystemFaultPlan

  init() throws {
    directory = try TemporaryDirectory()
    plan = SystemFaultPlan(under: directory.path)
  }

  @Test func `The n-th call of each operation fails once`() throws {
    let path = directory.file("a")
    func perform(_ operation: SystemError.Operation) throws(SystemError) {
      switch operation {
      case .open: _ = try OpenFile.open(path)
      case .pread: _ = try OpenFile.open(path).read(at: 0, count: 1)
      case .pwrite: try OpenFile.open(path, .write).write([1].span, at: 0)
      case .fsync: try OpenFile.open(path).synchronize()
      case .ftruncate: try OpenFile.open(path, .write).truncate(to: 4)
      case .rename: try FileSystem.rename(path, to: path)
      case .mkdir:
        try FileSystem.makeDirectory(path + ".d")
        try FileSystem.removeDirectory(path + ".d")
      case .unlink:
        _ = try OpenFile.open(path + ".u", [.write, .create])
        try FileSystem.unlink(path + ".u")
      default: Issue.record("\(operation) is not tried")
      }
    }
    try directory.write("text", "a")
    plan.install()
    defer { plan.uninstall() }
    for operation in [
      SystemError.Operation.open, .pread, .pwrite, .fsync, .ftruncate, .rename,
      .mkdir, .unlink,
    ] {
      plan.fail(.noSpace, atCall: 2, of: operation)
      let before = plan.callCount(of: operation)
      try perform(operation)
      do throws(SystemError) {
        try perform(operation)
        Issue.record("\(operation) did not fail")
      } catch {
        #expect(error.code == .noSpace && error.operation == operation)
        #expect(error.path?.hasPrefix(path) == true)
      }
      try perform(operation)
      #expect(plan.callCount(of: operation) == before + 3)
    }
  }

  @Test func `A plan affects no other directory, and nothing while it is not installed`() throws {
    let other = try TemporaryDirectory()
    plan.fail(.inputOutput, atCall: 1, persistent: true)
    try directory.write("x", "a")
    try plan.whileInstalled {
      try other.write("x", "a")
      #expect(throws: SystemError.self) { try directory.write("x", "a") }
      #expect(throws: SystemError.self) { try directory.read("a") }
    }
    #expect(try directory.read("a") == "x")
  }

  @Test func `A fault can be limited to one name, be permanent, or come after the call`() throws {
    plan.fail(
      .quotaExceeded, atCall: 2, of: .pwrite, onPathsEndingIn: "/b", timing: .after,
      persistent: true)
    plan.install()
    defer { plan.uninstall() }
    let first = try OpenFile.open(directory.file("a"), [.write, .create])
    let second = try OpenFile.open(directory.file("b"), [.write, .create])
    for number in UInt8(1)...3 {
      try first.write([number].span, at: 0)
      let code: SystemError.Code?
      do throws(SystemError) {
        try second.write([number].span, at: 0)
        code = nil
      } catch { code = error.code }
      #expect(code == (number == 1 ? nil : .quotaExceeded))
      #expect(try directory.read("b") == String(UnicodeScalar(number)))
    }
  }
}
