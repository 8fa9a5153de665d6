import RetraceAvro
public import RetraceArchitecture
public import RetraceLog
import RetraceSystem

/// The file `attempt.<session>`, in which a session notes what it is about to append.
///
/// Nothing is synced: the file is for a program that ends, not for a machine that stops. What is
/// left of it then is checked, and ignored if it is torn.
public struct AttemptFile: ~Copyable, Sendable {
  /// A file that is longer is cut when the next group is shorter, and so much memory is kept.
  private static let keptBytes = 8 << 20

  /// `nil` for a store in memory: whoever would read it is gone with what it is about.
  private let file: OpenFile?
  private let store: StoreID
  private let path: String
  private var size: Int
  /// The bytes of the group, whose memory serves the next one.
  private var bytes: [UInt8] = []
  /// The number of the session in the file's name.
  public let session: UInt64

  fileprivate init(
    _ file: consuming OpenFile?, session: UInt64, store: StoreID, path: String, size: Int
  ) {
    self.file = file
    self.session = session
    self.store = store
    self.path = path
    self.size = size
  }

  /// Notes a group of batches, the first of which is about to be reduced.
  ///
  /// - Complexity: O(bytes of the actions), one write.
  /// - Throws: ``StoreError``.
  public mutating func write(_ attempt: Attempt) throws(StoreError) {
    guard file != nil else { return }
    attempt.encode(phase: .reducing(0), store: store, into: &bytes)
    defer { if bytes.count > AttemptFile.keptBytes { bytes = [] } }
    do throws(SystemError) {
      if size > AttemptFile.keptBytes && bytes.count < size {
        try file?.truncate(to: 0)
        size = 0
      }
      try file?.write(bytes.span, at: 0)
      size = max(size, bytes.count)
    } catch {
      throw StoreError(error, in: path, doing: "note what it was about to append")
    }
  }

  /// Notes how far the session came with the group.
  ///
  /// - Complexity: O(1), one write of eight bytes.
  /// - Throws: ``StoreError``.
  public func note(_ phase: Attempt.Phase) throws(StoreError) {
    guard file != nil else { return }
    let bytes = Attempt.encoded(phase)
    do throws(SystemError) {
      try file?.write(bytes.span, at: 0)
    } catch {
      throw StoreError(error, in: path, doing: "note how far it came")
    }
  }
}

/// What a session whose program ended was about to append.
public struct LeftAttempt: Hashable, Sendable {
  /// The number of the session in the file's name.
  public var session: UInt64
  /// The group and how far the session came; `nil` if the file is torn.
  public var attempt: Attempt?
  /// How far the session came; idle if the file is torn.
  public var phase: Attempt.Phase

  /// Makes the description of an attempt file.
  public init(session: UInt64, attempt: Attempt?, phase: Attempt.Phase) {
    self.session = session
    self.attempt = attempt
    self.phase = phase
  }

  /// The payload to append for the batch that ended the program, if there is one.
  ///
  /// Whether the log has it already is for `LogStorage.unrecordedCrash(of:)` to say.
  public var crashed: Crashed? {
    guard let attempt, case .reducing(let index) = phase, index < attempt.batches.count
    else { return nil }
    let batch = attempt.batches[index]
    return Crashed(
      session: attempt.session, moment: batch.moment, schema: attempt.schema, batch: index,
      actions: batch.actions)
  }

  /// The leaf whose answer ended the program, if it was one.
  public var crashedAnswer: EffectLeafID? {
    crashed.flatMap { attempt?.batches[$0.batch].answers }
  }
}

extension LogStorage {
  private static let attemptPrefix = "attempt."

  /// Opens the attempt file of a session, and makes it if there is none.
  ///
  /// What a dead session of the same number left in it stays until the first group is noted.
  ///
  /// - Throws: ``StoreError``.
  package func attemptFile(session: UInt64) throws(StoreError) -> AttemptFile {
    if isInMemory {
      return AttemptFile(nil, session: session, store: storeID, path: path, size: 0)
    }
    let name = LogStorage.attemptPrefix + "\(session)"
    let action = "note what it was about to append"
    let file = try store.open(name, [.read, .write, .create], doing: action)
    do throws(SystemError) {
      let size = try file.size
      return AttemptFile(file, session: session, store: storeID, path: path, size: size)
    } catch {
      throw StoreError(error, in: path, doing: action)
    }
  }

