import RetraceLMDB
import Testing
import ToolTestSupport

struct ThreadTests {
  let directory: TemporaryDirectory
  let environment: LMDBEnvironment
  let table: LMDBDatabase

  init() throws {
    directory = try TemporaryDirectory()
    environment = try LMDBEnvironment.open(directory.path)
    table = try environment.createDatabase("table")
  }

  private func code(_ body: () throws(LMDBError) -> Void) -> LMDBError.Code? {
    do throws(LMDBError) {
      try body()
      return nil
    } catch { return error.code }
  }

  @Test func `A second write transaction on a thread is refused, not waited for`() throws {
    let write = try environment.beginWrite()
    #expect(throws: LMDBError(.nestedWrite, during: .beginWrite)) {
      try environment.write([1], 1, table)
    }
    #expect(throws: LMDBError(.nestedWrite, during: .beginWrite)) {
      try environment.createDatabase("other")
    }
    #expect(try write.bytes(1, table) == nil)
  }

  @Test func `A commit on another thread commits nothing, and its own thread goes on`() throws {
    var write = try environment.beginWrite()
    try write.put([1].span, for: 1, in: table)
    let held = Held(write)
    #expect(onOtherThread { code { () throws(LMDBError) in try held.commit() } } == .wrongThread)
    // No other thread can take the lock until the thread that began releases it.
    let other = onOtherThread {
      code { () throws(LMDBError) in try environment.write([2], 2, table) }
    }
    #expect(other == .wrongThread)
    #expect(try environment.read(1, table) == nil)
    try environment.write([3], 3, table)
    let after = onOtherThread {
      code { () throws(LMDBError) in try environment.write([4], 4, table) }
    }
    #expect(after == nil)
    #expect(try environment.contents(table).count == 2)
  }

  @Test func `A transaction dropped on another thread is ended when its own thread closes`() throws
  {
    let held = Held(try environment.beginWrite())
    onOtherThread { held.drop() }
    environment.close()
    let again = try LMDBEnvironment.open(directory.path)
    let table = try #require(try again.openDatabase("table"))
    try again.write([1], 1, table)
    #expect(try again.read(1, table) == [1])
  }

  @Test func `Changes on another thread are refused`() throws {
    let write = try environment.beginWrite()
    let held = HeldForChange(write)
    let table = self.table
    let codes = onOtherThread {
      [
        code { () throws(LMDBError) in try held.put(table) },
        code { () throws(LMDBError) in try held.append(table) },
        code { () throws(LMDBError) in try held.delete(table) },
        code { () throws(LMDBError) in try held.get(table) },
      ]
    }
    #expect(codes == [.wrongThread, .wrongThread, .wrongThread, .wrongThread])
    try held.put(table)
    held.drop()
  }

  @Test func `A failed begin beside a writer leaves the writer its place`() throws {
    let plan = LMDBFaultPlan()
    let other = try TemporaryDirectory()
    var options = LMDBEnvironment.Options()
    options.faults = plan
    let environment = try LMDBEnvironment.open(other.path, options: options)
    let table = try environment.createDatabase("table")
    let write = try environment.beginWrite()
    plan.fail(.outOfMemory, atCall: 1, of: .beginWrite)
    let code = onOtherThread {
      self.code { () throws(LMDBError) in _ = try environment.createDatabase("second") }
    }
    #expect(code == .outOfMemory)
    #expect(throws: LMDBError(.nestedWrite, during: .beginWrite)) {
      try environment.write([1], 1, table)
    }
    #expect(try write.bytes(1, table) == nil)
  }

  @Test func `Many threads write and read at once`() async throws {
    try environment.write([0], 0, table)
    let (environment, table) = (self.environment, self.table)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 1...4 {
        group.addTask {
          for turn in 0..<25 {
            try environment.write([UInt8(turn)], UInt64(writer * 1000 + turn), table)
          }
        }
        group.addTask {
          for _ in 0..<200 { _ = try environment.contents(table) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try environment.contents(table).count == 101)
  }
}

/// Holds a write transaction so that tests can try to change through it on another thread.
final class HeldForChange {
  private var transaction: WriteTransaction?

  init(_ transaction: consuming WriteTransaction) {
    self.transaction = consume transaction
  }

  func put(_ table: LMDBDatabase) throws(LMDBError) {
    try transaction?.put([1].span, for: 1, in: table)
  }

  func append(_ table: LMDBDatabase) throws(LMDBError) {
    try transaction?.append([1].span, for: 1, in: table)
  }

  func delete(_ table: LMDBDatabase) throws(LMDBError) {
    _ = try transaction?.delete(1, in: table)
  }

  func get(_ table: LMDBDatabase) throws(LMDBError) {
    _ = try transaction?.bytes(1, table)
  }

  func drop() {
    _ = transaction.take()
  }
}
