import Glibc
import Synchronization

/// The raw mode of a terminal: while this value lives, keys arrive as typed and are not echoed.
///
/// Destroying the value restores the terminal and writes the epilogue. A signal that asks the
/// process to end (`SIGINT`, `SIGTERM`, `SIGHUP`, `SIGQUIT`) does the same. After that, the signal
/// has its previous effect: it ends the process or calls the program's handler. An ignored signal
/// stays ignored. Keys that would send signals arrive as bytes. Only one value can exist at a time.
package struct RawMode: ~Copyable {
  // Never read, but needed: a value without stored properties counts as initialized when `init`
  // begins, and `deinit` would also run after an error.
  private let descriptor: Int32

  /// Switches a terminal to raw mode.
  ///
  /// - Parameters:
  ///   - descriptor: The terminal, usually 0.
  ///   - epilogue: The bytes to write to the standard output at the end, such as leaving the
  ///     alternate screen.
  /// - Throws: `SystemError`, `.notATerminal`, or `.busy` if another value exists.
  package init(_ descriptor: Int32 = 0, epilogue: [UInt8] = []) throws(SystemError) {
    var original = termios()
    // Unsafe: C writes to and reads from local variables.
    _ = try System.call(.tcsetattr, nil) { unsafe tcgetattr(descriptor, &original) }
    guard RawModeSignals.arm(descriptor, original, epilogue) else {
      throw SystemError(.busy, during: .tcsetattr)
    }
    var raw = original
    unsafe cfmakeraw(&raw)
    do throws(SystemError) {
      _ = try System.call(.tcsetattr, nil) { unsafe tcsetattr(descriptor, TCSAFLUSH, &raw) }
    } catch {
      RawModeSignals.disarm()
      throw error
    }
    self.descriptor = descriptor
  }

  deinit {
    RawModeSignals.restore()
    RawModeSignals.disarm()
  }
}

/// The data that the signal handler needs to restore the terminal.
private enum RawModeSignals {
  /// All data that the handler reads, in memory that never moves and is never freed.
  @unsafe
  struct Saved {
    var descriptor: Int32
    var original: termios
    var epilogue: UnsafeMutableRawBufferPointer
    /// The caught signals, one bit each.
    var caught: UInt32
  }

  // Unchecked by the compiler: `arm` claims it and writes it while `isArmed` is false, and the
  // handler reads it only while that is true. Allocated once, because a handler must not allocate.
  nonisolated(unsafe) static let saved = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
  // As `saved`: the previous actions of the signals, by their numbers.
  nonisolated(unsafe) static let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
  static let isClaimed = Atomic<Bool>(false)
  static let isArmed = Atomic<Bool>(false)

  /// Stores the mode to restore, and catches the signals; returns `false` if another value exists.
  static func arm(_ descriptor: Int32, _ original: termios, _ epilogue: [UInt8]) -> Bool {
    let claimed = isClaimed.compareExchange(
      expected: false, desired: true, ordering: .sequentiallyConsistent)
    guard claimed.exchanged else { return false }
    // Unsafe: `disarm` frees the copy of the epilogue after the handlers are removed.
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: epilogue.count, alignment: 1)
    unsafe bytes.copyBytes(from: epilogue)
    var caught: UInt32 = 0
    for number in TerminationSignals.numbers {
      let action = unsafe actions + Int(number)
      unsafe action.initialize(to: sigaction())
      // Unsafe: C writes to the memory for this signal's action.
      guard unsafe sigaction(number, nil, action) == 0,
        unsafe !TerminationSignals.isIgnored(action.pointee)
      else { continue }
      caught |= 1 << UInt32(number)
    }
    unsafe saved.initialize(
      to: Saved(descriptor: descriptor, original: original, epilogue: bytes, caught: caught))
    isArmed.store(true, ordering: .sequentiallyConsistent)
    var action = sigaction()
    // Unsafe: this signal handler calls only what POSIX allows: `tcsetattr`, `write`, `sigaction`,
    // `raise`. The globals are initialized above, because initializing them lazily in a handler is
    // unsafe.
    unsafe action.__sigaction_handler.sa_handler = { number in
      if RawModeSignals.isArmed.load(ordering: .sequentiallyConsistent) { RawModeSignals.restore() }
      _ = unsafe sigaction(number, RawModeSignals.actions + Int(number), nil)
      // Delivered when this handler returns.
      _ = raise(number)
    }
    for number in TerminationSignals.numbers where caught & 1 << UInt32(number) != 0 {
      _ = unsafe sigaction(number, &action, nil)
    }
    return true
  }

  /// Restores the terminal and writes the epilogue.
  static func restore() {
    // Unsafe: the memory is initialized, because the handler is armed.
    _ = unsafe tcsetattr(saved.pointee.descriptor, TCSAFLUSH, &saved.pointee.original)
    let epilogue = unsafe saved.pointee.epilogue
    if epilogue.count > 0 { _ = unsafe write(1, epilogue.baseAddress, epilogue.count) }
  }

  /// Restores the previous actions of the signals.
  static func disarm() {
    // Unsafe: the memory is initialized, because the handler is armed; it is freed after the
    // handlers are removed.
    for number in TerminationSignals.numbers
    where unsafe saved.pointee.caught & 1 << UInt32(number) != 0 {
      _ = unsafe sigaction(number, actions + Int(number), nil)
    }
    isArmed.store(false, ordering: .sequentiallyConsistent)
    unsafe saved.pointee.epilogue.deallocate()
    isClaimed.store(false, ordering: .sequentiallyConsistent)
  }
}
