import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing

@Suite("Attempt files")
struct AttemptTests {
  private func sample(first: UInt64, length: Int = 40) -> Attempt {
    Attempt(
      firstSequence: first, session: 1, schema: 1, newSchema: length % 2 == 0 ? "" : "\"bytes\"",
      batches: [
        .init(moment: Moment(microseconds: -7), actions: [[1, 2, 3], []]),
        .init(
          moment: Moment(microseconds: 8), actions: [[UInt8](repeating: 9, count: length)]),
      ])
  }

  @Test("Actions one behind another come apart again, and a length beyond the end ends them")
  func encodedActions() {
    let actions: [[UInt8]] = [[1, 2, 3], [], [UInt8](repeating: 7, count: 300)]
    let encoded = EncodedActions(actions)
    #expect(encoded.list == actions)
    #expect(EncodedActions().list.isEmpty)
    for cut in 1...300 {
      let torn = EncodedActions(bytes: Array(encoded.bytes.dropLast(cut)))
      #expect(torn.list == Array(actions.prefix(2)))
    }
  }

  @Test("A group comes back with its phase, whatever was there before")
  func roundTrip() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      try storage.write([Note(text: [1], moment: 1)])
      let head = try storage.head()
      var file = try storage.attemptFile(session: 1)
      for length in [40, 2_000_000, 3, 700, 3] {
        let attempt = sample(first: head.sequence + 1, length: length)
        try file.write(attempt)
        #expect(
          try storage.orphanedAttempts()
            == [OrphanedAttempt(session: 1, attempt: attempt, phase: .reducing(0))])
        try file.note(.reducing(1))
        let left = try #require(try storage.orphanedAttempts().first)
        #expect(left.phase == .reducing(1))
        #expect(
          left.crashed
            == Crashed(
              session: 1, moment: Moment(microseconds: 8), schema: 1, batch: 1,
              actions: attempt.batches[1].actions))
        try file.note(.committing)
        #expect(try storage.orphanedAttempts().first?.phase == .committing)
        #expect(try storage.orphanedAttempts().first?.crashed == nil)
        try file.note(.idle)
        #expect(try storage.orphanedAttempts().first?.crashed == nil)
      }
      #expect(file.session == 1)
      try storage.removeAttempt(session: 1)
      try storage.removeAttempt(session: 1)
      #expect(try storage.orphanedAttempts().isEmpty)
    }
  }

  @Test("A log that has gone on makes no crashed record of an old group")
  func oldGroups() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      try storage.write([Note(text: [1], moment: 1)])
      var file = try storage.attemptFile(session: 1)
      try file.write(sample(first: 3))
      let left = try #require(try storage.orphanedAttempts().first)
      #expect(try storage.unrecordedCrash(of: left) != nil)
      try storage.write([Note(text: [1], moment: 1)])
      #expect(try storage.unrecordedCrash(of: left) == nil)
    }
  }

  /// After a power cut a log may end before what a session had noted.
  @Test("The end of a session is recorded once, wherever the log ends", arguments: [2, 3, 4, 5, 6])
  func deadSession(noted: UInt64) throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      let envelope = Envelope(session: 1, moment: Moment(microseconds: 1), schema: 7)
      try storage.append { appender throws(StoreError) in
        try appender.append(
          SessionOpened(
            app: "", build: "", actionSchema: .zero, stateSchema: .zero, reducer: .zero,
            scene: nil, zone: "", zoneDatabase: ""), envelope)
        try appender.append(envelope, payload: [1].span)
      }
      var file = try storage.attemptFile(session: 1)
      try file.write(sample(first: noted))
      let left = try #require(try storage.orphanedAttempts().first)
      #expect(try storage.schemaOfUnclosedSession(left) == 7)
      for _ in 0..<3 {
        try storage.append { appender throws(StoreError) in
          _ = try appender.append(SessionClosed(reason: .foundDead), envelope)
        }
        #expect(try storage.schemaOfUnclosedSession(left) == nil)
        #expect(try storage.unrecordedCrash(of: left) == nil)
      }
    }
  }

  @Test("Torn and flipped files are ignored, byte by byte")
  func torn() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      var file = try storage.attemptFile(session: 5)
      try file.write(sample(first: 1, length: 11))
      let path = directory + "/store/attempt.5"
      let bytes = try FileSystem.readWhole(path, limitBytes: 10_000)
      for count in 0..<bytes.count {
        try OpenFile.open(path, [.write, .truncate]).write(bytes.span.extracting(..<count), at: 0)
        #expect(
          try storage.orphanedAttempts() == [
            OrphanedAttempt(session: 5, attempt: nil, phase: .idle)
          ])
      }
      for index in bytes.indices {
        var copy = bytes
        copy[index] ^= 4
        try OpenFile.open(path, [.write, .truncate]).write(copy.span, at: 0)
        #expect(try storage.orphanedAttempts().first?.attempt == nil, "byte \(index)")
      }
    }
  }

  @Test("The attempt of a session that another process holds is not a left one")
  func living() throws {
    try withDirectory { directory in
      let storage = try LogStorage.open(at: directory + "/store", access: .create)
      defer { storage.close() }
      var file = try storage.attemptFile(session: 5)
      try file.write(sample(first: 1))
      let other = try ByteRangeLock.open(directory + "/store/owner.lock")
      #expect(try other.tryExclusive(at: 5))
      #expect(try storage.orphanedAttempts().isEmpty)
      #expect(try storage.isSessionAlive(5))
      let error = storeError { () throws(StoreError) in try storage.acquireSessionLock(5) }
      #expect(error?.code == .inUse(pids: []))
      try other.release(at: 5)
      #expect(try storage.orphanedAttempts().count == 1)
      try storage.acquireSessionLock(5)
      #expect(try other.foreignLock(at: 5) == .exclusive)
      try storage.releaseSessionLock(5)
      #expect(try other.foreignLock(at: 5) == .unlocked)
    }
  }
}
