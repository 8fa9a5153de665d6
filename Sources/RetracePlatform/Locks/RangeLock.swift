import Glibc

/// A file whose bytes can be locked, each on its own, against other opens of the same file.
///
/// The locks belong to this open of the file, not to the process or thread: two values in one
/// process exclude each other as two processes do, and other opens and closes of the file take
/// nothing away. The system frees them when the process ends, however it ends. A lock's byte need
/// not exist in the file. Who holds a lock cannot be told from the lock itself, for the system
/// gives no process for locks of this kind; see ``holders(at:)``.
///
/// The C function is `fcntl` with `F_OFD_SETLK`.
public struct RangeLock: ~Copyable, Sendable {
  /// What others have locked.
  public enum Holding: Hashable, Sendable {
    /// Nothing.
    case nobody
    /// One or more hold it together.
    case shared
    /// One holds it alone.
    case exclusive
  }

  /// The file.
  public let file: OpenFile

  /// Opens a file for locking, and makes it with mode 0600 if there is none.
  public static func open(_ path: String) throws(PlatformError) -> RangeLock {
    RangeLock(try OpenFile.open(path, [.read, .write, .create, .noFollow], mode: 0o600))
  }

  /// Opens a file for locking that has to be there.
  public static func openExisting(_ path: String) throws(PlatformError) -> RangeLock {
    RangeLock(try OpenFile.open(path, [.read, .write, .noFollow, .nonBlocking]))
  }

  /// Takes over a file that is open for reading and writing.
  public init(_ file: consuming OpenFile) {
    self.file = file
  }

  /// Locks a byte together with others, in place of a lock this value has on it; does not wait.
  ///
  /// - Parameter offset: The position of the byte, from 0 to 2^63 - 2.
  /// - Returns: Whether it is locked now; `false` if another holds it alone.
  public func tryShared(at offset: Int) throws(PlatformError) -> Bool {
    try set(Int32(F_RDLCK), offset)
  }

  /// Locks a byte alone, in place of a lock this value has on it; does not wait.
  ///
  /// - Parameter offset: The position of the byte, from 0 to 2^63 - 2.
  /// - Returns: Whether it is locked now; `false` if another holds it in any way.
  public func tryExclusive(at offset: Int) throws(PlatformError) -> Bool {
    try set(Int32(F_WRLCK), offset)
  }

  /// Frees a byte; nothing happens if this value has no lock on it.
  ///
  /// Tries three times, because Linux needs memory to free a lock. If all fail, the lock stays until
  /// the file is closed.
  public func release(at offset: Int) throws(PlatformError) {
    for _ in 0..<2 {
      if (try? set(Int32(F_UNLCK), offset)) == true { return }
      MonotonicClock.sleep(nanoseconds: 1_000_000)
    }
    guard try set(Int32(F_UNLCK), offset) else {
      throw PlatformError(.accessDenied, during: .fcntl, path: file.path)
    }
  }

  /// What others, not this value, hold on a byte.
  public func holding(at offset: Int) throws(PlatformError) -> Holding {
    var lock = description(of: Int32(F_WRLCK), offset)
    // Unsafe: C reads and writes a local variable.
    _ = try System.call(.fcntl, file.path) {
      unsafe fcntl(file.descriptor, getLock, &lock)
    }
    switch Int32(lock.l_type) {
    case Int32(F_UNLCK): return .nobody
    case Int32(F_RDLCK): return .shared
    default: return .exclusive
    }
  }

  private func set(_ type: Int32, _ offset: Int) throws(PlatformError) -> Bool {
    var lock = description(of: type, offset)
    do throws(PlatformError) {
      // Unsafe: C reads a local variable.
      _ = try System.call(.fcntl, file.path) {
        unsafe fcntl(file.descriptor, setLock, &lock)
      }
      return true
    } catch {
      guard error.code == .tryAgain || error.code == .accessDenied else { throw error }
      return false
    }
  }

  private func description(of type: Int32, _ offset: Int) -> flock {
    precondition(offset >= 0 && offset < Int.max, "RangeLock: byte \(offset)")
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = offset
    lock.l_len = 1
    // The system demands 0 for locks of an open file.
    lock.l_pid = 0
    return lock
  }
}

// The numbers of `F_OFD_GETLK` and `F_OFD_SETLK`, which C shows only with an extension switched on.
private let getLock: Int32 = 36
private let setLock: Int32 = 37
