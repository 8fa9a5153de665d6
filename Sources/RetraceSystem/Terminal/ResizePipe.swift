import Glibc
import Synchronization

/// A pipe that becomes readable when the terminal's size changes, or on a call to wake.
enum ResizePipe {
  // Written once under the lock; the signal handler only reads the number.
  private static let readEnd = Atomic<Int32>(-1)
  private static let writeEnd = Atomic<Int32>(-1)
  private static let lock = Lock(false)

  /// The pipe's end to read from; `nil` before ``install()``.
  static var descriptor: Int32? {
    let descriptor = readEnd.load(ordering: .acquiring)
    return descriptor < 0 ? nil : descriptor
  }

  /// Makes the pipe readable without a change of the size.
  static func wake() {
    var byte: UInt8 = 1
    // Unsafe: C reads one local byte. If the pipe is full or missing, no byte is needed.
    _ = unsafe write(writeEnd.load(ordering: .acquiring), &byte, 1)
  }

  static func install() throws(SystemError) {
    try lock.withLock { isInstalled throws(SystemError) in
      if isInstalled { return }
      let ends = try Pipe.make(nonBlocking: true)
      writeEnd.store(ends.write, ordering: .releasing)
      readEnd.store(ends.read, ordering: .releasing)
      // Unsafe: a signal handler may do little; this one writes one byte and preserves `errno`. The
      // globals that it uses are initialized above, because initializing them lazily in a handler
      // is unsafe.
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { _ in
        let saved = errno
        var byte: UInt8 = 0
        _ = unsafe write(ResizePipe.writeEnd.load(ordering: .acquiring), &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART
      _ = unsafe sigaction(SIGWINCH, &action, nil)
      isInstalled = true
    }
  }
}
