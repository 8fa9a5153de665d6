import Glibc
package import RetraceSystem

/// A pseudoterminal: a terminal without a screen, on which a program can run.
///
/// This process reads the program's output and writes the keys that the program reads.
package struct PseudoTerminal: ~Copyable, Sendable {
  /// The controlling side: reading returns the program's output, writing types keys.
  package let controller: OpenFile
  /// The path of the program's side, for `ChildProcess.Options.terminal`.
  package let path: String

  // Macros of Linux that Swift's Glibc module leaves out: `TIOCSPTLCK` and `TIOCGPTN`.
  private static var unlock: UInt { 0x4004_5431 }
  private static var getNumber: UInt { 0x8004_5430 }

  /// Creates a terminal of a size in characters.
  ///
  /// - Throws: `SystemError` if the system has no terminal left.
  package static func open(columns: Int, rows: Int) throws(SystemError) -> PseudoTerminal {
    let controller = try OpenFile.open("/dev/ptmx", [.read, .write])
    var (isLocked, number): (Int32, UInt32) = (0, 0)
    // Unsafe: C reads one local variable and writes the other.
    try check(unsafe ioctl(controller.descriptor, unlock, &isLocked))
    try check(unsafe ioctl(controller.descriptor, getNumber, &number))
    let terminal = PseudoTerminal(controller: controller, path: "/dev/pts/\(number)")
    try terminal.resize(columns: columns, rows: rows)
    return terminal
  }

  /// Changes the size; the program receives a signal.
  ///
  /// - Throws: `SystemError` if the other end was closed.
  package func resize(columns: Int, rows: Int) throws(SystemError) {
    var size = winsize()
    size.ws_col = UInt16(clamping: columns)
    size.ws_row = UInt16(clamping: rows)
    // Unsafe: C reads a local variable.
    try Self.check(unsafe ioctl(controller.descriptor, UInt(TIOCSWINSZ), &size))
  }

  private static func check(_ result: Int32) throws(SystemError) {
    if result != 0 { throw SystemError(.init(rawValue: errno), during: .tcsetattr) }
  }
}
