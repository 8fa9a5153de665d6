import Foundation
import RetraceLMDB
import Testing
import ToolTestSupport

struct LMDBProcessTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var options: LMDBEnvironment.Options {
    LMDBEnvironment.Options(mapSizeBytes: 1 << 20, maxReaders: 3)
  }

  /// Ends a process of its own inside three read transactions.
  private func killReaders() async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
      let environment = try LMDBEnvironment.open(
        path, options: LMDBEnvironment.Options(mapSizeBytes: 1 << 20))
      let reads = [
        HeldRead(try environment.beginRead()), HeldRead(try environment.beginRead()),
        HeldRead(try environment.beginRead()),
      ]
      kill(getpid(), SIGKILL)
      withExtendedLifetime(reads) {}
    }
  }

  @Test func `Slots of killed readers fill up and are cleared when asked`() async throws {
    let environment = try LMDBEnvironment.open(directory.path, options: options)
    let table = try environment.createDatabase("table")
    await killReaders()
    #expect(throws: LMDBError(.readersFull, during: .beginRead)) {
      try environment.read(1, table)
    }
    #expect(try environment.clearStaleReaders() == 3)
    #expect(try environment.read(1, table) == nil)
    #expect(try environment.clearStaleReaders() == 0)
  }

  @Test func `Opening clears the slots of killed readers`() async throws {
    // Another process keeps the lock file alive, else the first to open would make it anew.
    let first = try LMDBEnvironment.open(directory.path, options: options)
    _ = try first.createDatabase("table")
    await killReaders()
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let environment = try LMDBEnvironment.open(
        path, options: LMDBEnvironment.Options(mapSizeBytes: 1 << 20))
      let table = try #require(try environment.openDatabase("table"))
      try #require(try environment.clearStaleReaders() == 0)
      try #require(try environment.read(1, table) == nil)
    }
  }

  /// Writes more in a process of its own than this one has mapped.
  private func growElsewhere() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let environment = try LMDBEnvironment.open(
        path, options: LMDBEnvironment.Options(mapSizeBytes: 64 << 20))
      let table = try environment.createDatabase("table")
      try environment.write([UInt8](repeating: 5, count: 8 << 20), 5, table)
    }
  }

  @Test func `A map that another process outgrew is enlarged`() async throws {
    let environment = try LMDBEnvironment.open(directory.path, options: options)
    let table = try environment.createDatabase("table")
    await growElsewhere()
    #expect(try environment.read(5, table)?.count == 8 << 20)
    #expect(try environment.info().mapSizeBytes == 64 << 20)
    try environment.write([1], 1, table)
  }

  @Test func `A map is not moved under a transaction that is open`() async throws {
    let environment = try LMDBEnvironment.open(directory.path, options: options)
    let table = try environment.createDatabase("table")
    do {
      let held = HeldRead(try environment.beginRead())
      await growElsewhere()
      #expect(throws: LMDBError(.mapResized, during: .beginRead)) {
        try environment.read(5, table)
      }
      #expect(throws: LMDBError(.mapResized, during: .beginWrite)) {
        try environment.write([1], 1, table)
      }
      #expect(try held.bytes(5, table) == nil)
    }
    try environment.write([1], 1, table)
    #expect(try environment.read(5, table)?.count == 8 << 20)
  }

  /// Limits the address space of this process to what it has and some more.
  static func limitAddressSpace(addingBytes: Int) throws {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      .split(separator: " ").first
    let size = try #require(pages.flatMap { Int($0) }) * 4096
    var limit = rlimit(rlim_cur: rlim_t(size + addingBytes), rlim_max: rlim_t(size + addingBytes))
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
  }

  @Test func `In a limited address space, the map is as large as fits`() async throws {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try LMDBProcessTests.limitAddressSpace(addingBytes: 5 << 30)
      let environment = try LMDBEnvironment.open(path)
      try #require(try environment.info().mapSizeBytes == 2 << 30)
      let table = try environment.createDatabase("table")
      try environment.write([UInt8](repeating: 1, count: 8 << 20), 1, table)
      environment.close()
    }
    // The data file fits even if a larger map does not, and its growth by others is mapped too.
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try LMDBProcessTests.limitAddressSpace(addingBytes: 96 << 20)
      let options = LMDBEnvironment.Options(isReadOnly: true)
      let environment = try LMDBEnvironment.open(path, options: options)
      let table = try #require(try environment.openDatabase("table"))
      try #require(try environment.read(1, table)?.count == 8 << 20)
    }
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try LMDBProcessTests.limitAddressSpace(addingBytes: 4 << 20)
      #expect(throws: LMDBError(.outOfMemory, during: .setMapSize)) {
        try LMDBEnvironment.open(path)
      }
    }
  }

  @Test(.timeLimit(.minutes(2)), arguments: [1 << 30, 24 << 20])
  func `A limited map that another process outgrew is enlarged, if there is room`(
    room: Int
  ) async throws {
    let (path, marks) = (directory.path, try TemporaryDirectory())
    // On a thread of its own: waiting for the other process takes one of those that tests run on.
    let growing = Thread { [mark = marks.path] in
      while !FileManager.default.fileExists(atPath: mark + "/open") { usleep(1_000) }
      if let environment = try? LMDBEnvironment.open(path),
        let table = try? environment.createDatabase("table")
      {
        try? environment.write([UInt8](repeating: 5, count: 32 << 20), 5, table)
        environment.close()
      }
      try? Data().write(to: URL(fileURLWithPath: mark + "/grown"))
    }
    growing.start()
    await #expect(processExitsWith: .success) {
      [path = path as String, mark = marks.path as String, room = room as Int] in
      let environment = try LMDBEnvironment.open(
        path, options: LMDBEnvironment.Options(mapSizeBytes: 1 << 20))
      let table = try environment.createDatabase("table")
      try environment.write([7], 7, table)
      try LMDBProcessTests.limitAddressSpace(addingBytes: room)
      try Data().write(to: URL(fileURLWithPath: mark + "/open"))
      while !FileManager.default.fileExists(atPath: mark + "/grown") { usleep(1_000) }
      for _ in 0..<2 {
        if room > 64 << 20 {
          try #require(try environment.read(5, table)?.count == 32 << 20)
        } else {
          // The old map is still there and can be closed.
          #expect(throws: LMDBError(.mapResized, during: .setMapSize)) {
            try environment.read(5, table)
          }
        }
      }
      environment.close()
    }
  }

  @Test func `The files are private whatever the umask`() async throws {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      umask(0)
      let environment = try LMDBEnvironment.open(path)
      for name in ["data.mdb", "lock.mdb"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        try #require(attributes[.posixPermissions] as? Int == 0o600)
      }
      environment.close()
    }
  }

  @Test func `Two processes take turns at writing`() async throws {
    let environment = try LMDBEnvironment.open(directory.path)
    let table = try environment.createDatabase("table")
    let path = directory.path
    async let elsewhere: Void = Self.countElsewhere(path)
    for _ in 0..<100 { try Self.increment(environment, table) }
    await elsewhere
    #expect(try environment.read(1, table) == [200])
  }

  private static func countElsewhere(_ path: String) async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try LMDBEnvironment.open(path)
      let table = try #require(try environment.openDatabase("table"))
      for _ in 0..<100 { try LMDBProcessTests.increment(environment, table) }
    }
  }

  static func increment(
    _ environment: LMDBEnvironment, _ table: LMDBDatabase
  ) throws(LMDBError) {
    var write = try environment.beginWrite()
    let count = try write.bytes(1, table)?.first ?? 0
    try write.put([count + 1].span, for: 1, in: table)
    try write.commit()
  }

  @Test func `A child made by fork cannot use the environment`() async throws {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let environment = try LMDBEnvironment.open(path)
      let table = try environment.createDatabase("table")
      // Swift hides fork, so it is looked up by name.
      let symbol = try unsafe #require(unsafe dlsym(nil, "fork"))
      let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
      let child = fork()
      if child == 0 {
        do throws(LMDBError) {
          _ = try environment.read(1, table)
          _exit(1)
        } catch {
          environment.close()
          _exit(error.code == .forked ? 0 : 2)
        }
      }
      var status: Int32 = -1
      try #require(unsafe waitpid(child, &status, 0) == child)
      try #require(status == 0)
      try environment.write([1], 1, table)
    }
  }
}

/// Holds a read transaction over a suspension, which it may be: it belongs to no thread.
final class HeldRead {
  private let transaction: ReadTransaction

  init(_ transaction: consuming ReadTransaction) {
    self.transaction = transaction
  }

  func bytes(_ key: UInt64, _ table: LMDBDatabase) throws(LMDBError) -> [UInt8]? {
    try transaction.bytes(key, table)
  }
}
