import Glibc
import RetraceSystem
import Synchronization

/// The changes of the terminal's size, turned from signals into bytes of a pipe, and calls to wake.
enum Resizes {
  // Written once under the lock; the handler of the signal reads the number only.
  private static let readEnd = Atomic<Int32>(-1)
  private static let writeEnd = Atomic<Int32>(-1)
  private static let lock = Mutex(false)

  /// Where a byte can be read after a change, or `nil` if nobody asked for it.
  static var descriptor: Int32? {
    let descriptor = readEnd.load(ordering: .acquiring)
    return descriptor < 0 ? nil : descriptor
  }

  /// Makes the pipe readable without a change of size.
  static func wake() {
    var byte: UInt8 = 1
    // Unsafe: C reads one local byte. A pipe that is full, or that there is not, needs no byte.
    _ = unsafe write(writeEnd.load(ordering: .acquiring), &byte, 1)
  }

  static func install() throws(SystemError) {
    try lock.withLock { isInstalled throws(SystemError) in
      if isInstalled { return }
      let ends = try Pipe.make(nonBlocking: true)
      writeEnd.store(ends.write, ordering: .releasing)
      readEnd.store(ends.read, ordering: .releasing)
      // Unsafe: a handler may do little; this one writes one byte and restores `errno`. The globals
      // it reads were touched above, so that nothing is initialized inside the handler.
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { _ in
        let saved = errno
        var byte: UInt8 = 0
        _ = unsafe write(Resizes.writeEnd.load(ordering: .acquiring), &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART
      _ = unsafe sigaction(SIGWINCH, &action, nil)
      isInstalled = true
    }
  }
}
