package import Retrace
import RetraceSystem

/// The place to which a session writes the group that it is about to append.
///
/// It is in the mark of the open store, because to create and to remove a file is expensive. The
/// next open moves the attempt of a crashed process into the file `attempt.<session>`. A session
/// whose process could not create a mark writes such a file itself. An attempt is never synced,
/// because it has to survive a crash of the program, not of the system. A torn group is detected by
/// its checksum and ignored.
package struct AttemptWriter: ~Copyable, Sendable {
  /// The size in bytes above which the file is truncated for a shorter group, and the buffer is
  /// freed.
  private static let keptBytes = 8 << 20

  private let mark: OpenMark?
  /// The file, if there is no mark; `nil` for a store in memory, which ends with its process.
  private let file: OpenFile?
  private let store: StoreID
  private let path: String
  private var size: Int
  /// The bytes of the group; the buffer is reused.
  private var bytes: [UInt8] = []
  package let session: UInt64

  fileprivate init(
    _ mark: OpenMark? = nil, _ file: consuming OpenFile? = nil, session: UInt64, store: StoreID,
    path: String, size: Int = 0
  ) {
    self.mark = mark
    self.file = file
    self.session = session
    self.store = store
    self.path = path
    self.size = size
  }

  /// Writes a group of batches, the first of which is about to be reduced.
  ///
  /// - Complexity: O(bytes of the actions), one write.
  package mutating func write(_ attempt: Attempt) throws(StoreError) {
    guard mark != nil || file != nil else { return }
    attempt.encode(phase: .reducing(0), store: store, into: &bytes)
    defer { if bytes.count > AttemptWriter.keptBytes { bytes = [] } }
    do throws(SystemError) {
      if size > AttemptWriter.keptBytes && bytes.count < size {
        try mark?.removeGroup()
        try file?.truncate(to: 0)
        size = 0
      }
      try mark?.writeAttempt(bytes.span)
      try file?.write(bytes.span, at: 0)
      size = max(size, bytes.count)
    } catch {
      throw StoreError(error, in: path, doing: "write its attempt")
    }
  }

  /// Writes the phase that the group is in.
  ///
  /// - Complexity: O(1), one write of eight bytes.
  package func note(_ phase: Attempt.Phase) throws(StoreError) {
    let bytes = Attempt.encoded(phase)
    do throws(SystemError) {
      try mark?.writeAttempt(bytes.span)
      try file?.write(bytes.span, at: 0)
    } catch {
      throw StoreError(error, in: path, doing: "update its attempt")
    }
  }
}

/// The attempt of a session whose process ended.
package struct OrphanedAttempt: Hashable, Sendable {
  package var session: UInt64
  /// The group; `nil` if the file is torn.
  package var attempt: Attempt?
  /// The last phase of the group; idle if the file is torn.
  package var phase: Attempt.Phase

  /// The payload of a `crashed` record for the batch that crashed the program; `nil` if none did.
  ///
  /// `LogStorage.unrecordedCrash(of:)` tells whether the log already has that record.
  package var crashed: Crashed? {
    guard let attempt, case .reducing(let index) = phase, index < attempt.batches.count
    else { return nil }
    let batch = attempt.batches[index]
    if batch.isCommand {
      guard let payload = batch.actions.first,
        let command = try? RecordedCommand(encoded: payload.span).command
      else { return nil }
      return Crashed(
        session: attempt.session, moment: batch.moment,
        schema: LogFormat.commandSchemaNumber(command.schema), batch: index,
        actions: [command.bytes])
    }
    return Crashed(
      session: attempt.session, moment: batch.moment, schema: attempt.schema, batch: index,
      actions: batch.actions)
  }

  /// The leaf whose answer crashed the program; `nil` if none did.
  package var crashedAnswer: EffectLeafID? {
    crashed.flatMap { attempt?.batches[$0.batch].answeringLeaf }
  }
}

extension LogStorage {
  private static let attemptPrefix = "attempt."

  /// Returns the session of an attempt file; `nil` for other names.
  static func session(ofAttemptFile name: String) -> UInt64? {
    guard name.hasPrefix(attemptPrefix) else { return nil }
    return UInt64(name.dropFirst(attemptPrefix.utf8.count)).flatMap {
      LogFormat.isSequence($0) ? $0 : nil
    }
  }

