import RetraceLMDB
import RetraceLog
import RetraceSystem
import RetraceStorage
import Testing
import ToolTestSupport

@Suite("The table of faults")
struct FaultTableTests {
  private let group = (0..<300).map {
    Note(text: [UInt8](repeating: UInt8($0 % 7), count: 90), moment: $0)
  }

  /// Causes a fault in the store of a directory, and returns the error.
  typealias Maker = (String) throws -> StoreError?

  /// A fault that opening the store notices.
  private func opening(_ change: @escaping (String) throws -> Void = { _ in }) -> Maker {
    { path in
      try change(path)
      return storeError { () throws(StoreError) in
        try LogStorage.open(at: path, access: .write).close()
      }
    }
  }

  private var faults: [(name: String, make: Maker)] {
    [
      ("no store", opening { try FileSystem.removeTree($0) }),
      ("data file missing", opening { try FileSystem.unlink($0 + "/data.mdb") }),
      ("data file empty", opening { try cut($0 + "/data.mdb", to: 0) }),
      ("data file cut off", opening { try cut($0 + "/data.mdb", to: 9000) }),
      ("flipped byte in a block", opening { try flipLastBlock($0) }),
      ("wrong version", opening { try overwrite($0 + "/FORMAT", at: 21, with: [0x39]) }),
      ("another kind of directory", opening { try FileSystem.unlink($0 + "/FORMAT") }),
      ("directory others can write", opening { try FileSystem.setMode($0, 0o777) }),
      ("second name of the data file", opening { try secondName($0 + "/data.mdb") }),
      ("writer that does not share", secondWriter),
      ("second open in the process", secondOpen),
      ("write to a store opened for reading", writeToReader),
      ("files replaced", replaceFiles),
      ("a call fails before the commit", { try fail(.inputOutput, .put, of: $0) }),
      ("the commit fails", { try fail(.inputOutput, .commit, of: $0) }),
      ("the disk is full", { try fail(.noSpace, .commit, of: $0) }),
      ("the map is full", { try fail(.mapFull, .commit, of: $0) }),
      ("a record too large", writeLarge),
    ]
  }

  @Test("Each fault, made for real, has an error of its own")
  func table() throws {
    try withDirectory { directory in
      var seen: [String: String] = [:]
      for fault in faults {
        let path = directory + "/store.\(seen.count)"
        let storage = try LogStorage.open(at: path, access: .create)
        try storage.write(group)
        storage.close()
        let error = try #require(try fault.make(path), "\(fault.name)")
        print("\(fault.name) -> \(error.code.name)")
        let key = error.code.name + ": " + error.why
        #expect(seen[key] == nil, "\(fault.name) looks like \(seen[key] ?? "")")
        seen[key] = fault.name
        #expect(!error.what.isEmpty && !error.advice.isEmpty)
      }
      #expect(seen.count == faults.count)
    }
  }
}

/// Cuts a file.
private func cut(_ path: String, to size: Int) throws {
  try OpenFile.open(path, .write).truncate(to: size)
}

/// Changes a byte of the records of the last block.
private func flipLastBlock(_ store: String) throws {
  let path = store + "/data.mdb"
  let data = try FileSystem.readWhole(path, limitBytes: 1 << 24)
  // The last record of the group is 90 bytes of the value 299 % 7.
  let marker = [UInt8](repeating: UInt8(299 % 7), count: 90)
  for at in data.indices.dropLast(90) where data[at] == marker[0] {
    if data[at..<at + 90].elementsEqual(marker) { try overwrite(path, at: at + 40, with: [0xee]) }
  }
}

/// Gives a file a second name.
private func secondName(_ path: String) throws {
  let exit = try ChildProcess.run("/bin/ln", [path, path + ".again"]).exit
  #expect(exit == .exited(0))
}

/// The error of a writer beside one that does not share, whose lock is taken as that would.
private func secondWriter(_ store: String) throws -> StoreError? {
  let other = try ByteRangeLock.open(store + "/owner.lock")
  #expect(try other.tryExclusive(at: 1 << 62))
  return storeError { () throws(StoreError) in
    try LogStorage.open(at: store, access: .write).close()
  }
}

/// The error of opening what this process has open.
private func secondOpen(_ store: String) throws -> StoreError? {
  let storage = try LogStorage.open(at: store, access: .write)
  defer { storage.close() }
  return storeError { () throws(StoreError) in
    try LogStorage.open(at: store, access: .write).close()
  }
}

/// The error of writing to a store that was opened for reading.
private func writeToReader(_ store: String) throws -> StoreError? {
  let storage = try LogStorage.open(at: store, access: .read)
  defer { storage.close() }
  return storeError { () throws(StoreError) in
    try storage.write([Note(text: [1], moment: 1)])
  }
}

/// The error of committing after the data file was taken away.
private func replaceFiles(_ store: String) throws -> StoreError? {
  let storage = try LogStorage.open(at: store, access: .write)
  defer { storage.close() }
  try FileSystem.rename(store + "/data.mdb", to: store + "/away")
  return storeError { () throws(StoreError) in
    try storage.write([Note(text: [1], moment: 1)])
  }
}

/// The error of a write of which one call fails.
private func fail(
  _ code: LMDBError.Code, _ operation: LMDBError.Operation, of store: String
) throws -> StoreError? {
  let plan = LMDBFaultPlan()
  let storage = try LogStorage.open(at: store, access: .write, faults: plan)
  defer { storage.close() }
  plan.fail(code, atCall: 1, of: operation)
  return storeError { () throws(StoreError) in
    try storage.write([Note(text: [1], moment: 1)])
  }
}

/// The error of a record above the limit.
private func writeLarge(_ store: String) throws -> StoreError? {
  let storage = try LogStorage.open(at: store, access: .write)
  defer { storage.close() }
  let text = [UInt8](repeating: 0, count: LogFormat.actionBytesMax + 1)
  return storeError { () throws(StoreError) in
    try storage.write([Note(text: text, moment: 1)])
  }
}
