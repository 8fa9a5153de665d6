package import Glibc
import Synchronization

/// The signals that ask a process to end: `SIGHUP`, `SIGINT`, `SIGQUIT`, `SIGTERM`.
package enum TerminationSignals {
  package static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

  // Written once under the lock; the signal handler only reads and writes integers.
  private static let writeEnd = Atomic<Int32>(-1)
  private static let receivedSignal = Atomic<Int32>(0)
  private static let lock = Lock(false)
  private static let threads = (
    waiting: WorkerThread(name: "signals"), handling: WorkerThread(name: "ending")
  )

  /// Installs a closure that runs when the first of these signals arrives; afterwards, the signal
  /// ends the process.
  ///
  /// The process also ends if the body exceeds a time limit, and immediately if the same signal
  /// arrives again. An ignored signal stays ignored. Only the first call in a process has an
  /// effect.
  ///
  /// - Parameters:
  ///   - milliseconds: The time limit of the body.
  ///   - body: Receives the number of the signal, on a thread of its own.
  /// - Throws: ``SystemError`` if the system cannot create a pipe or a thread.
  package static func onTermination(
    timeoutMilliseconds milliseconds: Int64, _ body: @escaping @Sendable (Int32) -> Void
  ) throws(SystemError) {
    try lock.withLock { isInstalled throws(SystemError) in
      guard !isInstalled else { return }
      try threads.waiting.start()
      try threads.handling.start()
      let ends = try Pipe.make()
      writeEnd.store(ends.write, ordering: .sequentiallyConsistent)
      receivedSignal.store(0, ordering: .sequentiallyConsistent)
      _ = threads.waiting.submit { wait(for: ends.read, milliseconds, body) }
      for number in numbers { handle(number) }
      isInstalled = true
    }
  }

  /// Waits for the end of the process if one of the signals has arrived; otherwise returns.
  ///
  /// A program calls this before it reports a failure or exits, because the body of
  /// ``onTermination(timeoutMilliseconds:_:)`` may have closed what the program uses.
  package static func waitIfEnding() {
    while receivedSignal.load(ordering: .sequentiallyConsistent) != 0 { pause() }
  }

  package static func isIgnored(_ action: sigaction) -> Bool {
    // Unsafe: only the address is compared with `SIG_IGN`, which is 1; nothing is called.
    unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func handle(_ number: Int32) {
    var action = sigaction()
    // Unsafe: C writes to a local variable.
    guard unsafe sigaction(number, nil, &action) == 0, !isIgnored(action) else { return }
    action = sigaction()
    // Unsafe: a signal handler may do little; this one writes one byte and preserves `errno`. The
    // globals that it uses are initialized above, because initializing them lazily in a handler is
    // unsafe. After the first signal the default action is restored.
    unsafe action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      TerminationSignals.receivedSignal.store(number, ordering: .sequentiallyConsistent)
      var byte = UInt8(truncatingIfNeeded: number)
      let end = TerminationSignals.writeEnd.load(ordering: .sequentiallyConsistent)
      _ = unsafe write(end, &byte, 1)
      errno = saved
    }
    action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
    _ = unsafe sigaction(number, &action, nil)
  }

  private static func wait(
    for end: Int32, _ milliseconds: Int64, _ body: @escaping @Sendable (Int32) -> Void
  ) {
    var byte: UInt8 = 0
    // Unsafe: C writes one byte to a local variable.
    while unsafe read(end, &byte, 1) != 1 {}
    let number = Int32(byte)
    _ = threads.handling.submit {
      body(number)
      endProcess(by: number)
    }
    MonotonicClock.sleep(milliseconds: milliseconds)
    endProcess(by: number)
  }

  private static func endProcess(by number: Int32) {
    // Unsafe: `SIG_DFL` is a constant that is never called.
    _ = signal(number, SIG_DFL)
    _ = kill(getpid(), number)
  }
}
