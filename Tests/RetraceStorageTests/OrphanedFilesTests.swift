import RetraceLog
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Synchronization
import Testing

/// What processes leave that end while they make something, and names that they must not share.
@Suite struct OrphanedFilesTests {
  private func makeStore(in directory: String) throws -> String {
    let storage = try LogStorage.open(at: directory + "/store", access: .create)
    try storage.write([Note(text: [1], moment: 1)])
    storage.close()
    return directory + "/store"
  }

  /// Leaves a directory with files in it, as a backup that is cut off does.
  private func leave(_ files: [String], in directory: String) throws -> String {
    let path = try FileSystem.makeTemporaryDirectory(".retrace-backup-", in: directory)
    for file in files { _ = try OpenFile.open("\(path)/\(file)", [.write, .create]) }
    return path
  }

  @Test func `interrupted backups are listed, backups in progress and other directories are not`()
    throws
  {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let files = ["owner.lock", "FORMAT", "data.mdb", "lock.mdb", "anchor", "open.1f"]
      let left = try leave(files, in: directory)
      let begun = try leave(["owner.lock"], in: directory)
      let going = try leave(files, in: directory)
      _ = try leave(files + ["letter"], in: directory)
      let lock = try ByteRangeLock.openExisting(going + "/owner.lock")
      #expect(try lock.tryExclusive(at: (1 << 62) + 2))
      let condition = try StoreCondition.inspect(path)
      #expect(condition.orphanedBackups == [left, begun].sorted())
      #expect(condition.orphanedDrafts.isEmpty && condition.failure == nil)
      // They are reported, and nothing is removed.
      try LogStorage.open(at: directory + "/new", access: .create).close()
      #expect(try FileSystem.exists(left))
    }
  }

  @Test func `a copy that is being made is not taken for one that was left behind`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      let beside = try makeStore(in: directory + "/copies")
      let storage = try LogStorage.open(at: path, access: .read)
      let copying = WorkerThread(name: "copies")
      var met = 0
      for number in 0..<10_000 where met < repetitions(1_000, few: 20) {
        let isDone = Atomic(false)
        copying.submit {
          _ = try? storage.backup(to: "\(directory)/copies/copy\(number)")
          isDone.store(true, ordering: .releasing)
        }
        while !isDone.load(ordering: .acquiring) {
          let condition = try StoreCondition.inspect(beside)
          #expect(condition.orphanedBackups.isEmpty)
          let names = try FileSystem.list(directory + "/copies")
          if names.contains(where: { $0.hasPrefix(".retrace-backup-") }) { met += 1 }
        }
      }
      #expect(met > 0)
      copying.stop()
      storage.close()
    }
  }

  @Test func `a close overwrites the noted end of the log, whatever the file holds`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory)
      var sequence: UInt64 = 2
      for content in [[7], [UInt8](repeating: 7, count: 500), []] {
        try FileSystem.replace(path + "/anchor", with: content.span)
        let storage = try LogStorage.open(at: path, access: .write)
        try storage.write([Note(text: [2], moment: 2)])
        storage.close()
        sequence += 1
        let condition = try StoreCondition.inspect(path)
        #expect(condition.anchor?.sequence == sequence && condition.anchor == condition.head)
      }
      // A crash leaves its mark, which the next open removes. The mark of that open stays free.
      let names = try FileSystem.list(path)
      try OpenFile.open("\(path)/open.1f", [.write, .create]).write([7].span, at: 0)
      try LogStorage.open(at: path, access: .read).close()
      #expect(try FileSystem.list(path) == names)
      let others = names.filter { !$0.hasPrefix("open.") }
      #expect(others == ["FORMAT", "anchor", "data.mdb", "lock.mdb", "owner.lock"])
      #expect(names.count == others.count + 1)
    }
  }
}
