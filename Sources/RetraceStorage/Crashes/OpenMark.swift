import Retrace
import RetraceSystem

/// The file `open.X`, which is in use while a store is open.
///
/// X stands for random hexadecimal digits.
///
/// Its first byte is locked while the store is open. A clean close marks the file as free, and the
/// next open takes a free file, because to create and to remove a file is expensive. So a file that
/// is neither free nor locked belongs to a crashed process. Each open has its own file, so a crash
/// of one process is visible even if others go on. The file is never synced, because after a crash
/// of the system the pages of the data file are intact. A store in a directory that is not writable
/// has no such files.
///
/// After its 64 bytes, the file has the attempt of the process's session, if there is one: the
/// session's number and the group; see ``AttemptWriter``. The next open moves the attempt of a
/// crashed process into a file of its own.
///
/// When a process is killed, Linux closes the file that was opened last first, and closing a file
/// releases its locks. The mark is opened after the store's lock file. So when another process gets
/// the write lock of a killed process, the mark of the killed process is no longer locked.
final class OpenMark: Sendable {
  /// The prefix of the files' names.
  static let prefix = "open."
  static let magic = Array("RTOPEN1\n".utf8)
  /// The bytes in place of the magic bytes that mark a file as free.
  private static let free = Array("RTFREE1\n".utf8)
  /// The number of bytes of a file before the attempt.
  static let byteCount = 64

  /// The place of the group, after the session's number.
  private static let groupOffset = byteCount + 8

  private struct State: ~Copyable {
    let lock: ByteRangeLock
    var hasAttempt = false
  }

  let name: String
  private let store: StorePath
  private let state: Lock<State?>

  private init(_ lock: consuming ByteRangeLock, name: String, in store: StorePath) {
    self.name = name
    self.store = store
    state = Lock(State(lock: lock))
  }

  // A store that was not closed counts as crashed.
  deinit { abandon() }

  /// Takes or creates the file of a new open, and finds the files of crashed processes.
  ///
  /// All of it happens under the opening lock. So an empty, unlocked file was left by a process
  /// that was killed between creating and locking it.
  ///
  /// - Returns: The mark, `nil` if it cannot be created; and what crashed processes left.
  static func begin(
    _ store: StorePath, writing: Bool, under lock: OpeningLock?
  ) throws(StoreError) -> (mark: OpenMark?, report: OpeningReport) {
    var report = OpeningReport()
    // A read-only file system has no locks and no writers.
    guard let lock else {
      report.uncleanShutdowns = try uncleanShutdowns(in: store, isLocked: true)
      return (nil, report)
    }
    return try lock.withLock { () throws(StoreError) in
      var mark: OpenMark?
      let names = try store.list()
      // Their processes were killed while they moved an attempt, which is still in its mark.
      for name in names where LogStorage.isTemporaryAttemptName(name) {
        try? FileSystem.unlink(store.file(name))
      }
      report.uncleanShutdowns = uncleanShutdowns(of: names, in: store, isLocked: true) {
        (file: consuming ByteRangeLock, name) throws(SystemError) in
        guard try file.tryExclusive(at: 0) else { return }
        // Spare files are left by processes that had the store open at the same time.
        if mark != nil { return try FileSystem.unlink(store.file(name)) }
        mark = try begin(file, name: name, in: store, writing: writing)
      }
      // A mark whose attempt cannot be moved now stays; see `remove`.
      for shutdown in report.uncleanShutdowns { try? keepAttempt(of: shutdown.name, in: store) }
      report.hasAttempts =
        !report.uncleanShutdowns.isEmpty
        || names.contains { LogStorage.session(ofAttemptFile: $0) != nil }
      return (mark ?? make(store, writing: writing), report)
    }
  }

  private static func make(_ store: StorePath, writing: Bool) -> OpenMark? {
    var random = SystemRandomNumberGenerator()
    let name = prefix + String(random.next() as UInt64, radix: 16)
    let path = store.file(name)
    do throws(SystemError) {
      let lock = ByteRangeLock(
        try OpenFile.open(path, [.read, .write, .create, .exclusive, .noFollow], mode: 0o600))
      do throws(SystemError) {
        _ = try lock.tryExclusive(at: 0)
        return try begin(lock, name: name, in: store, writing: writing)
      } catch {
        try? FileSystem.unlink(path)
        throw error
      }
    } catch {
      return nil
    }
  }

