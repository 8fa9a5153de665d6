import Foundation
import RetraceLMDB
import Testing
import ToolTestSupport

struct ErrorTests {
  /// The codes with their numbers and the beginnings of their meanings.
  static let codes: [(LMDBError.Code, Int32, String)] = [
    (.keyExists, -30799, "MDB_KEYEXIST"), (.notFound, -30798, "MDB_NOTFOUND"),
    (.pageNotFound, -30797, "MDB_PAGE_NOTFOUND"), (.corrupted, -30796, "MDB_CORRUPTED"),
    (.panic, -30795, "MDB_PANIC"), (.versionMismatch, -30794, "MDB_VERSION_MISMATCH"),
    (.invalid, -30793, "MDB_INVALID"), (.mapFull, -30792, "MDB_MAP_FULL"),
    (.databasesFull, -30791, "MDB_DBS_FULL"), (.readersFull, -30790, "MDB_READERS_FULL"),
    (.transactionFull, -30788, "MDB_TXN_FULL"),
    (.cursorFull, -30787, "MDB_CURSOR_FULL"), (.pageFull, -30786, "MDB_PAGE_FULL"),
    (.mapResized, -30785, "MDB_MAP_RESIZED"), (.incompatible, -30784, "MDB_INCOMPATIBLE"),
    (.badTransaction, -30782, "MDB_BAD_TXN"),
    (.badValueSize, -30781, "MDB_BAD_VALSIZE"), (.badDatabase, -30780, "MDB_BAD_DBI"),
    (.notPermitted, 1, "Operation not permitted"), (.noSuchFile, 2, "No such file"),
    (.interrupted, 4, "Interrupted"), (.inputOutput, 5, "Input/output error"),
    (.tryAgain, 11, "Resource temporarily unavailable"), (.outOfMemory, 12, "Cannot allocate"),
    (.accessDenied, 13, "Permission denied"), (.busy, 16, "Device or resource busy"),
    (.notADirectory, 20, "Not a directory"), (.isADirectory, 21, "Is a directory"),
    (.invalidArgument, 22, "Invalid argument"), (.tooManyOpenFiles, 24, "Too many open files"),
    (.fileTooLarge, 27, "File too large"), (.noSpace, 28, "No space left on device"),
    (.readOnlyFileSystem, 30, "Read-only file system"),
    (.notSupported, 95, "Operation not supported"), (.quotaExceeded, 122, "Disk quota exceeded"),
    (.alreadyOpen, -40001, "this process has the environment open already"),
    (.forked, -40002, "the environment was opened before a fork"),
    (.wrongThread, -40003, "the write transaction belongs to another thread"),
    (.closed, -40004, "the environment is closed"),
    (.nestedWrite, -40005, "this thread has a write transaction"),
    (.notPlainFile, -40006, "a data or lock file is not a regular file"),
    (.filesReplaced, -40007, "the data file was replaced"),
    (.lockFileReplaced, -40008, "the lock file was replaced"),
    (.openingStalled, -40009, "another process is opening"),
    (.lockFileStale, -40010, "the transaction counters"),
    (.otherLibrary, -40011, "the library has another version"),
  ]

  @Test func `Every code has its number and a meaning`() {
    for (code, number, meaning) in Self.codes {
      #expect(code.rawValue == number)
      #expect(code.description.hasPrefix(meaning), "\(code)")
    }
    #expect(Set(Self.codes.map(\.0)).count == Self.codes.count)
  }

  @Test func `Every code of LMDB has the library's text`() {
    for number in Int32(-30799)...(-30780) {
      #expect(LMDBError.Code(rawValue: number).description.hasPrefix("MDB_"), "\(number)")
    }
  }

  @Test func `A code without a name is still a value`() {
    let code = LMDBError.Code(rawValue: 4711)
    #expect(code.description == "Unknown error 4711")
    #expect(code == LMDBError.Code(rawValue: 4711))
  }

  @Test func `An error names the call and the code`() {
    let error = LMDBError(.mapFull, during: .put)
    #expect(error.description == "LMDB put: MDB_MAP_FULL: Environment mapsize limit reached")
    #expect(error.code == .mapFull)
  }

