import Glibc

/// A lock on a directory, held by one open of it at a time; the C function is `flock`.
///
/// It needs no file and no right to write. The system frees it when the process ends, however it
/// ends.
public struct DirectoryLock: ~Copyable, Sendable {
  private let directory: OpenFile

  /// Takes the lock, as soon as no other open of the directory holds it.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - limitMilliseconds: For how long to wait at most.
  /// - Returns: The lock, which the end of its life frees.
  /// - Throws: ``SystemError``, `.accessDenied` for a directory that this user cannot list,
  ///   `.busy` if another open holds the lock for longer than the limit.
  public static func wait(
    for path: String, limitMilliseconds: Int64
  ) throws(SystemError) -> DirectoryLock {
    let directory = try OpenFile.open(path, [.read, .directory])
    let end = MonotonicClock.nanoseconds() + limitMilliseconds * 1_000_000
    while try !tryLock(directory) {
      guard MonotonicClock.nanoseconds() < end else {
        throw SystemError(.busy, during: .flock, path: path)
      }
      MonotonicClock.sleep(nanoseconds: 200_000)
    }
    return DirectoryLock(directory: directory)
  }

  private static func tryLock(_ directory: borrowing OpenFile) throws(SystemError) -> Bool {
    let descriptor = directory.descriptor
    do throws(SystemError) {
      _ = try System.call(.flock, directory.path) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.code == .tryAgain else { throw error }
      return false
    }
  }

  private init(directory: consuming OpenFile) { self.directory = directory }

  /// Frees the lock by name: a program that is just being started still has a copy of the open
  /// directory for a moment, and would keep the lock as long.
  deinit { _ = flock(directory.descriptor, LOCK_UN) }
}
