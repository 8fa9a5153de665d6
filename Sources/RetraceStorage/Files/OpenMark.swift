import RetraceAvro
import RetraceLog
import RetraceSystem
import Synchronization

/// The file `open.<number>` of one open of a store: there while it is open, and left behind by a
/// process that ended without closing.
///
/// Its first byte is locked as long as the store is open, so a file that nobody has locked is a
/// process that ended in the middle. Any number of processes have one each: that one of them ended
/// is seen whoever goes on. Nothing is synced; the file is for a process that ends, not for a
/// machine that stops, after which the pages of the data file are whole. A store whose directory
/// cannot be written to has no such files.
final class OpenMark: Sendable {
  /// How the names of the files begin.
  static let prefix = "open."
  /// What a file begins with.
  static let magic = Array("RTOPEN1\n".utf8)
  /// The number of bytes of a file.
  static let byteCount = 64

  private struct State: ~Copyable {
    let lock: RangeLock
    let path: String
  }

  /// The name of the file.
  let name: String
  private let state: Mutex<State?>

  private init(_ lock: consuming RangeLock, name: String, path: String) {
    self.name = name
    state = Mutex(State(lock: lock, path: path))
  }

  // A store that was not closed has not ended in order.
  deinit { abandon() }

  /// Makes the file of an open that begins, and finds what processes left that ended.
  ///
  /// Both happen under the opening lock. So an empty file that is not locked was left by a process
  /// that was killed between making and locking it.
  ///
  /// - Returns: The mark, `nil` if it cannot be made; the ends, in order of time.
  static func begin(
    _ store: StorePath, writing: Bool, under lock: OpeningLock?
  ) throws(StoreError) -> (mark: OpenMark?, left: [UncleanEnd]) {
    // A file system that is mounted to be read only has no locks, and no process that writes.
    guard let lock else { return (nil, try left(in: store, isLocked: true)) }
    return try lock.whileHeld { () throws(StoreError) in
      let mark = make(store, writing: writing)
      do throws(StoreError) {
        return (mark, try left(in: store, isLocked: true))
      } catch {
        mark?.end()
        throw error
      }
    }
  }

  private static func make(_ store: StorePath, writing: Bool) -> OpenMark? {
    var random = SystemRandomNumberGenerator()
    let name = prefix + String(random.next() as UInt64, radix: 16)
    let path = store.file(name)
    do throws(SystemError) {
      let lock = RangeLock(
        try OpenFile.open(path, [.read, .write, .create, .exclusive, .noFollow], mode: 0o600))
      do throws(SystemError) {
        _ = try lock.tryExclusive(at: 0)
        try lock.file.write(UncleanEnd.encoded(writing: writing).span, at: 0)
        return OpenMark(lock, name: name, path: path)
      } catch {
        try? FileSystem.unlink(path)
        throw error
      }
    } catch {
      return nil
    }
  }

  /// Notes what the process is doing; failing is no error.
  func note(_ phase: UncleanEnd.Phase) {
    state.withLock { state in
      try? state?.lock.file.write(UncleanEnd.encoded(phase).span, at: UncleanEnd.phaseOffset)
    }
  }

  /// Notes the record that is about to be folded; failing is no error.
  func note(_ sequence: UInt64) {
    var writer = AvroWriter(capacity: 8)
    writer.littleEndian(sequence)
    let bytes = writer.bytes
    state.withLock { state in
      try? state?.lock.file.write(bytes.span, at: UncleanEnd.sequenceOffset)
    }
  }

  /// Removes the file: the store was closed in order.
  func end() {
    state.withLock { state in
      guard let ended = state.take() else { return }
      // First the name, then the lock: a file that is not locked is never one in use.
      try? FileSystem.unlink(ended.path)
      try? ended.lock.release(at: 0)
    }
  }

  /// Leaves the file behind, as a process that ended would.
  func abandon() {
    state.withLock { state in
      guard let ended = state.take() else { return }
      try? ended.lock.release(at: 0)
    }
  }
}

extension OpenMark {
  /// What processes that ended without closing the store left, in order of time.
  ///
  /// - Parameter isLocked: Whether the caller holds the opening lock, so that no process is making
  ///   its file just now.
  /// - Complexity: O(names in the directory); some calls for each process that has the store open.
  static func left(
    in store: StorePath, isLocked: Bool = false
  ) throws(StoreError) -> [UncleanEnd] {
    var left: [UncleanEnd] = []
    for name in try store.list() where name.hasPrefix(prefix) {
      if let end = read(name, in: store, isLocked: isLocked) { left.append(end) }
    }
    return left.sorted { $0.noted < $1.noted }
  }

  /// Removes what a process left that ended, and the note that it was about to make of the log's
  /// end; nothing happens if another removed it.
  static func remove(_ end: UncleanEnd, in store: StorePath) {
    try? FileSystem.unlink(store.file(Anchor.draft(of: end.name)))
    try? FileSystem.unlink(store.file(end.name))
  }

  /// What a file says; `nil` if its process lives, or closes just now.
  private static func read(
    _ name: String, in store: StorePath, isLocked: Bool
  ) -> UncleanEnd? {
    do throws(SystemError) {
      let lock = RangeLock(
        try OpenFile.open(store.file(name), [.read, .write, .noFollow, .nonBlocking]))
      let info = try lock.file.info()
      guard info.isRegular else { return nil }
      let bytes = try lock.file.read(at: 0, count: byteCount)
      // The lock is taken before the first byte is written, and kept until the name is gone.
      guard !bytes.isEmpty || isLocked, try lock.holding(at: 0) == .nobody,
        try FileSystem.linkInfo(store.file(name)).identity == info.identity
      else { return nil }
      return UncleanEnd(name, bytes, noted: info.modified)
    } catch {
      return nil
    }
  }
}
