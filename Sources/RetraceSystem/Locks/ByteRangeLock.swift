import CRetraceSystem
import Glibc

/// A file whose single bytes can be locked against other opens of the same file.
///
/// The locks belong to this open of the file (its open file description), not to the process or the
/// thread. Two values in one process exclude each other like two processes, and closing another
/// open of the file releases nothing. The system releases the locks when the process ends, however
/// it ends. A locked byte need not exist in the file. The system does not tell which process holds
/// such a lock; see ``holders(at:)``.
///
/// The C function is `fcntl` with `F_OFD_SETLK`.
package struct ByteRangeLock: ~Copyable, Sendable {
  package enum ForeignLock: Hashable, Sendable {
    case unlocked
    /// A shared lock, held by one or more opens.
    case shared
    case exclusive
  }

  package let file: OpenFile

  /// Opens a file for locking, and creates a missing file with mode 0600.
  package static func open(_ path: String) throws(SystemError) -> ByteRangeLock {
    ByteRangeLock(try OpenFile.open(path, [.read, .write, .create, .noFollow], mode: 0o600))
  }

  package static func openExisting(_ path: String) throws(SystemError) -> ByteRangeLock {
    ByteRangeLock(try OpenFile.open(path, [.read, .write, .noFollow, .nonBlocking]))
  }

  /// Takes ownership of a file that is open for reading and writing.
  package init(_ file: consuming OpenFile) {
    self.file = file
  }

  /// Takes a shared lock on a byte, without waiting.
  ///
  /// It replaces the lock that this value already holds on the byte, if any.
  ///
  /// - Parameter offset: The position of the byte, from 0 to 2^63 - 2.
  /// - Returns: Whether the lock was taken; `false` if another open holds an exclusive lock.
  package func tryShared(at offset: Int) throws(SystemError) -> Bool {
    try trySet(Int32(F_RDLCK), offset)
  }

  /// Takes an exclusive lock on a byte, without waiting.
  ///
  /// It replaces the lock that this value already holds on the byte, if any.
  ///
  /// - Parameter offset: The position of the byte, from 0 to 2^63 - 2.
  /// - Returns: Whether the lock was taken; `false` if another open holds any lock.
  package func tryExclusive(at offset: Int) throws(SystemError) -> Bool {
    try trySet(Int32(F_WRLCK), offset)
  }

  /// Takes an exclusive lock on a byte that this value has not locked, without waiting.
  ///
  /// If the call throws, the byte is released, because an error does not say whether it was locked.
  ///
  /// - Parameter offset: The position of the byte, from 0 to 2^63 - 2.
  /// - Returns: Whether the lock was taken; `false` if another open holds any lock.
  package func tryAcquire(at offset: Int) throws(SystemError) -> Bool {
    do throws(SystemError) {
      return try tryExclusive(at: offset)
    } catch {
      try? release(at: offset)
      throw error
    }
  }

  /// Releases the lock on a byte; does nothing if this value holds none.
  ///
  /// Tries three times, because Linux needs memory to release a lock. If all tries fail, the byte
  /// stays locked until the file is closed.
  package func release(at offset: Int) throws(SystemError) {
    for _ in 0..<2 {
      if (try? set(Int32(F_UNLCK), offset)) != nil { return }
      MonotonicClock.sleep(nanoseconds: 1_000_000)
    }
    try set(Int32(F_UNLCK), offset)
  }

  package func foreignLock(at offset: Int) throws(SystemError) -> ForeignLock {
    var lock = lockRequest(Int32(F_WRLCK), at: offset)
    // Unsafe: C reads and writes a local variable.
    _ = try System.call(.fcntl, file.path) {
      unsafe fcntl(file.descriptor, retrace_F_OFD_GETLK, &lock)
    }
    switch Int32(lock.l_type) {
    case Int32(F_UNLCK): return .unlocked
    case Int32(F_RDLCK): return .shared
    default: return .exclusive
    }
  }

  private func set(_ type: Int32, _ offset: Int) throws(SystemError) {
    var lock = lockRequest(type, at: offset)
    // Unsafe: C reads a local variable.
    _ = try System.call(.fcntl, file.path) {
      unsafe fcntl(file.descriptor, retrace_F_OFD_SETLK, &lock)
    }
  }

  /// Locks a byte, unless another open of the file holds a lock that excludes this one.
  private func trySet(_ type: Int32, _ offset: Int) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try set(type, offset)
      return true
    } catch {
      guard error.code == .tryAgain || error.code == .accessDenied else { throw error }
      return false
    }
  }

  private func lockRequest(_ type: Int32, at offset: Int) -> flock {
    precondition(
      offset >= 0 && offset < Int.max,
      "ByteRangeLock: the byte offset \(offset) is outside 0..<Int.max")
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = offset
    lock.l_len = 1
    // Linux requires 0 for locks of an open file description.
    lock.l_pid = 0
    return lock
  }
}
