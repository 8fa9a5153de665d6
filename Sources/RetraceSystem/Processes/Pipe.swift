import Glibc
import Synchronization

/// Pipes that child processes do not inherit.
package enum Pipe {
  /// Held while a pipe is created and while a program is started.
  ///
  /// Swift cannot call `pipe2`. A program that starts between creating a pipe and marking its ends
  /// would inherit them, and a reader of the pipe would never get the end of the data.
  static let lock = Mutex(())

  /// Creates a pipe; the C function is `pipe`.
  package static func make(
    nonBlocking: Bool = false
  ) throws(SystemError) -> (read: Int32, write: Int32) {
    try lock.withLock { _ throws(SystemError) in
      var ends: [Int32] = [-1, -1]
      // Unsafe: C writes two integers into an array of two.
      _ = try System.call(.pipe, nil) { unsafe pipe(&ends) }
      for end in ends {
        _ = try System.call(.fcntl, nil) { fcntl(end, F_SETFD, FD_CLOEXEC) }
        if nonBlocking { _ = try System.call(.fcntl, nil) { fcntl(end, F_SETFL, O_NONBLOCK) } }
      }
      return (ends[0], ends[1])
    }
  }
}
