import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

struct ByteRangeLockTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("lock")
  }

  @Test func `Two opens in one process exclude each other, byte by byte`() throws {
    let first = try ByteRangeLock.open(path)
    let second = try ByteRangeLock.open(path)
    for offset in [0, 1, 4711, 1 << 62] {
      #expect(try first.tryExclusive(at: offset))
      #expect(try !second.tryExclusive(at: offset))
      #expect(try !second.tryShared(at: offset))
      #expect(try second.foreignLock(at: offset) == .exclusive)
      #expect(try first.foreignLock(at: offset) == .unlocked)
      #expect(try second.foreignLock(at: offset + 1) == .unlocked)
      #expect(try first.tryShared(at: offset))
      #expect(try second.foreignLock(at: offset) == .shared)
      #expect(try second.tryShared(at: offset))
      #expect(try !first.tryExclusive(at: offset))
      try second.release(at: offset)
      #expect(try first.tryExclusive(at: offset))
      try first.release(at: offset)
      #expect(try second.foreignLock(at: offset) == .unlocked)
    }
  }

  @Test func `Closing another open of the file takes nothing away`() throws {
    let first = try ByteRangeLock.open(path)
    #expect(try first.tryExclusive(at: 0))
    do { _ = try OpenFile.open(path) }
    let second = try ByteRangeLock.open(path)
    #expect(try second.foreignLock(at: 0) == .exclusive)
  }

  @Test func `Destroying its owner frees the locks`() throws {
    let second = try ByteRangeLock.open(path)
    do {
      let first = try ByteRangeLock.open(path)
      #expect(try first.tryExclusive(at: 5))
      #expect(try second.foreignLock(at: 5) == .exclusive)
    }
    #expect(try second.tryExclusive(at: 5))
  }

  @Test(arguments: [1, 2], [SystemError.Code.outOfMemory, .accessDenied])
  func `A byte is freed although the system refuses at first`(
    failures: Int, code: SystemError.Code
  ) throws {
    let first = try ByteRangeLock.open(path)
    let second = try ByteRangeLock.open(path)
    #expect(try first.tryExclusive(at: 5))
    let plan = SystemFaultPlan(under: directory.path)
    for call in 1...failures { plan.fail(code, atCall: call, of: .fcntl) }
    try plan.whileInstalled { try first.release(at: 5) }
    #expect(plan.callCount() == failures + 1)
    #expect(try second.tryExclusive(at: 5))
  }

  @Test func `Another process is excluded`() async throws {
    let lock = try ByteRangeLock.open(path)
    try #require(try lock.tryExclusive(at: 7))
    try #require(try lock.tryShared(at: 8))
    await #expect(processExitsWith: .success) { [path = path as String] in
      let lock = try ByteRangeLock.open(path)
      try #require(try !lock.tryShared(at: 7))
      try #require(try lock.foreignLock(at: 7) == .exclusive)
      try #require(try lock.tryShared(at: 8))
      try #require(try !lock.tryExclusive(at: 8))
      try #require(try lock.foreignLock(at: 8) == .shared)
      try #require(try lock.tryExclusive(at: 9))
    }
    #expect(try lock.tryExclusive(at: 9))
  }

  @Test func `A killed process frees its locks`() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let lock = try ByteRangeLock.open(path)
      guard try lock.tryExclusive(at: 3) else { exit(1) }
      kill(getpid(), SIGKILL)
      _ = try lock.foreignLock(at: 3)
    }
    let lock = try ByteRangeLock.open(path)
    #expect(try lock.tryExclusive(at: 3))
  }

  @Test func `The processes that hold locks are found`() throws {
    let lock = try ByteRangeLock.open(path)
    #expect(try lock.holders() == [])
    #expect(try lock.tryShared(at: 0))
    #expect(try lock.holders() == [ThisProcess.identifier])
    try lock.release(at: 0)
    #expect(try lock.holders() == [])
  }

  @Test func `A link in place of the file is refused`() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".other")
    #expect(throws: SystemError(.tooManyLinks, during: .open, path: path)) {
      _ = try ByteRangeLock.open(path)
    }
  }
}