  /// Writes the contents of a mark in use to a file that this process has locked.
  private static func begin(
    _ lock: consuming ByteRangeLock, name: String, in store: StorePath, writing: Bool
  ) throws(SystemError) -> OpenMark {
    try lock.file.write(UncleanShutdown.encoded(writing: writing).span, at: 0)
    // After a power cut, a free mark may still have an attempt.
    if try lock.file.size > byteCount { try lock.file.truncate(to: byteCount) }
    return OpenMark(lock, name: name, in: store)
  }

  /// Writes the activity of the process, and clears the sequence; a failure is ignored.
  func note(_ phase: UncleanShutdown.Phase) {
    state.withLock { state in
      try? state?.lock.file.write(
        UncleanShutdown.encoded(phase).span, at: UncleanShutdown.phaseOffset)
    }
  }

  /// Writes the sequence that is about to be folded, or up to which the blocks were read; a failure
  /// is ignored.
  func note(_ sequence: UInt64) {
    var writer = AvroWriter(capacity: 8)
    writer.littleEndian(sequence)
    let bytes = writer.bytes
    state.withLock { state in
      try? state?.lock.file.write(bytes.span, at: UncleanShutdown.sequenceOffset)
    }
  }

  /// Marks the file as free after a clean close, and removes it if that fails.
  func end() {
    state.withLock { state in
      guard let ended = state.take() else { return }
      // Frees the file before unlocking it, so that an unlocked file is never in use.
      do {
        // A session whose end could not be recorded left its attempt.
        if ended.hasAttempt { try OpenMark.keepAttempt(of: name, in: store) }
        try ended.lock.file.write(OpenMark.free.span, at: 0)
      } catch {
        if !ended.hasAttempt { try? FileSystem.unlink(store.file(name)) }
      }
      try? ended.lock.release(at: 0)
    }
  }

  /// Leaves the file behind, as a crash would.
  func abandon() {
    state.withLock { state in
      guard let ended = state.take() else { return }
      try? ended.lock.release(at: 0)
    }
  }
}

extension OpenMark {
  /// Returns the unclean shutdowns whose files crashed processes left, sorted by time.
  ///
  /// - Complexity: O(names in the directory); some calls for each process that has the store open.
  static func uncleanShutdowns(
    in store: StorePath, isLocked: Bool = false
  ) throws(StoreError) -> [UncleanShutdown] {
    uncleanShutdowns(of: try store.list(), in: store, isLocked: isLocked) { _, _ in }
  }

  /// Returns the unclean shutdowns whose files are among the names in a store's directory.
  ///
  /// - Parameters:
  ///   - isLocked: Whether the caller holds the opening lock, so that no other process is taking or
  ///     creating its file.
  ///   - useFree: Called with each free file and its name; an error of it is ignored.
  private static func uncleanShutdowns(
    of names: [String], in store: StorePath, isLocked: Bool,
    _ useFree: (consuming ByteRangeLock, String) throws(SystemError) -> Void
  ) -> [UncleanShutdown] {
    var shutdowns: [UncleanShutdown] = []
    for name in names where isName(name) {
      // A file that cannot be read says nothing.
      if let found = try? find(name, in: store, isLocked: isLocked, useFree) {
        shutdowns.append(found)
      }
    }
    return shutdowns.sorted { $0.noted < $1.noted }
  }

  /// Removes the mark of a crashed process, if it still exists and its attempt can be kept.
  static func remove(_ shutdown: UncleanShutdown, in store: StorePath) {
    guard (try? keepAttempt(of: shutdown.name, in: store)) != nil else { return }
    try? FileSystem.unlink(store.file(shutdown.name))
  }

