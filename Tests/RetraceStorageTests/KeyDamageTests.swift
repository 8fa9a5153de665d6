import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog
import RetraceSystem
import Testing
import ToolTestSupport

@testable import RetraceStorage

/// Numbers in a store that no record has: keys of blocks, the head, what is noted beside the log.
@Suite struct KeyDamageTests {
  /// Makes a log of several blocks, changes its databases, and returns its path.
  private func makeStore(
    in directory: String,
    _ change: (inout WriteTransaction, _ log: LMDBDatabase, _ keys: [UInt64]) throws -> Void
  ) throws -> String {
    let path = directory + "/store"
    let storage = try LogStorage.open(at: path, access: .create)
    for round in 0..<12 {
      try storage.write(
        (0..<30).map { Note(text: [UInt8](repeating: UInt8($0), count: 200), moment: Int64(round)) }
      )
    }
    storage.close()
    let environment = try LMDBEnvironment.open(path)
    defer { environment.close() }
    let log = try #require(try environment.openDatabase("log"))
    var transaction = try environment.beginWrite()
    var keys: [UInt64] = []
    do {
      var cursor = try transaction.cursor(over: log)
      while try cursor.next() {
        let key = cursor.integerKey
        keys.append(try #require(key))
      }
    }
    try #require(keys.count > 3)
    try change(&transaction, log, keys)
    try transaction.commit()
    return path
  }

  /// Gives a block another key.
  private static func move(
    _ old: UInt64, to new: UInt64, in log: LMDBDatabase, _ transaction: inout WriteTransaction
  ) throws {
    let block = try copy(of: old, in: log, transaction)
    try transaction.delete(old, in: log)
    try transaction.put(block.span, for: new, in: log)
  }

  private static func copy(
    of key: UInt64, in log: LMDBDatabase, _ transaction: borrowing WriteTransaction
  ) throws -> [UInt8] {
    guard let value = try transaction.get(key, from: log) else {
      throw LMDBError(.notFound, during: .get)
    }
    return [UInt8](value)
  }

  private func damage(_ path: String) throws -> [StoreError.Code?] {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    let errors = [
      storeError { () throws(StoreError) in
        try storage.withReadView { view throws(StoreError) in try view.verify() }
      },
      storeError { () throws(StoreError) in try storage.backup(to: path + "-copy") },
      storeError { () throws(StoreError) in try storage.notes() },
    ]
    // A backup that fails names the store, and not the directory in which it was made.
    for error in errors.compactMap(\.self) {
      #expect(error.remedy == .salvage(directory: path), "\(error)")
    }
    return errors.map { $0?.code }
  }

  @Test func `a first block with the key 0 is damage of record 1`() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory) { transaction, log, _ in
        try Self.move(1, to: 0, in: log, &transaction)
      }
      let found = try damage(path)
      #expect(found == [.damaged(sequence: 1), .damaged(sequence: 1), .damaged(sequence: 1)])
      #expect(try !FileSystem.exists(path + "-copy"))
    }
  }

  @Test func `every flipped bit of a block's key is damage, and nothing else`() throws {
    for bit in 0..<64 {
      try withDirectory { directory in
        var wanted: UInt64 = 0
        let path = try makeStore(in: directory) { transaction, log, keys in
          wanted = keys[1]
          try Self.move(wanted, to: wanted ^ 1 << UInt64(bit), in: log, &transaction)
        }
        // A block with a higher key than the last one is found by the open.
        let opened = storeError { () throws(StoreError) in
          try LogStorage.open(at: path, access: .read).close()
        }
        let found = opened == nil ? try damage(path) : [opened?.code]
        for code in found {
          guard case .damaged(let sequence)? = code else {
            Issue.record("bit \(bit): \(String(describing: code))")
            continue
          }
          #expect(sequence >= 1 && sequence <= 361, "bit \(bit)")
        }
      }
    }
  }

  @Test(arguments: [UInt64.max, 1 << 62])
  func `a head of no record is damage`(sequence: UInt64) {
    let head = Head(
      sequence: sequence, chain: .zero, moment: Moment(microseconds: 0), lastBlockKey: sequence)
    let bytes = head.encoded(checksummedBy: SHA256Hasher.self)
    #expect(throws: LogError.self) {
      try Head(decoding: bytes.span, checksummedBy: SHA256Hasher.self)
    }
  }

  @Test func `an attempt of no record says nothing`() throws {
    let store = StoreID(1, 2)
    for (first, session, cause) in [
      (UInt64.max, UInt64(1), UInt64(1)), (1, .max, 1), (1, 1, .max), (0, 1, 1), (1, 0, 1),
      (1, 1, 1),
    ] {
      let attempt = Attempt(
        firstSequence: first, session: session, schema: 1, newSchema: "",
        batches: [
          Attempt.Batch(
            moment: Moment(microseconds: 1), actions: [[1]],
            answeringLeaf: EffectLeafID(cause: cause, ordinal: 0))
        ])
      var bytes: [UInt8] = []
      attempt.encode(phase: .reducing(0), store: store, into: &bytes)
      // A session that has no record yet has the number 0.
      let isRead = first == 1 && session <= 1 && cause == 1
      #expect((Attempt.decode(bytes, store: store) != nil) == isRead)
    }
  }

  @Test func `the largest gaps and intervals do not overflow`() {
    #expect(!Thinning.isLarge(pages: 1, gap: .max))
    #expect(Thinning.isLarge(pages: 65, gap: 64 * 64))
    #expect(Thinning.smallSnapshotGap(.max) > 1 << 62)
  }
}
