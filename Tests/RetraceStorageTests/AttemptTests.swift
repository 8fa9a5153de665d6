import Glibc
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
@testable import RetraceStorage
import RetraceSystem
import Testing

@Suite("Attempt files")
struct AttemptTests {
  private func sample(first: UInt64, session: UInt64 = 1, length: Int = 40) -> Attempt {
    Attempt(
      firstSequence: first, session: session, schema: 1,
      newSchema: length % 2 == 0 ? "" : "\"bytes\"",
      batches: [
        .init(moment: Moment(microseconds: -7), actions: [[1, 2, 3], []]),
        .init(
          moment: Moment(microseconds: 8), actions: [[UInt8](repeating: 9, count: length)]),
      ])
  }

  @Test("Concatenated actions are split again, up to a length that reaches beyond the end")
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

  /// Writes the attempt of a session whose process then ends, and returns what the next open finds.
  ///
  /// - Parameter write: Writes the attempt, which is in the mark of the store.
  private func left(
    in path: String, session: UInt64 = 1, _ write: (inout AttemptWriter) throws(StoreError) -> Void
  ) throws -> [OrphanedAttempt] {
    let ending = try LogStorage.open(at: path, access: .write)
    var attempt = try ending.attemptWriter(session: session)
    try write(&attempt)
    ending.mark?.abandon()
    ending.close()
    let found = try LogStorage.open(at: path, access: .write)
    defer { found.close() }
    #expect(found.openingReport.hasAttempts && !found.openingReport.wasClean)
    return try found.orphanedAttempts()
  }

  private func makeStore(in directory: String) throws -> (path: String, head: Head) {
    let storage = try LogStorage.open(at: directory + "/store", access: .create)
    defer { storage.close() }
    try storage.write([Note(text: [1], moment: 1)])
    return (directory + "/store", try storage.head())
  }

  private func checkPhases(of attempt: Attempt, in path: String) throws {
    let crashed = Crashed(
      session: 1, moment: Moment(microseconds: 8), schema: 1, batch: 1,
      actions: attempt.batches[1].actions)
    let untouched = try left(in: path) { (file) throws(StoreError) in try file.write(attempt) }
    #expect(untouched == [OrphanedAttempt(session: 1, attempt: attempt, phase: .reducing(0))])
    for phase: Attempt.Phase in [.reducing(1), .committing, .idle] {
      let found = try left(in: path) { (file) throws(StoreError) in
        try file.write(attempt)
        try file.note(phase)
      }
      #expect(found == [OrphanedAttempt(session: 1, attempt: attempt, phase: phase)])
      #expect(found.first?.crashed == (phase == .reducing(1) ? crashed : nil))
    }
  }

  @Test("A group comes back with its phase, whatever was there before")
  func roundTrip() throws {
    try withDirectory { directory in
      let (path, head) = try makeStore(in: directory)
      for length in [40, 2_000_000, 3, 700, 3] {
        try checkPhases(of: sample(first: head.sequence + 1, length: length), in: path)
      }
      let storage = try LogStorage.open(at: path, access: .write)
      defer { storage.close() }
      try storage.removeAttempt(session: 1)
      try storage.removeAttempt(session: 1)
      #expect(try storage.orphanedAttempts().isEmpty)
    }
  }

