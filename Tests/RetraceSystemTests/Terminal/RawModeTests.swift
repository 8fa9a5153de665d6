import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// What signals do in raw mode, each in a process of its own.
struct RawModeTests {
  /// The output of a terminal that is ready, without waiting for more.
  private static func output(_ terminal: borrowing PseudoTerminal) throws -> String {
    var bytes: [UInt8] = []
    let descriptor = terminal.controller.descriptor
    while case .bytes(let more) = try Terminal.read(descriptor, timeoutMilliseconds: 0) {
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Installs a handler that is told what is known of the signal.
  ///
  /// Unsafe: the handler only calls `_exit` and reads what the system passes.
  private static func handle(
    _ number: Int32,
    _ body:
      @escaping @convention(c) (
        Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?
      ) -> Void
  ) {
    var action = sigaction()
    action.sa_flags = SA_SIGINFO
    unsafe action.__sigaction_handler.sa_sigaction = body
    _ = unsafe sigaction(number, &action, nil)
  }

  @Test func `A handler of a crash learns the address, and the terminal is restored before`()
    async throws
  {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    let side = try OpenFile.open(terminal.path, [.read, .write])
    let original = try TerminalTests.settings(side.descriptor)
    await #expect(processExitsWith: .exitCode(9)) { [path = terminal.path as String] in
      let side = try OpenFile.open(path, [.read, .write])
      unsafe RawModeTests.handle(SIGSEGV) { _, info, _ in
        // The code is that of an address that is not mapped; the address follows it.
        guard let info = unsafe info, unsafe info.pointee.si_code == 1,
          unsafe UnsafeRawPointer(info).load(fromByteOffset: 16, as: UInt.self) == 0x10
        else { _exit(1) }
        _exit(9)
      }
      let raw = try RawMode(
        side.descriptor, output: side.descriptor, epilogue: Array("bye".utf8))
      unsafe UnsafeMutablePointer<UInt8>(bitPattern: 0x10)?.pointee = 1
      _ = consume raw
    }
    #expect(try TerminalTests.settings(side.descriptor) == original)
    #expect(try Self.output(terminal) == "bye")
  }

  @Test(arguments: [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS,
  ])
  func `A handler that was there is called when the terminal is restored`(number: Int32)
    async throws
  {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    let side = try OpenFile.open(terminal.path, [.read, .write])
    let original = try TerminalTests.settings(side.descriptor)
    await #expect(processExitsWith: .exitCode(9)) {
      [path = terminal.path as String, number = number as Int32] in
      TerminalTests.unblockSignals()
      let side = try OpenFile.open(path, [.read, .write])
      unsafe RawModeTests.handle(number) { _, _, _ in
        // It runs after the epilogue was written.
        _ = unsafe write(100, "handler", 7)
        _exit(9)
      }
      dup2(side.descriptor, 100)
      let raw = try RawMode(
        side.descriptor, output: side.descriptor, epilogue: Array("bye.".utf8))
      raise(number)
      _ = consume raw
    }
    #expect(try TerminalTests.settings(side.descriptor) == original)
    #expect(try Self.output(terminal) == "bye.handler")
  }