  /// The attempt files of sessions that nobody holds the lock of, in order of their numbers.
  ///
  /// - Complexity: O(names in the directory + bytes of the files).
  /// - Throws: ``StoreError``.
  package func leftAttempts() throws(StoreError) -> [LeftAttempt] {
    if isInMemory { return [] }
    var left: [LeftAttempt] = []
    for name in try store.list() where name.hasPrefix(LogStorage.attemptPrefix) {
      guard let session = UInt64(name.dropFirst(LogStorage.attemptPrefix.utf8.count)),
        session >= 1, session <= LogFormat.lastSequence
      else { continue }
      if try isSessionAlive(session) { continue }
      if try holdsSessionLock(session) { continue }
      // Another process that opens the store at the same time may have removed it.
      let action = "read an attempt file"
      guard let file = try store.openIfPresent(name, doing: action) else { continue }
      let bytes: [UInt8]
      do {
        bytes = try file.readWhole(limitBytes: 2 * LogFormat.recordBytes)
      } catch {
        // No group is that long, so this is none.
        guard error.code == .aboveLimit else {
          throw StoreError(error, in: path, doing: action)
        }
        bytes = []
      }
      let found = Attempt.decode(bytes, store: storeID)
      left.append(
        LeftAttempt(session: session, attempt: found?.attempt, phase: found?.phase ?? .idle))
    }
    return left.sorted { $0.session < $1.session }
  }

  /// Whether there is an attempt file of a session, whoever left it.
  ///
  /// - Complexity: One system call.
  /// - Throws: ``StoreError``.
  package func hasAttempt(ofSession session: UInt64) throws(StoreError) -> Bool {
    try store.info(LogStorage.attemptPrefix + "\(session)") != nil
  }

  /// The payload to append for the batch that ended a session's program, unless the log shows that
  /// it did not, or holds it already.
  ///
  /// - Complexity: O(records appended since the attempt).
  /// - Throws: ``StoreError``.
  package func unrecordedCrash(of left: LeftAttempt) throws(StoreError) -> Crashed? {
    guard let crashed = left.crashed, let first = left.attempt?.firstSequence else { return nil }
    var isKnown = false
    try withSnapshot { snapshot throws(StoreError) in
      let last = snapshot.head.sequence
      guard first <= last else {
        // A log that is shorter than the session knew it is not the one it wrote to. Nor is one
        // that was, until the end of the session was recorded behind it.
        isKnown = first > last + 1
        if !isKnown { isKnown = try snapshot.hasEnd(of: left) }
        return
      }
      try snapshot.scan(from: first, through: last) { record throws(StoreError) in
        // The session went on: the group was committed, or given up.
        if record.session == left.session { isKnown = true }
        guard record.kind == .crashed, let other = try? Crashed(encoded: record.payload) else {
          return
        }
        // The number of the schema may be another one than the attempt had.
        var same = other
        same.schema = crashed.schema
        if same == crashed { isKnown = true }
      }
    }
    return isKnown ? nil : crashed
  }

  /// The number of the schema of a dead session's first record, if the log has that record and none
  /// of the session's end; `nil` otherwise.
  ///
  /// - Complexity: O(records appended since the attempt); O(records since the session began) if the
  ///   log does not reach what the attempt is about.
  /// - Throws: ``StoreError``.
  package func schemaIfUnended(_ left: LeftAttempt) throws(StoreError) -> UInt32? {
    try withSnapshot { snapshot throws(StoreError) in
      let last = snapshot.head.sequence
      guard left.session <= last else { return nil }
      let schema = try snapshot.withRecord(at: left.session) {
        $0.kind == .sessionOpened ? $0.schema : nil
      }
      guard let schema else { return nil }
      return try snapshot.hasEnd(of: left) ? nil : schema
    }
  }

  /// Removes the attempt file of a session; nothing happens if there is none.
  ///
  /// - Throws: ``StoreError``.
  package func removeAttempt(session: UInt64) throws(StoreError) {
    if isInMemory { return }
    do {
      try FileSystem.unlink(store.file(LogStorage.attemptPrefix + "\(session)"))
    } catch {
      if error.code == .noSuchFile { return }
      throw StoreError(error, in: path, doing: "remove an attempt file")
    }
  }
}

extension LogSnapshot {
  /// Whether the log has the end of a session.
  ///
  /// - Complexity: O(records appended since the attempt); O(records since the session began) if the
  ///   log does not reach what the attempt is about.
  fileprivate func hasEnd(of left: LeftAttempt) throws(StoreError) -> Bool {
    let last = head.sequence
    guard left.session <= last else { return false }
    // Nothing was noted after the session's end. After a power cut the log may end before what was
    // noted.
    let noted = left.attempt?.firstSequence ?? 0
    let first = noted > last ? left.session : max(left.session, noted)
    var isEnded = false
    try scan(from: first, through: last) { record throws(StoreError) in
      if record.kind == .sessionClosed && record.session == left.session { isEnded = true }
    }
    return isEnded
  }
}

extension LogWriter.Access {
  /// Removes the attempt files of dead sessions that hold nothing the log lacks.
  ///
  /// It happens under the write lock: no session that begins meanwhile can take the name of a file.
  ///
  /// - Throws: ``StoreError``.
  package func removeLeftAttempts() throws(StoreError) {
    try append { _ throws(StoreError) in
      for left in try log.leftAttempts() where try log.unrecordedCrash(of: left) == nil {
        guard try log.schemaIfUnended(left) == nil else { continue }
        try log.removeAttempt(session: left.session)
      }
    }
  }
}
