import Glibc
public import RetraceSystem

/// A terminal without a screen: what a program writes to it is read here, what is written here it
/// takes for keys.
public struct PseudoTerminal: ~Copyable, Sendable {
  /// This side: reading gives what the program shows, writing types.
  public let controller: OpenFile
  /// The path of the program's side, for ``ChildProcess/Options/terminal``.
  public let path: String

  /// Makes a terminal.
  ///
  /// - Parameters:
  ///   - columns: Its width in characters.
  ///   - rows: Its height in characters.
  public static func open(columns: Int, rows: Int) throws(SystemError) -> PseudoTerminal {
    let controller = try OpenFile.open("/dev/ptmx", [.read, .write])
    var (isLocked, number): (Int32, UInt32) = (0, 0)
    // Unsafe: C reads one local variable and writes the other.
    _ = try System.call(.openpty, nil) {
      unsafe ioctl(controller.descriptor, setTerminalLock, &isLocked)
    }
    _ = try System.call(.openpty, nil) {
      unsafe ioctl(controller.descriptor, getTerminalNumber, &number)
    }
    let terminal = PseudoTerminal(controller: controller, path: "/dev/pts/\(number)")
    try terminal.resize(columns: columns, rows: rows)
    return terminal
  }

  /// Changes the size, which the program is told by a signal.
  public func resize(columns: Int, rows: Int) throws(SystemError) {
    var size = winsize()
    size.ws_col = UInt16(clamping: columns)
    size.ws_row = UInt16(clamping: rows)
    // Unsafe: C reads a local variable.
    _ = try System.call(.openpty, nil) {
      unsafe ioctl(controller.descriptor, UInt(TIOCSWINSZ), &size)
    }
  }
}

// The numbers of `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not see of C.
private let setTerminalLock: UInt = 0x4004_5431
private let getTerminalNumber: UInt = 0x8004_5430
