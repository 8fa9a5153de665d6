import CRetraceSystem
import Glibc

/// The raw mode of a terminal: while this value lives, keys arrive as typed and are not echoed.
///
/// Every way out restores the terminal and writes the epilogue: destroying the value, the exit of
/// the process, a signal that ends it, a crash, and a stack overflow of a thread of this module.
/// After that, the signal has its previous effect: it ends the process or calls the program's
/// handler, with all that is known of the signal. An ignored signal stays ignored. Nothing can be
/// done about `SIGKILL` and `_exit`.
///
/// A signal that stops the process does the same. When the process continues,
/// ``Terminal/read(_:limit:timeoutMilliseconds:)`` returns `.continued`, and ``resume()`` enters
/// raw mode again. Keys that would send signals arrive as bytes, except for lines. Only one value
/// can exist at a time.
package struct RawMode: ~Copyable {
  /// The life of the terminal that the written bytes are meant for: what is written after the
  /// terminal was left is dropped.
  private var generation: UInt32

  /// The largest size of a prologue or an epilogue.
  package static var bytesMax: Int { Int(retrace_terminal_bytes_max) }

  /// Switches a terminal to raw mode, and writes the prologue.
  ///
  /// In the background, the process is stopped first, until it comes to the foreground.
  ///
  /// - Parameters:
  ///   - descriptor: The terminal, usually 0.
  ///   - output: The same terminal for writing, usually 1.
  ///   - isForLines: Whether only the system's editing of a line is off. Keys that send signals
  ///     still do, output has the line ends of the terminal, and nothing that was typed is dropped.
  ///   - prologue: The bytes that switch the modes of the program on, such as entering the
  ///     alternate screen.
  ///   - epilogue: The bytes that switch them off.
  /// - Throws: `SystemError`, `.notATerminal`, `.busy` if another value exists, or `.aboveLimit`
  ///   for more bytes than ``bytesMax``.
  package init(
    _ descriptor: Int32 = 0, output: Int32 = 1, isForLines: Bool = false, prologue: [UInt8] = [],
    epilogue: [UInt8] = []
  ) throws(SystemError) {
    // Unsafe: C reads the bytes during the call only.
    try Self.check(
      unsafe Self.withBytes(prologue, epilogue) { prologue, epilogue in
        unsafe retrace_terminal_enter(
          descriptor, output, isForLines ? 1 : 0, prologue, epilogue)
      })
    generation = retrace_terminal_generation()
  }

  deinit { retrace_terminal_leave() }

  /// Replaces the prologue and the epilogue for what follows, and writes neither.
  ///
  /// Call it before writing what switches a mode on, and after writing what switches it off.
  ///
  /// - Throws: `SystemError`, `.aboveLimit` for more bytes than ``bytesMax``.
  package borrowing func replace(prologue: [UInt8], epilogue: [UInt8]) throws(SystemError) {
    // Unsafe: C reads the bytes during the call only.
    try Self.check(
      unsafe Self.withBytes(prologue, epilogue) { prologue, epilogue in
        unsafe retrace_terminal_replace(prologue, epilogue)
      })
  }

  /// Enters raw mode again after the process was stopped, and writes the prologue.
  ///
  /// In the background, the process is stopped again. The present settings of the terminal become
  /// those that the end of raw mode restores.
  ///
  /// - Returns: Whether raw mode was entered; `false` if the process is ending, or if its group
  ///   stays in the background because no shell could continue it.
  /// - Throws: `SystemError` if the settings cannot be changed.
  package mutating func resume() throws(SystemError) -> Bool {
    let code = SystemError.Code(rawValue: retrace_terminal_resume())
    switch code.rawValue {
    case 0:
      generation = retrace_terminal_generation()
      return true
    case ECANCELED, EIO: return false
    default: throw SystemError(code, during: .tcsetattr)
    }
  }

  /// Writes all bytes to the terminal; drops them if raw mode was left and not resumed.
  ///
  /// - Throws: `SystemError` if the terminal cannot be written to.
  package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
    // Unsafe: C reads the bytes during the call only.
    let code = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe retrace_terminal_write(
        generation, retrace_bytes(start: bytes.baseAddress, count: bytes.count))
    }
    if code != 0 { throw SystemError(.init(rawValue: code), during: .write) }
  }

  /// Stops the process group, as the suspend key of a terminal does outside of raw mode.
  ///
  /// Does nothing where `SIGTSTP` is ignored.
  package static func suspend() {
    retrace_terminal_suspend()
  }

  // Unsafe: C reads the bytes during the call only.
  private static func withBytes(
    _ prologue: [UInt8], _ epilogue: [UInt8], _ body: (retrace_bytes, retrace_bytes) -> Int32
  ) -> Int32 {
    unsafe prologue.withUnsafeBufferPointer { prologue in
      unsafe epilogue.withUnsafeBufferPointer { epilogue in
        unsafe body(
          retrace_bytes(start: prologue.baseAddress, count: prologue.count),
          retrace_bytes(start: epilogue.baseAddress, count: epilogue.count))
      }
    }
  }

  private static func check(_ code: Int32) throws(SystemError) {
    guard code != 0 else { return }
    throw SystemError(code == E2BIG ? .aboveLimit : .init(rawValue: code), during: .tcsetattr)
  }
}