  /// Reads a file; returns `nil` if it is missing or free, or if its process is alive or is closing
  /// the store.
  private static func find(
    _ name: String, in store: StorePath, isLocked: Bool,
    _ useFree: (consuming ByteRangeLock, String) throws(SystemError) -> Void
  ) throws(SystemError) -> UncleanShutdown? {
    do throws(SystemError) {
      let lock = ByteRangeLock(
        try OpenFile.open(store.file(name), [.read, .write, .noFollow, .nonBlocking]))
      let info = try lock.file.info()
      guard info.isRegular else { return nil }
      // A process locks the file before it writes the first byte, and unlocks it after freeing or
      // unlinking it. So the bytes belong to an ended process only if they are read after the lock
      // was seen free, and if no process takes the file in between.
      guard try lock.foreignLock(at: 0) == .unlocked else { return nil }
      let bytes = try lock.file.read(at: 0, count: byteCount)
      if bytes.starts(with: free) {
        try useFree(lock, name)
        return nil
      }
      if !isLocked {
        guard !bytes.isEmpty, try lock.foreignLock(at: 0) == .unlocked,
          try lock.file.read(at: 0, count: byteCount) == bytes
        else { return nil }
      }
      guard try FileSystem.linkInfo(store.file(name)).identity == info.identity else { return nil }
      return UncleanShutdown(name, bytes, noted: info.modified)
    } catch {
      if error.code == .noSuchFile { return nil }
      throw error
    }
  }
}

// MARK: The attempt

extension OpenMark {
  /// Begins the attempt of a session: writes its number, without a group.
  func beginAttempt(ofSession session: UInt64) throws(SystemError) {
    var writer = AvroWriter(capacity: 8)
    writer.littleEndian(session)
    let bytes = writer.bytes
    try state.withLock { (state) throws(SystemError) in
      state?.hasAttempt = true
      try state?.lock.file.write(bytes.span, at: Self.byteCount)
    }
  }

  /// Removes the group of the attempt, which stays without one.
  func removeGroup() throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      try state?.lock.file.truncate(to: Self.groupOffset)
    }
  }

  /// Writes the first bytes of the attempt's group.
  func writeAttempt(_ bytes: Span<UInt8>) throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      try state?.lock.file.write(bytes, at: Self.groupOffset)
    }
  }

  /// Removes the attempt, so that nothing of its group is left in the file.
  func endAttempt() throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      try state?.lock.file.truncate(to: Self.byteCount)
      state?.hasAttempt = false
    }
  }

  /// Returns whether a name in a store's directory is the name of a mark.
  static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

  /// Moves the attempt that a crashed process has under the number of a session into its own file.
  ///
  /// The attempts of other sessions stay in their marks until the next open moves them.
  ///
  /// - Parameter names: The names of the marks.
  static func keepAttempts(
    ofSession session: UInt64, in names: [String], of store: StorePath
  ) throws(SystemError) {
    for name in names {
      do throws(SystemError) {
        guard try find(name, in: store, isLocked: false, { _, _ in }) != nil else { continue }
        try keepAttempt(of: name, in: store, onlyOf: session)
      } catch {
        // A directory or a link of that name is not a mark.
        if error.code != .isADirectory, error.code != .tooManyLinks { throw error }
      }
    }
  }

  /// Moves the attempt in a mark, if there is one, into the file `attempt.<session>`.
  ///
  /// The file appears as a whole, so that no process finds a part of it. It replaces the file of an
  /// older session with the same number. Processes that move the same attempt at the same time
  /// write the same file.
  ///
  /// - Parameter only: The session whose attempt is moved; `nil` for any session.
  private static func keepAttempt(
    of name: String, in store: StorePath, onlyOf only: UInt64? = nil
  ) throws(SystemError) {
    do throws(SystemError) {
      let file = try OpenFile.open(store.file(name), [.read, .write, .noFollow, .nonBlocking])
      let size = try file.size
      guard size > byteCount else { return }
      // A file that is longer than any group counts as torn.
      let limit = min(size - byteCount, 2 * LogFormat.payloadBytesMax)
      let bytes = try file.read(at: byteCount, count: limit)
      var reader = AvroReader(bytes.span)
      if let session = try? reader.littleEndian64(), LogFormat.isSequence(session) {
        if let only, session != only { return }
        try FileSystem.replace(
          LogStorage.attemptPath(ofSession: session, in: store),
          with: bytes.span.extracting(8...), isSynced: false)
      }
      try file.truncate(to: byteCount)
    } catch {
      // Another process has moved the attempt and removed the mark.
      if error.code != .noSuchFile { throw error }
    }
  }
}
