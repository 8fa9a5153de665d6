import Foundation
import RetraceLMDB
import Testing
import ToolTestSupport

struct EnvironmentTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var data: String { directory.path + "/data.mdb" }
  private var lock: String { directory.path + "/lock.mdb" }

  @Test func `A second open of the same files in the process is refused`() throws {
    let first = try LMDBEnvironment.open(directory.path)
    #expect(throws: LMDBError(.alreadyOpen, during: .openEnvironment)) {
      try LMDBEnvironment.open(directory.path)
    }
    let link = directory.path + "-link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: directory.path)
    defer { try? FileManager.default.removeItem(atPath: link) }
    #expect(throws: LMDBError(.alreadyOpen, during: .openEnvironment)) {
      try LMDBEnvironment.open(link)
    }
    first.close()
    let second = try LMDBEnvironment.open(link)
    #expect(second.fileIdentity == first.fileIdentity)
  }

  @Test func `The end of an environment's life closes it`() throws {
    for _ in 0..<3 { _ = try LMDBEnvironment.open(directory.path) }
  }

  @Test func `If many threads open at once, one succeeds`() async throws {
    let path = directory.path
    let opened = await withTaskGroup(of: LMDBEnvironment?.self) { group in
      for _ in 0..<16 { group.addTask { try? LMDBEnvironment.open(path) } }
      return await group.reduce(into: [LMDBEnvironment]()) { $0 += $1.map { [$0] } ?? [] }
    }
    #expect(opened.count == 1)
  }

  @Test func `Closing waits for the transactions that are open and lets none begin`() throws {
    let environment = try LMDBEnvironment.open(directory.path)
    let table = try environment.createDatabase("table")
    try environment.write([1], 1, table)
    do {
      let read = try environment.beginRead()
      environment.close()
      environment.close()
      #expect(try read.bytes(1, table) == [1])
      #expect(throws: LMDBError(.closed, during: .beginWrite)) {
        try environment.write([2], 1, table)
      }
      #expect(throws: LMDBError(.closed, during: .beginRead)) { try environment.read(1, table) }
      #expect(throws: LMDBError(.alreadyOpen, during: .openEnvironment)) {
        try LMDBEnvironment.open(directory.path)
      }
    }
    #expect(throws: LMDBError(.closed, during: .environmentInformation)) { try environment.info() }
    _ = try LMDBEnvironment.open(directory.path)
  }

  @Test func `No option switches on a flag that trades safety for speed`() throws {
    // MDB_FIXEDMAP, NOSYNC, NOMETASYNC, WRITEMAP, MAPASYNC, NOLOCK, NOMEMINIT of lmdb.h.
    let forbidden: UInt32 =
      0x01 | 0x10000 | 0x40000 | 0x80000 | 0x10_0000 | 0x40_0000 | 0x100_0000
    _ = try LMDBEnvironment.open(directory.path)
    for isReadOnly in [false, true] {
      for readahead in [false, true] {
        let environment = try LMDBEnvironment.open(
          directory.path,
          options: LMDBEnvironment.Options(isReadOnly: isReadOnly, readahead: readahead))
        let flags = environment.openFlags
        #expect(flags & forbidden == 0)
        #expect(flags & 0x20_0000 != 0, "MDB_NOTLS")
        #expect((flags & 0x20000 != 0) == isReadOnly, "MDB_RDONLY")
        #expect((flags & 0x80_0000 != 0) == !readahead, "MDB_NORDAHEAD")
        environment.close()
      }
    }
  }

  @Test func `An environment that only reads refuses to write`() throws {
    do {
      let environment = try LMDBEnvironment.open(directory.path)
      try environment.write([1], 1, try environment.createDatabase("table"))
    }
    let environment = try LMDBEnvironment.open(
      directory.path, options: LMDBEnvironment.Options(isReadOnly: true))
    #expect(environment.isReadOnly)
    let table = try #require(try environment.openDatabase("table"))
    #expect(try environment.read(1, table) == [1])
    #expect(throws: LMDBError(.accessDenied, during: .beginWrite)) {
      try environment.write([2], 1, table)
    }
    #expect(throws: LMDBError(.accessDenied, during: .beginWrite)) {
      try environment.createDatabase("other")
    }
  }

  @Test func `Links, pipes and directories in place of a file are refused and left alone`() throws {
    let victim = directory.path + "-victim"
    try Data("precious".utf8).write(to: URL(filePath: victim))
    defer { try? FileManager.default.removeItem(atPath: victim) }
    for name in [data, lock] {
      try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: victim)
      #expect(throws: LMDBError(.notPlainFile, during: .inspectFiles)) {
        try LMDBEnvironment.open(directory.path)
      }
      #expect(unsafe Glibc.unlink(name) == 0)
      #expect(unsafe Glibc.link(victim, name) == 0)
      #expect(throws: LMDBError(.notPlainFile, during: .inspectFiles)) {
        try LMDBEnvironment.open(directory.path)
      }
      #expect(unsafe Glibc.unlink(name) == 0)
      #expect(unsafe Glibc.mkfifo(name, 0o600) == 0)
      #expect(throws: LMDBError(.notPlainFile, during: .inspectFiles)) {
        try LMDBEnvironment.open(directory.path)
      }
      #expect(unsafe Glibc.unlink(name) == 0)
      try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false)
      #expect(throws: LMDBError(.notPlainFile, during: .inspectFiles)) {
        try LMDBEnvironment.open(directory.path)
      }
      try FileManager.default.removeItem(atPath: name)
    }
    #expect(try Data(contentsOf: URL(filePath: victim)) == Data("precious".utf8))
  }

  @Test func `A second name of the data file is noticed as such`() throws {
    let environment = try LMDBEnvironment.open(directory.path)
    #expect(unsafe Glibc.link(data, data + ".second") == 0)
    #expect(throws: LMDBError(.notPlainFile, during: .inspectFiles)) {
      try environment.verifyFiles()
    }
    try FileManager.default.removeItem(atPath: data + ".second")
    try environment.verifyFiles()
    environment.close()
  }

  @Test func `Files that were removed or replaced are noticed`() throws {
    for (name, code) in [(data, LMDBError.Code.filesReplaced), (lock, .lockFileReplaced)] {
      let environment = try LMDBEnvironment.open(directory.path)
      try environment.verifyFiles()
      try FileManager.default.moveItem(atPath: name, toPath: name + ".old")
      #expect(throws: LMDBError(code, during: .inspectFiles)) {
        try environment.verifyFiles()
      }
      try Data().write(to: URL(filePath: name))
      #expect(throws: LMDBError(code, during: .inspectFiles)) {
        try environment.verifyFiles()
      }
      try FileManager.default.removeItem(atPath: name)
      try FileManager.default.moveItem(atPath: name + ".old", toPath: name)
      try environment.verifyFiles()
      environment.close()
    }
  }

  @Test func `No transaction begins whose number does not fit the newest commit`() async throws {
    let environment = try LMDBEnvironment.open(directory.path)
    let table = try environment.createDatabase("table")
    for key in 0..<5 { try environment.write([1], UInt64(key), table) }
    let newest = try environment.info().lastTransaction
    // LMDB's counter of transactions, as a process leaves it that is killed while it opens.
    await setCounter(0)
    #expect(throws: LMDBError(.lockFileStale, during: .beginRead)) {
      _ = try environment.beginRead()
    }
    #expect(throws: LMDBError(.lockFileStale, during: .beginWrite)) {
      _ = try environment.beginWrite()
    }
    await setCounter(UInt64(newest))
    try environment.write([2], 0, table)
    // A reader may begin before a writer has counted its commit.
    await setCounter(UInt64(newest))
    _ = try environment.beginRead()
    #expect(throws: LMDBError(.lockFileStale, during: .beginWrite)) {
      _ = try environment.beginWrite()
    }
    environment.close()
    let again = try LMDBEnvironment.open(directory.path)
    #expect(try again.info().lastTransaction == newest + 1)
    again.close()
  }

  /// Writes the counter in the lock file by another process: closing the file in this one would
  /// free its locks.
  private func setCounter(_ value: UInt64) async {
    await #expect(processExitsWith: .success) { [lock = lock as String, value = value as UInt64] in
      let file = try FileHandle(forUpdating: URL(filePath: lock))
      try file.seek(toOffset: 48)
      try file.write(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
      try file.close()
    }
  }

  @Test func `Statistics have sizes and counts`() throws {
    let environment = try LMDBEnvironment.open(
      directory.path, options: LMDBEnvironment.Options(mapSizeBytes: 1_000_001, maxReaders: 7))
    let table = try environment.createDatabase("table")
    let before = try environment.info()
    for key in 0..<100 { try environment.write([1], UInt64(key), table) }
    let after = try environment.info()
    #expect(after.mapSizeBytes == 245 * 4096)
    #expect(after.maxReaders == 7)
    #expect(after.lastTransaction == before.lastTransaction + 100)
    #expect(after.lastPage > 1)
    let write = try environment.beginWrite()
    #expect(try write.statistics(of: table).entries == 100)
  }

  @Test func `A database of another environment is refused`() throws {
    let other = try TemporaryDirectory()
    let environment = try LMDBEnvironment.open(directory.path)
    let foreign = try LMDBEnvironment.open(other.path)
    let table = try foreign.createDatabase("table")
    #expect(throws: LMDBError(.badDatabase, during: .get)) { try environment.read(1, table) }
    #expect(throws: LMDBError(.badDatabase, during: .put)) {
      try environment.write([1], 1, table)
    }
    #expect(throws: LMDBError(.badDatabase, during: .openCursor)) {
      try environment.contents(table)
    }
  }

  @Test func `A database of an earlier opening is refused`() throws {
    let before = try LMDBEnvironment.open(directory.path)
    _ = try before.createDatabase("other")
    let table = try before.createDatabase("table")
    before.close()
    let environment = try LMDBEnvironment.open(directory.path)
    // The first that is opened has the number that the other one had.
    _ = try environment.openDatabase("table")
    #expect(throws: LMDBError(.badDatabase, during: .get)) { try environment.read(1, table) }
    environment.close()
  }
}