  @Test("A shorter group leaves nothing of the previous one, and the end of an attempt leaves none")
  func nothingLeft() throws {
    try withDirectory { directory in
      let (path, head) = try makeStore(in: directory)
      let storage = try LogStorage.open(at: path, access: .write)
      let mark = path + "/" + (try #require(storage.mark?.name))
      var file = try storage.attemptWriter(session: 3)
      try file.write(sample(first: head.sequence + 1, length: 9_000_000))
      try file.write(sample(first: head.sequence + 1, length: 5))
      #expect(try FileSystem.readWhole(mark, limitBytes: 1000).count < 400)
      try storage.mark?.endAttempt()
      #expect(try FileSystem.readWhole(mark, limitBytes: 1000).count == OpenMark.byteCount)
      storage.close()
      #expect(try FileSystem.readWhole(mark, limitBytes: 1000).count == OpenMark.byteCount)
      #expect(try !FileSystem.list(path).contains { $0.hasPrefix("attempt.") })
    }
  }

  @Test("A file with the number of one session and the group of another is no attempt of either")
  func mixed() throws {
    try withDirectory { directory in
      let (path, head) = try makeStore(in: directory)
      let found = try left(in: path, session: 4) { (file) throws(StoreError) in
        try file.write(sample(first: head.sequence + 1, session: 1))
      }
      #expect(found == [OrphanedAttempt(session: 4, attempt: nil, phase: .idle)])
    }
  }

  @Test("Files of a process that was killed while it moved an attempt are removed")
  func killedWhileMoving() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory).path
      let name = path + "/attempt.5.77-1.new"
      try OpenFile.open(name, [.write, .create]).write([1, 2, 3].span, at: 0)
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      #expect(!storage.openingReport.hasAttempts)
      #expect(try !FileSystem.list(path).contains { $0.hasPrefix("attempt.") })
    }
  }

  @Test("The attempt of a session that did not end is kept when its store is closed")
  func closedMeanwhile() throws {
    try withDirectory { directory in
      let (path, head) = try makeStore(in: directory)
      let attempt = sample(first: head.sequence + 1)
      let storage = try LogStorage.open(at: path, access: .write)
      var file = try storage.attemptWriter(session: 1)
      try file.write(attempt)
      storage.close()
      let next = try LogStorage.open(at: path, access: .write)
      defer { next.close() }
      #expect(next.openingReport.wasClean && next.openingReport.hasAttempts)
      #expect(try next.orphanedAttempts().map(\.attempt) == [attempt])
    }
  }

  @Test("Only the attempt under the number of the next session is moved out of a mark")
  func attemptInTheWay() throws {
    try withDirectory { directory in
      let (path, head) = try makeStore(in: directory)
      let storage = try LogStorage.open(at: path, access: .write)
      defer { storage.close() }
      var file = try storage.attemptWriter(session: 5)
      try file.write(sample(first: head.sequence + 1, session: 5))
      // The mark of another process that crashed.
      let bytes = try FileSystem.readWhole(
        path + "/" + #require(storage.mark).name, limitBytes: 100_000)
      let dead = path + "/open.dead"
      try OpenFile.open(dead, [.write, .create]).write(bytes.span, at: 0)
      // What is no mark is passed over.
      try FileSystem.makeDirectory(path + "/open.directory")
      let linked = unsafe symlink(dead, path + "/open.link")
      #expect(linked == 0)
      #expect(try !storage.hasAttempt(ofSession: 9))
      #expect(try FileSystem.readWhole(dead, limitBytes: 100_000) == bytes)
      #expect(try storage.hasAttempt(ofSession: 5))
      #expect(try FileSystem.readWhole(dead, limitBytes: 100_000).count == OpenMark.byteCount)
      // A session that is alive has not ended, even if its attempt lies there.
      try storage.acquireSessionLock(5)
      #expect(try !storage.hasAttempt(ofSession: 5))
    }
  }

  @Test("A log that has gone on makes no crashed record of an old group")
  func oldGroups() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory).path
      let left = try #require(
        try left(in: path) { (file) throws(StoreError) in try file.write(sample(first: 3)) }.first)
      let storage = try LogStorage.open(at: path, access: .write)
      defer { storage.close() }
      #expect(try storage.unrecordedCrash(of: left) != nil)
      try storage.write([Note(text: [1], moment: 1)])
      #expect(try storage.unrecordedCrash(of: left) == nil)
    }
  }

  /// After a power cut a log may end before what a session had noted.
  @Test("The end of a session is recorded once, wherever the log ends", arguments: [2, 3, 4, 5, 6])
  func deadSession(noted: UInt64) throws {
    try withDirectory { directory in
      let path = directory + "/store"
      var storage = try LogStorage.open(at: path, access: .create)
      let envelope = Envelope(session: 1, moment: Moment(microseconds: 1), schema: 7)
      try storage.append { appender throws(StoreError) in
        try appender.append(
          SessionOpened(
            app: "", build: "", actionSchema: .zero, stateSchema: .zero, reducer: .zero,
            scene: nil, zone: "", zoneDatabase: ""), envelope)
        try appender.append(envelope, payload: [1].span)
      }
      storage.close()
      let left = try #require(
        try left(in: path) { (file) throws(StoreError) in try file.write(sample(first: noted)) }
          .first)
      storage = try LogStorage.open(at: path, access: .write)
      defer { storage.close() }
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
      let store = try makeStore(in: directory).path
      _ = try left(in: store, session: 5) { (file) throws(StoreError) in
        try file.write(sample(first: 1, session: 5, length: 11))
      }
      let storage = try LogStorage.open(at: store, access: .write)
      defer { storage.close() }
      let path = store + "/attempt.5"
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

  @Test("The attempt of a session that another process holds is not orphaned")
  func living() throws {
    try withDirectory { directory in
      let path = try makeStore(in: directory).path
      _ = try left(in: path, session: 5) { (file) throws(StoreError) in
        try file.write(sample(first: 1, session: 5))
      }
      let storage = try LogStorage.open(at: path, access: .write)
      defer { storage.close() }
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
