import Glibc

/// An exclusive lock on a directory, held by one open of it; the C function is `flock`.
///
/// It needs neither a lock file nor write permission. The system releases it when the process ends,
/// however it ends.
package struct DirectoryLock: ~Copyable, Sendable {
  private let directory: OpenFile

  /// Waits until no other open of the directory holds the lock, and takes it.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - timeoutMilliseconds: The longest wait.
  /// - Returns: The lock, which is released when the value is destroyed.
  /// - Throws: ``SystemError``, `.accessDenied` for a directory that this user cannot list, `.busy`
  ///   if another open holds the lock for longer than the limit.
  package static func acquire(
    for path: String, timeoutMilliseconds: Int64
  ) throws(SystemError) -> DirectoryLock {
    let directory = try OpenFile.open(path, [.read, .directory])
    let end = MonotonicClock.nanoseconds() + timeoutMilliseconds * 1_000_000
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

  /// Releases the lock explicitly.
  ///
  /// A child process that is being spawned has a copy of the descriptor for a short time. If this
  /// process only closed its own descriptor, the copy would still hold the lock.
  deinit { _ = flock(directory.descriptor, LOCK_UN) }
}
