import CRetraceSystem
import Glibc

/// Pipes that child processes do not inherit.
package enum Pipe {
  /// Creates a pipe; the C function is `pipe2`.
  ///
  /// A program that starts meanwhile does not inherit its ends.
  package static func make(
    nonBlocking: Bool = false
  ) throws(SystemError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    // Unsafe: C writes two integers into an array of two.
    _ = try System.call(.pipe, nil) {
      unsafe retrace_pipe2(&ends, O_CLOEXEC | (nonBlocking ? O_NONBLOCK : 0))
    }
    return (ends[0], ends[1])
  }
}