  @Test func `A handler that returns leaves the terminal restored, and input ends`() async throws {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    let side = try OpenFile.open(terminal.path, [.read, .write])
    let original = try TerminalTests.settings(side.descriptor)
    await #expect(processExitsWith: .success) { [path = terminal.path as String] in
      TerminalTests.unblockSignals()
      let side = try OpenFile.open(path, [.read, .write])
      _ = signal(SIGTERM) { _ in }
      let raw = try RawMode(
        side.descriptor, output: side.descriptor, epilogue: Array("bye.".utf8))
      try raw.write(Array("frame.".utf8))
      raise(SIGTERM)
      // Nothing more reaches the terminal.
      try raw.write(Array("another frame".utf8))
      try #require(try Terminal.read(side.descriptor) == .ended)
      _ = consume raw
      // Nothing of raw mode is left: the signal has its handler, and raw mode can be entered again.
      raise(SIGTERM)
      _ = try RawMode(side.descriptor, output: side.descriptor)
    }
    #expect(try TerminalTests.settings(side.descriptor) == original)
    #expect(try Self.output(terminal) == "frame.bye.")
  }

  @Test func `The last epilogue is written, once, from any thread and at exit`() async throws {
    for isExit in [false, true] {
      let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
      let side = try OpenFile.open(terminal.path, [.read, .write])
      let original = try TerminalTests.settings(side.descriptor)
      await #expect(processExitsWith: isExit ? .exitCode(5) : .signal(SIGTERM)) {
        [path = terminal.path as String, isExit = isExit as Bool] in
        let side = try OpenFile.open(path, [.read, .write])
        let raw = try RawMode(
          side.descriptor, output: side.descriptor, prologue: Array("hi.".utf8),
          epilogue: Array("bye.".utf8))
        try raw.write(Array("frame.".utf8))
        try raw.replace(prologue: [], epilogue: Array("good bye.".utf8))
        let worker = WorkerThread(name: "worker")
        worker.perform {
          TerminalTests.unblockSignals()
          if isExit { exit(5) }
          raise(SIGTERM)
        }
        _ = consume raw
      }
      #expect(try TerminalTests.settings(side.descriptor) == original)
      #expect(try Self.output(terminal) == "hi.frame.good bye.")
    }
  }

  @Test func `Without a shell that could continue it, a process goes on at once`() async throws {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    await #expect(processExitsWith: .success) { [path = terminal.path as String] in
      TerminalTests.unblockSignals()
      let side = try OpenFile.open(path, [.read, .write])
      // The leader of a session has no shell. It would hang up a terminal that it opens.
      setsid()
      let raw = try RawMode(
        side.descriptor, output: side.descriptor, prologue: Array("hi.".utf8),
        epilogue: Array("bye.".utf8))
      let before = try TerminalTests.settings(side.descriptor)
      RawMode.suspend()
      // Another thread may get the signal, so the terminal need not be left before this.
      try #require(try Terminal.read(side.descriptor) == .continued)
      try raw.write(Array("dropped".utf8))
      var resumed = raw
      try #require(try resumed.resume())
      try #require(try TerminalTests.settings(side.descriptor) == before)
      try resumed.write(Array("frame.".utf8))
      _ = consume resumed
    }
    #expect(try Self.output(terminal) == "hi.bye.hi.frame.bye.")
  }

  @Test func `A terminal that takes no bytes does not keep a signal from ending the process`()
    async throws
  {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    let side = try OpenFile.open(terminal.path, [.read, .write])
    let original = try TerminalTests.settings(side.descriptor)
    await #expect(processExitsWith: .signal(SIGTERM)) { [path = terminal.path as String] in
      let side = try OpenFile.open(path, [.read, .write])
      let raw = try RawMode(
        side.descriptor, output: side.descriptor, epilogue: Array("bye".utf8))
      let main = pthread_self()
      let worker = WorkerThread(name: "worker")
      worker.submit {
        // The signal arrives in the write when the terminal is full.
        var file = pollfd(fd: side.descriptor, events: Int16(POLLOUT), revents: 0)
        while unsafe poll(&file, 1, 0) == 1 { sched_yield() }
        pthread_kill(main, SIGTERM)
      }
      TerminalTests.unblockSignals()
      // Nobody reads the terminal.
      try raw.write([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
      _ = consume raw
    }
    #expect(try TerminalTests.settings(side.descriptor) == original)
    // The epilogue took the place of the frame.
    #expect(try Self.output(terminal).hasSuffix("bye"))
  }

  @Test func `A handler of changes of the size is called, too`() async throws {
    await #expect(processExitsWith: .exitCode(6)) {
      TerminalTests.unblockSignals()
      _ = signal(SIGWINCH) { _ in _exit(6) }
      try Terminal.reportResizes()
      raise(SIGWINCH)
    }
  }

  @Test func `An epilogue of more bytes than the limit is refused`() async throws {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    await #expect(processExitsWith: .success) { [path = terminal.path as String] in
      let side = try OpenFile.open(path, [.read, .write])
      let long = [UInt8](repeating: 120, count: RawMode.bytesMax + 1)
      do throws(SystemError) {
        _ = try RawMode(side.descriptor, epilogue: long)
        exit(1)
      } catch {
        try #require(error.code == .aboveLimit)
      }
      let raw = try RawMode(side.descriptor, output: side.descriptor)
      do throws(SystemError) {
        try raw.replace(prologue: long, epilogue: [])
        exit(1)
      } catch {
        try #require(error.code == .aboveLimit)
      }
      _ = consume raw
    }
  }
}
