import LMDBFile
import RetraceArchitecture
import RetraceLog
import RetraceState
@testable import RetraceStorage
import RetraceSystem
import Synchronization
import Testing
import ToolTestSupport

@Suite struct UncleanShutdownTests {
  /// Makes a store of some blocks, closes it, and returns its path.
  private func makeStore(in directory: String) throws -> String {
    let path = directory + "/store"
    let storage = try LogStorage.open(at: path, access: .create)
    for round in 0..<12 {
      try storage.write(
        (0..<30).map { Note(text: [UInt8](repeating: UInt8($0), count: 200), moment: Int64(round)) }
      )
    }
    storage.close()
    return path
  }

  /// Leaves what a process leaves that ended while it had a store open.
  private func leaveMark(in path: String, _ name: String = "open.1f") throws {
    let file = try OpenFile.open(path + "/" + name, [.write, .create, .exclusive])
    var bytes = Array("RTOPEN1\n".utf8) + [7, 0, 0, 0, 1]
    bytes += [UInt8](repeating: 0, count: 64 - bytes.count)
    try file.write(bytes.span, at: 0)
  }

  /// The marks that are not free.
  private func marks(in path: String) throws -> [String] {
    try FileSystem.list(path).filter { name in
      try name.hasPrefix("open.")
        && !FileSystem.readWhole(path + "/" + name, limitBytes: 64).starts(with: Self.free)
    }
  }
  private static let free = Array("RTFREE1\n".utf8)

  private func markFiles(in path: String) throws -> [String] {
    try FileSystem.list(path).filter { $0.hasPrefix("open.") }
  }

