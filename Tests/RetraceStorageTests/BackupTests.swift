import RetraceLMDB
import RetraceLog
import RetraceSystem
import RetraceStorage
import RetraceTesting
import Testing

@Suite struct BackupTests {
  @Test func `a copy opens, verifies, and goes on as the original would`() throws {
    try withSeed("Backup") { random in
      try withDirectory { directory in
        let storage = try LogStorage.open(at: directory + "/store", access: .create)
        for _ in 0..<repetitions(200) { try storage.write(randomNotes(30, using: &random)) }
        let notes = try storage.notes()
        let backup = try storage.backup(to: directory + "/copy")
        #expect(backup.head == (try storage.head()))
        #expect(backup.path == directory + "/copy")
        // The original goes on; the copy stays.
        try storage.write(randomNotes(30, using: &random))
        let copy = try LogStorage.open(at: directory + "/copy", access: .write)
        #expect(try copy.notes() == notes)
        #expect(try copy.report().damage == nil)
        #expect(copy.storeID == storage.storeID)
        let own = randomNotes(3, using: &random)
        try copy.write(own)
        #expect(try copy.notes() == notes + own)
        copy.close()
        storage.close()
        let info = try FileSystem.info(directory + "/copy/data.mdb")
        #expect(info.mode == 0o600)
        #expect(try FileSystem.info(directory + "/copy").mode == 0o700)
        #expect(try FileSystem.list(directory) == ["copy", "store"])
      }
    }
  }

  @Test func `an empty store and a reader can be copied, over a slash at the end`() throws {
    try withDirectory { directory in
      try LogStorage.open(at: directory + "/store", access: .create).close()
      let reader = try LogStorage.open(at: directory + "/store", access: .read)
      let backup = try reader.backup(to: directory + "/copy/")
      #expect(backup.head == .empty && backup.path == directory + "/copy")
      reader.close()
      let copy = try LogStorage.open(at: directory + "/copy", access: .write)
      #expect(try copy.head() == .empty)
      copy.close()
    }
  }

  @Test func `an existing destination is not touched, even if it is empty`() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      try FileSystem.makeDirectory(directory + "/empty")
      try OpenFile.open(directory + "/file", [.write, .create]).write([1].span, at: 0)
      for name in ["empty", "file", "store"] {
        let error = storeError { () throws(StoreError) in
          try storage.backup(to: "\(directory)/\(name)")
        }
        #expect(error?.code == .destinationExists)
      }
      let error = storeError { () throws(StoreError) in
        try storage.backup(to: directory + "/none/copy")
      }
      #expect(error?.code == .storageFailed)
      #expect(try FileSystem.list(directory) == ["empty", "file", "store"])
      #expect(try FileSystem.list(directory + "/empty").isEmpty)
    }
  }

  @Test func `whichever call of LMDB fails, no name is left`() throws {
    try withDirectory { directory in
      let made = try LogStorage.open(at: directory + "/store", access: .create)
      try made.write([Note(text: [1, 2, 3], moment: 1)])
      made.close()
      var failures = 0
      for call in 1..<100 {
        let plan = LMDBFaultPlan()
        let storage = try LogStorage.open(at: directory + "/store", access: .read, faults: plan)
        plan.fail(.noSpace, atCall: call)
        let error = storeError { () throws(StoreError) in
          try storage.backup(to: directory + "/copy")
        }
        storage.close()
        guard let error else { break }
        failures += 1
        #expect(error.code == .diskFull || error.code == .storageFailed, "call \(call): \(error)")
        #expect(try FileSystem.list(directory) == ["store"], "call \(call)")
      }
      #expect(failures >= 3)
      #expect(try FileSystem.list(directory) == ["copy", "store"])
    }
  }

  @Test func `copies made while a writer commits hold whole batches of its log`() throws {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-storage-")
    defer { try? FileSystem.removeTree(directory) }
    let storage = try LogStorage.open(at: directory + "/store", access: .create)
    defer { storage.close() }
    let notes = (0..<50).map { Note(text: [UInt8](repeating: 7, count: 90), moment: $0) }
    try storage.write(notes)
    let rounds = repetitions(2_000)
    let writing = WorkerThread(name: "writes")
    let failure = Lock<(any Error)?>(nil)
    writing.submit {
      do {
        for _ in 0..<rounds { try storage.write(notes) }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    var sequences: [UInt64] = []
    while failure.withLock({ $0 == nil }), sequences.last != UInt64(rounds + 1) * 50 + 1 {
      let backup = try storage.backup(to: "\(directory)/copy\(sequences.count)")
      sequences.append(backup.head.sequence)
      try FileSystem.removeTree(backup.path)
    }
    writing.perform {}
    if let failure = failure.withLock({ $0 }) { throw failure }
    #expect(sequences.allSatisfy { ($0 - 1) % 50 == 0 })
    #expect(sequences == sequences.sorted())
    #expect(Set(sequences).count > 2)
  }
}
