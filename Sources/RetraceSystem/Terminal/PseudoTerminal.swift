import CRetraceSystem
import Glibc

/// A pseudoterminal: a terminal without a screen, on which a program can run.
///
/// This process reads the program's output and writes the keys that the program reads.
package struct PseudoTerminal: ~Copyable, Sendable {
  /// The controlling side: reading returns the program's output, writing types keys.
  package let controller: OpenFile
  /// The path of the program's side, for `ChildProcess.Options.terminal`.
  package let path: String

  /// Creates a terminal.
  ///
  /// - Parameters:
  ///   - columns: The width in characters.
  ///   - rows: The height in characters.
  package static func open(columns: Int, rows: Int) throws(SystemError) -> PseudoTerminal {
    let controller = try OpenFile.open("/dev/ptmx", [.read, .write])
    var (isLocked, number): (Int32, UInt32) = (0, 0)
    // Unsafe: C reads one local variable and writes the other.
    _ = try System.call(.openpty, nil) {
      unsafe ioctl(controller.descriptor, retrace_TIOCSPTLCK, &isLocked)
    }
    _ = try System.call(.openpty, nil) {
      unsafe ioctl(controller.descriptor, retrace_TIOCGPTN, &number)
    }
    let terminal = PseudoTerminal(controller: controller, path: "/dev/pts/\(number)")
    try terminal.resize(columns: columns, rows: rows)
    return terminal
  }

  /// Changes the size; the program receives a signal.
  package func resize(columns: Int, rows: Int) throws(SystemError) {
    var size = winsize()
    size.ws_col = UInt16(clamping: columns)
    size.ws_row = UInt16(clamping: rows)
    // Unsafe: C reads a local variable.
    _ = try System.call(.openpty, nil) {
      unsafe ioctl(controller.descriptor, UInt(TIOCSWINSZ), &size)
    }
  }
}
