import Glibc
import Synchronization

/// Pipes that programs which are started do not inherit.
package enum Pipe {
  /// Held while a pipe is made and while a program is started.
  ///
  /// `pipe2` is not among what Swift sees of C, so between making a pipe and marking its ends a
  /// program that is started would inherit them, and keep the pipe from ever ending.
  static let lock = Mutex(())

  /// Makes a pipe; the C function is `pipe`.
  package static func make(
    nonBlocking: Bool = false
  ) throws(SystemError) -> (read: Int32, write: Int32) {
    try lock.withLock { _ throws(SystemError) in
      var ends: [Int32] = [-1, -1]
      // Unsafe: C writes two numbers into the array's two.
      _ = try System.call(.pipe, nil) { unsafe pipe(&ends) }
      for end in ends {
        _ = try System.call(.fcntl, nil) { fcntl(end, F_SETFD, FD_CLOEXEC) }
        if nonBlocking { _ = try System.call(.fcntl, nil) { fcntl(end, F_SETFL, O_NONBLOCK) } }
      }
      return (ends[0], ends[1])
    }
  }
}
