import CRetraceSystem
import Glibc

/// Terminals: whether a descriptor is one, its size, and its input.
package enum Terminal {
  /// Whether a descriptor is a terminal; the C function is `isatty`.
  ///
  /// - Parameter descriptor: 0 for the standard input, 1 and 2 for the outputs.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Returns the size of a terminal in characters, or `nil` if it is unknown.
  package static func size(_ descriptor: Int32 = 1) -> (columns: Int, rows: Int)? {
    var size = winsize()
    // Unsafe: C writes to a local variable.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  package enum Event: Hashable, Sendable {
    case bytes([UInt8])
    /// The size changed; reported only after `reportResizes()`.
    case resized
    /// The process was stopped and continues; reported only in raw mode, which the program enters
    /// again with ``RawMode/resume()``.
    case continued
    /// Another thread called ``wake()``.
    case woken
    case timedOut
    /// The input ended, or a signal that ends the process restored the terminal.
    case ended
  }

  /// Waits for bytes, the end of the input, a signal that concerns the terminal, a call to
  /// ``wake()``, or a timeout.
  ///
  /// - Parameters:
  ///   - descriptor: The terminal, usually 0.
  ///   - limit: The largest number of bytes to read.
  ///   - timeoutMilliseconds: The longest wait; `nil` for no limit.
  /// - Returns: The first event.
  package static func read(
    _ descriptor: Int32 = 0, limit: Int = 4096, timeoutMilliseconds: Int? = nil
  ) throws(SystemError) -> Event {
    let deadline = timeoutMilliseconds.map { MonotonicClock.deadline(inMilliseconds: $0) }
    while true {
      // Without a descriptor of events, the system ignores the negative number.
      let events = retrace_terminal_events_made()
      var files = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: events, events: Int16(POLLIN), revents: 0),
      ]
      let left = deadline.map { ($0 - MonotonicClock.nanoseconds() + 999_999) / 1_000_000 }
      let wait = left.map { Int32(clamping: max(0, $0)) } ?? -1
      switch try System.poll(&files, milliseconds: wait) {
      case true?:
        if files[1].revents == 0 { return try input(descriptor, limit) }
        if let event = nextEvent() { return event }
      case false?: return .timedOut
      // A signal interrupted the wait.
      case nil: continue
      }
    }
  }

  /// Removes and returns the first event beside the input, if there is one.
  private static func nextEvent() -> Event? {
    switch Int(retrace_terminal_next_event()) {
    case Int(retrace_terminal_ending): .ended
    case Int(retrace_terminal_continued): .continued
    case Int(retrace_terminal_resized): .resized
    case Int(retrace_terminal_woken): .woken
    default: nil
    }
  }

  private static func input(_ descriptor: Int32, _ limit: Int) throws(SystemError) -> Event {
    do throws(SystemError) {
      let bytes = try readSome(limit, from: descriptor, nil)
      return bytes.isEmpty ? .ended : .bytes(bytes)
    } catch {
      // Reading fails with EIO after the terminal's other end was closed.
      guard error.code == .inputOutput else { throw error }
      return .ended
    }
  }

  /// Makes ``read(_:limit:timeoutMilliseconds:)`` on another thread return `.woken`; works only
  /// after `reportResizes()`.
  package static func wake() {
    retrace_terminal_wake()
  }

  /// Makes ``read(_:limit:timeoutMilliseconds:)`` return `.resized` when the terminal's size
  /// changes.
  ///
  /// A handler of the program is called, too.
  ///
  /// - Throws: `SystemError` if the system has no free descriptor.
  package static func reportResizes() throws(SystemError) {
    _ = try System.call(.pipe, nil) { retrace_terminal_events() }
  }
}
