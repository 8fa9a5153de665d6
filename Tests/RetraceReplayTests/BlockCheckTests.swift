import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceReplay

/// The tests' app, whose reducer notes how far a verification has reduced.
private enum WatchedApp: CounterVariant {
  struct Watching: Reducer {
    func reduce(
      _ state: inout CounterState, _ action: CounterAction, at moment: Moment
    ) -> Effect<CounterAction, Never> {
      // The moment of record N is N seconds after the start of 1970.
      WatchedApp.reduced.withLock { $0 = UInt64(moment.microseconds / 1_000_000) }
      return CounterReducer().reduce(&state, action, at: moment)
    }
  }

  /// The last record that was reduced.
  static let reduced = Lock<UInt64>(0)

  static var reducer: Watching { Watching() }
}

@Suite("Checking blocks ahead of the fold")
struct BlockCheckTests {
  private typealias Block = (key: UInt64, bytes: [UInt8])

  /// Writes a log of many blocks, and returns all but the last, which opening checks.
  ///
  /// - Parameter second: The record after the first.
  private func write(
    _ second: WrittenLog.Item = .action(.noticed("second")), at path: String
  ) throws -> [Block] {
    let actions = (1...6_000).map { WrittenLog.Item.action(.added(name: "counter number \($0)")) }
    let opened = WrittenLog.Item.opened(stateSchema: CounterState.fingerprint)
    try WrittenLog.write([opened, second] + actions + [.closed()], at: path)
    return try CounterLog.reading(path) { storage in
      var blocks: [Block] = []
      try storage.withReadView { view throws(StoreError) in
        try view.scanBlocks(from: 1) { key, block throws(StoreError) in
          blocks.append((key, block.indices.map { block[$0] }))
          return true
        }
      }
      try #require(blocks.count > 4)
      return Array(blocks.dropLast())
    }
  }

  /// Flips a bit of a block in a store's file.
  ///
  /// - Parameter sums: Whether the block's checksum is corrected, so that only the chain is wrong.
  private func flip(_ byte: Int, of block: Block, sums: Bool, at path: String) throws {
    var changed = block.bytes
    changed[byte] ^= 1
    if sums {
      let sum = SHA256Hasher.checksum(changed.span.extracting(8...))
      for byte in 0..<8 { changed[byte] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * byte)) }
    }
    var file = try FileSystem.readWhole(path + "/data.mdb", limitBytes: 1 << 30)
    let place = try #require(
      file.indices.first { file[$0] == block.bytes[0] && file[$0...].starts(with: block.bytes) })
    file.replaceSubrange(place..<place + changed.count, with: changed)
    try FileSystem.replace(path + "/data.mdb", with: file.span)
  }

  @Test("No changed record is reduced, and a check without a fold finds the same damage")
  func flips() throws {
    try withSeed("BlockCheck") { random in
      for _ in 0..<12 {
        try CounterLog.withDirectory { path in
          let blocks = try write(at: path)
          let block = blocks[Int.random(in: 0..<blocks.count, using: &random)]
          let byte = Int.random(in: 8..<block.bytes.count, using: &random)
          try flip(byte, of: block, sums: Bool.random(using: &random), at: path)
          WatchedApp.reduced.withLock { $0 = 0 }
          try CounterLog.reading(path) { storage in
            let verified = #expect(throws: StoreError.self) {
              try Verifier<WatchedApp>.verify(storage)
            }
            let checked = #expect(throws: StoreError.self) {
              try storage.withReadView { view throws(StoreError) in try view.verify() }
            }
            #expect(verified?.code == checked?.code)
            #expect(verified?.why == checked?.why)
          }
          #expect(WatchedApp.reduced.withLock { $0 } < block.key)
        }
      }
    }
  }

  @Test("Damage comes before what this build cannot read")
  func damageComesFirst() throws {
    try CounterLog.withDirectory { path in
      let blocks = try write(.foreign([2, 65], schema: "\"bytes\""), at: path)
      try CounterLog.reading(path) { storage in
        let unread = #expect(throws: StoreError.self) { try Verifier<CounterApp>.verify(storage) }
        #expect(unread?.code == .incompatible)
      }
      let third = blocks[2]
      try flip(third.bytes.count - 1, of: third, sums: true, at: path)
      try CounterLog.reading(path) { storage in
        let damaged = #expect(throws: StoreError.self) { try Verifier<CounterApp>.verify(storage) }
        guard case .damaged = damaged?.code else {
          Issue.record("\(damaged.map { "\($0)" } ?? "verified")")
          return
        }
      }
    }
  }

  @Test("A log that has grown since is checked at the folding thread's head")
  func growth() throws {
    try CounterLog.withDirectory { path in
      _ = try write(at: path)
      let storage = try LogStorage.open(at: path, access: .write)
      defer { storage.close() }
      try storage.withReadView { view throws(StoreError) in
        let head = view.head
        let check = BlockCheck(through: head)
        try storage.append { appender throws(StoreError) in
          let envelope = Envelope(session: 1, moment: head.moment, schema: 1)
          try appender.append(SessionClosed(reason: .closed), envelope)
        }
        check.start(on: storage)
        let checked = try check.wait(for: 1, in: view)
        #expect(checked == head.sequence)
        #expect(try storage.head().sequence == head.sequence + 1)
      }
    }
  }
}