  /// Returns whether an attempt file has this name while a process moves it.
  static func isTemporaryAttemptName(_ name: String) -> Bool {
    name.hasPrefix(attemptPrefix) && name.hasSuffix(".new")
  }

  static func attemptPath(ofSession session: UInt64, in store: StorePath) -> String {
    store.file(attemptPrefix + "\(session)")
  }

  /// Begins the attempt of a session, in the mark or in a file.
  ///
  /// If an ended session of the same number left a file, that file keeps its contents until the
  /// first write.
  package func attemptWriter(session: UInt64) throws(StoreError) -> AttemptWriter {
    if isInMemory { return AttemptWriter(session: session, store: storeID, path: path) }
    let action = "write its attempt"
    if let mark {
      try StoreError.system(try mark.beginAttempt(ofSession: session), in: path, doing: action)
      return AttemptWriter(mark, session: session, store: storeID, path: path)
    }
    let name = LogStorage.attemptPrefix + "\(session)"
    let file = try store.open(name, [.read, .write, .create], doing: action)
    let size = try StoreError.system(try file.size, in: path, doing: action)
    return AttemptWriter(nil, file, session: session, store: storeID, path: path, size: size)
  }

  /// Returns the attempts of sessions whose lock is free, sorted by session number.
  ///
  /// - Complexity: O(names in the directory + bytes of the files).
  package func orphanedAttempts() throws(StoreError) -> [OrphanedAttempt] {
    if isInMemory { return [] }
    var orphans: [OrphanedAttempt] = []
    for name in try store.list() {
      guard let session = Self.session(ofAttemptFile: name) else { continue }
      if try isSessionAlive(session) { continue }
      if try holdsSessionLock(session) { continue }
      // Another process that is opening the store may have removed it.
      let action = "read an attempt file"
      guard let file = try store.openIfPresent(name, doing: action) else { continue }
      let bytes: [UInt8]
      do {
        bytes = try file.readWhole(limitBytes: 2 * LogFormat.payloadBytesMax)
      } catch {
        // The file is longer than any group, so it counts as torn.
        guard error.code == .aboveLimit else {
          throw StoreError(error, in: path, doing: action)
        }
        bytes = []
      }
      var found = Attempt.decode(bytes, store: storeID)
      // After a power cut, a mark may have the number of one session and the group of a later one.
      if let named = found?.attempt.session, named != 0, named != session { found = nil }
      orphans.append(
        OrphanedAttempt(session: session, attempt: found?.attempt, phase: found?.phase ?? .idle))
    }
    return orphans.sorted { $0.session < $1.session }
  }

  /// Returns whether an ended session left an attempt under a number.
  ///
  /// First moves the attempt of a crashed process with that number out of its mark. A session whose
  /// lock is held has not ended, even if it has an attempt.
  ///
  /// - Complexity: O(names in the directory); some calls for each process that has the store open.
  package func hasAttempt(ofSession session: UInt64) throws(StoreError) -> Bool {
    if isInMemory { return false }
    let names = try store.list()
    let file = LogStorage.attemptPrefix + "\(session)"
    if !names.contains(file) {
      let others = names.filter { OpenMark.isName($0) && $0 != mark?.name }
      if others.isEmpty { return false }
      try StoreError.system(
        try OpenMark.keepAttempts(ofSession: session, in: others, of: store), in: path,
        doing: "read the marks of other processes")
      // Another process may have moved it meanwhile.
      guard try store.info(file) != nil else { return false }
    }
    if try isSessionAlive(session) { return false }
    return try !holdsSessionLock(session)
  }

