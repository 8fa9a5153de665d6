import Glibc
import Synchronization

/// The signals that ask a process to end: `SIGHUP`, `SIGINT`, `SIGQUIT`, `SIGTERM`.
public enum EndSignals {
  /// The numbers of the signals.
  static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

  // Written once under the lock; the handler of the signals reads and writes numbers only.
  private static let writeEnd = Atomic<Int32>(-1)
  private static let ending = Atomic<Int32>(0)
  private static let lock = Mutex(false)
  private static let threads = (
    waiting: WorkerThread(name: "signals"), ending: WorkerThread(name: "ending")
  )

  /// Has the first of the signals call a body, and the process ended by that signal afterwards.
  ///
  /// The process ends as well if the body takes longer than a limit, and at once if the same signal
  /// comes again. A signal that is ignored stays ignored. Only the first call in a process counts.
  ///
  /// - Parameters:
  ///   - milliseconds: How long the body may take.
  ///   - body: Gets the number of the signal, on a thread of its own.
  /// - Throws: ``PlatformError`` if there is no pipe or no thread.
  public static func beforeEnd(
    within milliseconds: Int64, _ body: @escaping @Sendable (Int32) -> Void
  ) throws(PlatformError) {
    try lock.withLock { isInstalled throws(PlatformError) in
      guard !isInstalled else { return }
      try threads.waiting.start()
      try threads.ending.start()
      let ends = try Pipe.make()
      writeEnd.store(ends.write, ordering: .sequentiallyConsistent)
      ending.store(0, ordering: .sequentiallyConsistent)
      _ = threads.waiting.submit { wait(for: ends.read, milliseconds, body) }
      for number in numbers { handle(number) }
      isInstalled = true
    }
  }

  /// Waits for the end of the process if one of the signals has come, and returns otherwise.
  ///
  /// A program calls this where it would report a failure or end in order: the body that was given
  /// to ``beforeEnd(within:_:)`` may have closed what the program uses.
  public static func waitIfEnding() {
    while ending.load(ordering: .sequentiallyConsistent) != 0 { pause() }
  }

  /// Whether an action ignores its signal.
  static func isIgnored(_ action: sigaction) -> Bool {
    // Unsafe: the address is compared, of which `SIG_IGN` is 1; nothing is called through it.
    unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func handle(_ number: Int32) {
    var action = sigaction()
    // Unsafe: C writes to a local variable.
    guard unsafe sigaction(number, nil, &action) == 0, !isIgnored(action) else { return }
    action = sigaction()
    // Unsafe: a handler may do little; this one writes one byte and keeps `errno`. The globals that
    // it uses were touched above, so that nothing is initialized inside it. After the first call a
    // signal does what it does without a handler.
    unsafe action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      EndSignals.ending.store(number, ordering: .sequentiallyConsistent)
      var byte = UInt8(truncatingIfNeeded: number)
      let end = EndSignals.writeEnd.load(ordering: .sequentiallyConsistent)
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
    _ = threads.ending.submit {
      body(number)
      endProcess(by: number)
    }
    MonotonicClock.sleep(milliseconds: milliseconds)
    endProcess(by: number)
  }

  private static func endProcess(by number: Int32) {
    // Unsafe: `SIG_DFL` is a constant, not a function to call.
    _ = signal(number, SIG_DFL)
    _ = kill(getpid(), number)
  }
}