  @Test func `an open takes the mark that a clean close freed, and removes spare ones`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let first = try markFiles(in: path)
      #expect(first.count == 1)
      let storage = try LogStorage.open(at: path, access: .write)
      #expect(try markFiles(in: path) == first && marks(in: path) == first)
      storage.close()
      for name in ["open.1", "open.2"] {
        try leaveMark(in: path, name)
        try OpenFile.open(path + "/" + name, [.write]).write(Self.free.span, at: 0)
      }
      #expect(try StoreCondition.inspect(path).isClean)
      let again = try LogStorage.open(at: path, access: .read)
      #expect(again.openingReport.wasClean)
      #expect(try markFiles(in: path).count == 1 && marks(in: path).count == 1)
      again.close()
    }
  }

  @Test func `a store that is closed and opened again meanwhile has no unclean shutdown`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let isDone = Atomic(false)
      let opening = WorkerThread(name: "opens")
      opening.submit {
        for _ in 0..<300 { try? LogStorage.open(at: path, access: .read).close() }
        isDone.store(true, ordering: .releasing)
      }
      while !isDone.load(ordering: .acquiring) {
        #expect(try OpenMark.uncleanShutdowns(in: StorePath(path)).isEmpty)
      }
      opening.stop()
    }
  }

  @Test func `a free mark that another open has locked is not taken`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let name = try #require(try markFiles(in: path).first)
      let closing = try ByteRangeLock.openExisting(path + "/" + name)
      #expect(try closing.tryExclusive(at: 0))
      let storage = try LogStorage.open(at: path, access: .write)
      #expect(storage.openingReport.wasClean)
      #expect(try markFiles(in: path).count == 2 && !marks(in: path).contains(name))
      storage.close()
      try closing.release(at: 0)
    }
  }

  @Test func `a store that is open has a mark in use, one that was closed has none`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      #expect(try marks(in: path).isEmpty)
      for access in [LogStorage.Access.read, .write] {
        let storage = try LogStorage.open(at: path, access: access)
        #expect(storage.openingReport.wasClean && storage.openingReport.structure == nil)
        #expect(try marks(in: path).count == 1)
        #expect(try StoreCondition.inspect(path).isClean)
        storage.close()
        #expect(try marks(in: path).isEmpty)
      }
    }
  }

  @Test func `after a process that ended the pages are checked, once`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      try leaveMark(in: path)
      #expect(try StoreCondition.inspect(path).uncleanShutdowns.map(\.process) == [7])
      try leaveMark(in: path, "open.2")
      let storage = try LogStorage.open(at: path, access: .read)
      let ends = storage.openingReport.uncleanShutdowns
      #expect(ends.count == 2)
      #expect(ends.allSatisfy { $0.wasWriting && $0.phase == .using && $0.process == 7 })
      #expect(try #require(storage.openingReport.structure).treePages > 2)
      #expect(try marks(in: path).count == 1)
      storage.close()
      let again = try LogStorage.open(at: path, access: .write)
      #expect(again.openingReport.wasClean)
      again.close()
    }
  }

  @Test func `a store that is dropped without closing it was not closed in order`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      do {
        let storage = try LogStorage.open(at: path, access: .write)
        #expect(storage.openingReport.wasClean)
      }
      #expect(try marks(in: path).count == 1)
      let again = try LogStorage.open(at: path, access: .write)
      defer { again.close() }
      #expect(again.openingReport.uncleanShutdowns.map(\.wasWriting) == [true])
      #expect(again.openingReport.structure != nil)
    }
  }

  @Test func `an empty or torn mark was left by a process that was killed while it opened`() throws
  {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      _ = try OpenFile.open(path + "/open.3", [.write, .create])
      let storage = try LogStorage.open(at: path, access: .read)
      #expect(storage.openingReport.uncleanShutdowns.map(\.name) == ["open.3"])
      storage.close()
      #expect(try marks(in: path).isEmpty)
      let torn = try OpenFile.open(path + "/open.3", [.write, .create])
      try torn.write([1, 2, 3].span, at: 0)
      let next = try LogStorage.open(at: path, access: .read)
      #expect(next.openingReport.uncleanShutdowns.map(\.process) == [nil])
      next.close()
      #expect(try marks(in: path).isEmpty)
    }
  }

  @Test func `an empty mark is left alone while its process may be about to lock it`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let other = try OpeningLock(StorePath(path), timeoutMilliseconds: 0)
      try other.enter()
      _ = try OpenFile.open(path + "/open.3", [.write, .create])
      let error = storeError { () throws(StoreError) in
        try LogStorage.open(
          at: path, access: .read, faults: nil, openingTimeoutMilliseconds: 20
        ).close()
      }
      #expect(error?.code == .inUse(pids: []))
      #expect(try OpenMark.uncleanShutdowns(in: StorePath(path)).isEmpty)
      other.leave()
      #expect(try marks(in: path) == ["open.3"])
    }
  }

  @Test func `a page that does not fit is named with the first record it concerns`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let storage = try LogStorage.open(at: path, access: .read)
      // The block in the middle of the log and where its first page lies.
      var keys: [UInt64] = []
      try storage.withReadView { view throws(StoreError) in
        try view.scanBlocks(from: 1) { key, _ throws(StoreError) in
          keys.append(key)
          return true
        }
      }
      storage.close()
      let middle = keys[keys.count / 2]
      let data = path + "/data.mdb"
      let bytes = try FileSystem.readWhole(data, limitBytes: 1 << 24)
      // Behind the header of a page of LMDB the block has its own, with its first sequence.
      let page = try #require(
        stride(from: 8192, to: bytes.count, by: 4096).first { start in
          bytes[start + 10] == 4
            && bytes[start + 40..<start + 48].enumerated().allSatisfy {
              $0.element == UInt8(truncatingIfNeeded: middle >> UInt64(8 * $0.offset))
            }
        })
      try overwrite(data, at: page + 10, with: [5])
      // In order: the page is not looked at.
      let closed = try LogStorage.open(at: path, access: .read)
      #expect(closed.openingReport.wasClean)
      closed.close()
      try leaveMark(in: path)
      for access in [LogStorage.Access.read, .write, .create] {
        let error = storeError { () throws(StoreError) in
          try LogStorage.open(at: path, access: access)
        }
        #expect(error?.code == .damaged(sequence: middle))
        #expect(error?.why.contains("Page \(page / 4096)") == true)
      }
      let condition = try StoreCondition.inspect(path)
      #expect(condition.failure?.code == .damaged(sequence: middle))
      #expect(condition.structure == nil && condition.head == nil)
      #expect(try marks(in: path) == ["open.1f"])
      try overwrite(data, at: page + 10, with: [4])
      try LogStorage.open(at: path, access: .write).close()
      #expect(try marks(in: path).isEmpty)
    }
  }

  @Test func `a data file that is cut off while it is open is an error, not the end`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let storage = try LogStorage.open(at: path, access: .write)
      let known = try storage.notes()
      let bytes = try FileSystem.readWhole(path + "/data.mdb", limitBytes: 1 << 24)
      let file = try OpenFile.open(path + "/data.mdb", [.read, .write])
      try file.truncate(to: bytes.count / 2)
      for _ in 0..<2 {
        let read = storeError { () throws(StoreError) in try storage.notes() }
        guard case .damaged(let sequence) = read?.code else {
          Issue.record("\(String(describing: read))")
          continue
        }
        #expect((1...361).contains(sequence))
        let written = storeError { () throws(StoreError) in
          try storage.write([Note(text: [1], moment: 1)])
        }
        #expect(written?.code == read?.code)
      }
      try file.write(bytes.span, at: 0)
      #expect(try storage.notes() == known)
      try storage.write([Note(text: [1], moment: 1)])
      #expect(try storage.notes().count == known.count + 1)
      storage.close()
    }
  }

  @Test func `an open after a clean end looks at as much of a large store as of a small one`()
    throws
  {
    try withDirectory { directory in
      let small = try makeStore(in: directory + "/small")
      let large = try makeStore(in: directory + "/large")
      let storage = try LogStorage.open(at: large, access: .write)
      for round in 0..<100 {
        try storage.write(
          (0..<200).map { Note(text: [UInt8](repeating: 1, count: $0), moment: Int64(round)) })
      }
      storage.close()
      #expect(
        try FileSystem.info(large + "/data.mdb").sizeBytes
          > 3 * FileSystem.info(small + "/data.mdb").sizeBytes)
      let calls = try [small, large].map { path in
        let plan = SystemFaultPlan(under: path)
        try plan.whileInstalled { try LogStorage.open(at: path, access: .write).close() }
        return plan.callCount()
      }
      #expect(calls[0] == calls[1] && calls[0] < 66, "\(calls)")
    }
  }

  @Test func `an open looks at as much of a store of many keys as of one of few`() throws {
    try withDirectory { directory in
      let paths = try [10, 20_000].map { count in
        let path = directory + "/\(count)"
        let storage = try LogStorage.open(at: path, access: .create)
        try storage.write([Note(text: [1], moment: 1)])
        try storage.append { appender throws(StoreError) in
          for number in 0..<count {
            let batch = KeyedBatch(
              sequences: UInt64(number) + 1..<UInt64(number) + 2,
              digest: [UInt8](repeating: 1, count: 16))
            try appender.note(key: Array("key \(number)".utf8), of: batch, keeping: .max)
          }
          try appender.append(
            Envelope(session: 1, moment: Moment(microseconds: 1), schema: 1, startsBatch: true),
            payload: [2].span)
        }
        storage.close()
        return path
      }
      let calls = try paths.map { path in
        let plan = SystemFaultPlan(under: path)
        try plan.whileInstalled { try LogStorage.open(at: path, access: .read).close() }
        return plan.callCount()
      }
      #expect(calls[0] == calls[1] && calls[0] < 66, "\(calls)")
      let storage = try LogStorage.open(at: paths[1], access: .read)
      #expect(try storage.batch(ofKey: "key 19999") != nil)
      storage.close()
    }
  }

  @Test(arguments: [UInt64.max, 1 << 62, 0])
  func `an impossible sequence in a mark is ignored`(sequence: UInt64) throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      try leaveMark(in: path)
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: sequence >> UInt64(8 * $0)) }
      try overwrite(path + "/open.1f", at: 56, with: bytes)
      #expect(try StoreCondition.inspect(path).uncleanShutdowns.map(\.sequence) == [0])
    }
  }

  @Test func `the condition of a store tells its files, its end and what lies beside it`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let condition = try StoreCondition.inspect(path + "/")
      #expect(condition.path == path && condition.isClean && condition.failure == nil)
      let names =
        try ["FORMAT", "anchor", "data.mdb", "lock.mdb"] + markFiles(in: path) + ["owner.lock"]
      #expect(condition.files.map(\.name) == names)
      #expect(condition.head == condition.anchor && condition.head?.sequence == 361)
      #expect(condition.structure?.unusedPages == 0)
      #expect(condition.holders.isEmpty && condition.orphanedDrafts.isEmpty)
      #expect(condition.storeID != nil && condition.freeBytes ?? 0 > 0)
      let missing = storeError { () throws(StoreError) in
        try StoreCondition.inspect(directory + "/none")
      }
      #expect(missing?.code == .storeMissing(.directory))
    }
  }

  @Test func `the draft of a killed creation is removed by the next, unless a process holds it`()
    throws
  {
    try withDirectory { directory in
      let left = try FileSystem.makeTemporaryDirectory(".retrace-", in: directory)
      let used = try FileSystem.makeTemporaryDirectory(".retrace-", in: directory)
      let other = try FileSystem.makeTemporaryDirectory(".retrace-", in: directory)
      let young = try FileSystem.makeTemporaryDirectory(".retrace-", in: directory)
      for draft in [left, used, other] {
        _ = try OpenFile.open(draft + "/owner.lock", [.write, .create])
        _ = try OpenFile.open(draft + "/FORMAT", [.write, .create])
      }
      _ = try OpenFile.open(other + "/letter", [.write, .create])
      let lock = try ByteRangeLock.openExisting(used + "/owner.lock")
      #expect(try lock.tryExclusive(at: (1 << 62) + 2))
      let path = try makeStore(in: directory + "/a")
      try LogStorage.open(at: directory + "/new", access: .create).close()
      for gone in [left, young] { #expect(try !FileSystem.exists(gone)) }
      for kept in [used, other] { #expect(try FileSystem.exists(kept)) }
      #expect(try FileSystem.exists(path))
    }
  }

  @Test func `network and FUSE file systems are recognized by the table of mounts`() {
    let table = """
      22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
      41 22 0:36 / /home rw,relatime shared:1 - nfs4 server:/home rw,vers=4.2
      42 22 0:37 / /mnt rw - fuse.sshfs me@host: rw
      43 22 0:38 / /tmp rw - tmpfs tmpfs rw
      """
    #expect(FileSystem.fileSystemType(of: 36, in: table) == "nfs4")
    #expect(FileSystem.fileSystemType(of: 37, in: table) == "fuse.sshfs")
    #expect(FileSystem.fileSystemType(of: 38, in: table) == "tmpfs")
    #expect(FileSystem.fileSystemType(of: 0x801, in: table) == "ext4")
    #expect(FileSystem.fileSystemType(of: 39, in: table) == nil)
    #expect(LogStorage.isRemote("nfs4") && LogStorage.isRemote("fuse.sshfs"))
    #expect(!LogStorage.isRemote("tmpfs") && !LogStorage.isRemote("fuseblk"))
  }

  @Test(.enabled(if: ThisProcess.userIdentifier == 0))
  func `a directory of another user is refused`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let changed = try ChildProcess.run("/usr/bin/chown", ["65534", path])
      #expect(changed.exit == .exited(0))
      let error = storeError { () throws(StoreError) in
        try LogStorage.open(at: path, access: .read)
      }
      #expect(error?.code == .permissionDenied)
      #expect(error?.why.contains("65534") == true)
    }
  }
}