  /// Returns the payload of the `crashed` record that the log lacks for an orphaned attempt.
  ///
  /// Returns `nil` if no batch crashed the program, if the log already has the record, or if the
  /// log shows that the attempt does not belong to it or is over.
  ///
  /// - Complexity: O(records appended since the attempt).
  package func unrecordedCrash(of orphan: OrphanedAttempt) throws(StoreError) -> Crashed? {
    guard let crashed = orphan.crashed, let first = orphan.attempt?.firstSequence else {
      return nil
    }
    var isKnown = false
    try withReadView { view throws(StoreError) in
      let last = view.head.sequence
      guard first <= last else {
        // When the session wrote the attempt, the log ended right before the group. If the log is
        // shorter now, or contains the record of the session's end, it is a different log, to which
        // the crash does not belong.
        isKnown = first > last + 1
        if !isKnown { isKnown = try view.hasSessionClosed(of: orphan) }
        return
      }
      try view.scan(from: first, through: last) { record throws(StoreError) in
        // The session appended more: it committed or aborted the group.
        if record.session == orphan.session { isKnown = true }
        guard record.kind == .crashed, let other = try? Crashed(encoded: record.payload) else {
          return
        }
        // The schema's number in the log can differ from that in the attempt.
        var same = other
        same.schema = crashed.schema
        if same == crashed { isKnown = true }
      }
    }
    return isKnown ? nil : crashed
  }

  /// Returns the schema number of the first record of a session whose process ended.
  ///
  /// Returns `nil` if the log lacks that record, or has a record of the session's end.
  ///
  /// - Complexity: O(records appended since the attempt); O(records since the session began) if the
  ///   log does not reach the attempt.
  package func schemaOfUnclosedSession(_ orphan: OrphanedAttempt) throws(StoreError) -> UInt32? {
    try withReadView { view throws(StoreError) in
      let last = view.head.sequence
      guard orphan.session <= last else { return nil }
      let schema = try view.withRecord(at: orphan.session) {
        $0.kind == .sessionOpened ? $0.schema : nil
      }
      guard let schema else { return nil }
      return try view.hasSessionClosed(of: orphan) ? nil : schema
    }
  }

  /// Ends the attempt of this process's session, so that nothing of it is left.
  package func end(_ attempt: consuming AttemptWriter) throws(StoreError) {
    guard let mark else { return try removeAttempt(session: attempt.session) }
    try StoreError.system(try mark.endAttempt(), in: path, doing: "remove its attempt")
  }

  /// Removes the attempt file of an ended session whose number this process's session has.
  package func removeReplacedAttempt(session: UInt64) throws(StoreError) {
    // Without a mark, this process's attempt is in that file.
    if mark != nil { try removeAttempt(session: session) }
  }

  func removeAttempt(session: UInt64) throws(StoreError) {
    if isInMemory { return }
    do {
      try FileSystem.unlink(LogStorage.attemptPath(ofSession: session, in: store))
    } catch {
      if error.code == .noSuchFile { return }
      throw StoreError(error, in: path, doing: "remove an attempt file")
    }
  }
}

extension ReadView {
  /// Returns whether the log has a record of a session's end.
  ///
  /// - Complexity: O(records appended since the attempt); O(records since the session began) if the
  ///   log does not reach the attempt.
  fileprivate func hasSessionClosed(of orphan: OrphanedAttempt) throws(StoreError) -> Bool {
    let last = head.sequence
    guard orphan.session <= last else { return false }
    // No attempt is written after the session's end. After a power cut the log may end before the
    // attempt.
    let noted = orphan.attempt?.firstSequence ?? 0
    let first = noted > last ? orphan.session : max(orphan.session, noted)
    var isEnded = false
    try scan(from: first, through: last) { record throws(StoreError) in
      if record.kind == .sessionClosed && record.session == orphan.session { isEnded = true }
    }
    return isEnded
  }
}

extension LogWriter.Access {
  /// Removes the attempt files that recovery does not need.
  ///
  /// A file is needed if the log has the session's start but not its end, or if it lacks the
  /// `crashed` record for the batch that crashed the program.
  ///
  /// The write lock is held meanwhile, so no new session can take over the name of a removed file.
  package func removeOrphanedAttempts() throws(StoreError) {
    try append { _ throws(StoreError) in
      for orphan in try log.orphanedAttempts() where try log.unrecordedCrash(of: orphan) == nil {
        guard try log.schemaOfUnclosedSession(orphan) == nil else { continue }
        try log.removeAttempt(session: orphan.session)
      }
    }
  }
}