  @Test func `A missing directory is named`() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: LMDBError(.noSuchFile, during: .openEnvironment)) {
      try LMDBEnvironment.open(directory.path + "/none")
    }
  }

  @Test func `A file that is not one of LMDB is reported as such`() throws {
    let directory = try TemporaryDirectory()
    try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: directory.path + "/data.mdb"))
    #expect(throws: LMDBError(.invalid, during: .openEnvironment)) {
      try LMDBEnvironment.open(directory.path)
    }
  }

  @Test func `A file of another version is named`() throws {
    let directory = try TemporaryDirectory()
    do {
      let environment = try LMDBEnvironment.open(directory.path)
      _ = try environment.createDatabase("table")
      environment.close()
    }
    let url = URL(filePath: directory.path + "/data.mdb")
    var data = try Data(contentsOf: url)
    // The version follows the page header of 16 bytes and the magic number of 4, on both metas.
    for page in 0...1 { data[page * 4096 + 20] = 2 }
    try data.write(to: url)
    #expect(throws: LMDBError(.versionMismatch, during: .openEnvironment)) {
      try LMDBEnvironment.open(directory.path)
    }
  }

  @Test func `Keys have 1 to 511 bytes`() throws {
    let directory = try TemporaryDirectory()
    let environment = try LMDBEnvironment.open(directory.path)
    let table = try environment.createDatabase("table")
    let value: [UInt8] = [1]
    for count in [0, 512] {
      let key = [UInt8](repeating: 1, count: count)
      var write = try environment.beginWrite()
      do throws(LMDBError) {
        try write.put(value.span, for: key.span, in: table)
        Issue.record("a key of \(count) bytes was taken")
      } catch {
        #expect(error == LMDBError(.badValueSize, during: .put))
      }
    }
    let key = [UInt8](repeating: 1, count: 511)
    var write = try environment.beginWrite()
    try write.put(value.span, for: key.span, in: table)
    try write.commit()
    #expect(try environment.contents(table) == [key: value])
  }

  @Test func `A full map is named, and what was committed stays`() throws {
    let directory = try TemporaryDirectory()
    let environment = try LMDBEnvironment.open(
      directory.path, options: LMDBEnvironment.Options(mapSizeBytes: 256 << 10))
    let table = try environment.createDatabase("table")
    let value = [UInt8](repeating: 7, count: 8000)
    var committed: UInt64 = 0
    var failure: LMDBError?
    while failure == nil {
      do throws(LMDBError) {
        try environment.write(value, committed, table)
        committed += 1
      } catch { failure = error }
    }
    #expect(failure?.code == .mapFull)
    #expect(committed > 10)
    #expect(try environment.contents(table).count == Int(committed))
    var write = try environment.beginWrite()
    let deleted = try write.delete(0, in: table)
    try write.commit()
    #expect(deleted)
  }

  @Test func `After a failed change a transaction can only be given up`() throws {
    let directory = try TemporaryDirectory()
    let environment = try LMDBEnvironment.open(
      directory.path, options: LMDBEnvironment.Options(mapSizeBytes: 256 << 10))
    let table = try environment.createDatabase("table")
    let value = [UInt8](repeating: 7, count: 300 << 10)
    var write = try environment.beginWrite()
    do throws(LMDBError) {
      try write.put(value.span, for: 1, in: table)
      Issue.record("the value does not fit")
    } catch { #expect(error.code == .mapFull) }
    do throws(LMDBError) {
      try write.commit()
      Issue.record("committed")
    } catch { #expect(error == LMDBError(.badTransaction, during: .commit)) }
    try environment.write([1], 1, table)
    #expect(try environment.read(1, table) == [1])
  }

  @Test func `Too many databases and too many readers are named`() throws {
    let directory = try TemporaryDirectory()
    let environment = try LMDBEnvironment.open(
      directory.path, options: LMDBEnvironment.Options(maxDatabases: 1, maxReaders: 2))
    let table = try environment.createDatabase("one")
    #expect(throws: LMDBError(.databasesFull, during: .openDatabase)) {
      try environment.createDatabase("two")
    }
    let first = try environment.beginRead()
    let second = try environment.beginRead()
    do throws(LMDBError) {
      _ = try environment.beginRead()
      Issue.record("a third reader began")
    } catch { #expect(error == LMDBError(.readersFull, during: .beginRead)) }
    // Both read transactions have to live up to here.
    _ = try first.bytes(1, table)
    _ = try second.bytes(1, table)
  }
}
