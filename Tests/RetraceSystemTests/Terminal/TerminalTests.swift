import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

struct TerminalTests {
  /// Reads what a program shows until it ends with a text.
  private func screen(
    _ terminal: borrowing PseudoTerminal, until end: String
  ) throws(SystemError) -> String {
    var shown: [UInt8] = []
    let descriptor = terminal.controller.descriptor
    while !String(decoding: shown, as: UTF8.self).hasSuffix(end) {
      switch try Terminal.read(descriptor, timeoutMilliseconds: 10_000) {
      case .bytes(let bytes): shown += bytes
      case .resized, .continued, .woken: continue
      case .ended: return String(decoding: shown, as: UTF8.self) + "<ended>"
      case .timedOut: return String(decoding: shown, as: UTF8.self) + "<timed out>"
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  @Test func `A pipe and a file are no terminals`() throws {
    let directory = try TemporaryDirectory()
    let file = try OpenFile.open(directory.file("a"), [.read, .write, .create])
    #expect(!Terminal.isTerminal(file.descriptor))
    #expect(Terminal.size(file.descriptor) == nil)
    #expect(throws: SystemError(.notATerminal, during: .tcsetattr)) {
      _ = try RawMode(file.descriptor)
    }
    #expect(try Terminal.read(file.descriptor) == .ended)
  }

  @Test func `A terminal has a size, which can change`() throws {
    let terminal = try PseudoTerminal.open(columns: 97, rows: 31)
    let side = try OpenFile.open(terminal.path, [.read, .write])
    #expect(Terminal.isTerminal(side.descriptor))
    let size = try #require(Terminal.size(side.descriptor))
    #expect(size == (97, 31))
    try terminal.resize(columns: 40, rows: 10)
    let changed = try #require(Terminal.size(side.descriptor))
    #expect(changed == (40, 10))
  }

  @Test func `A read without input times out`() throws {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    let side = try OpenFile.open(terminal.path, [.read, .write])
    #expect(try Terminal.read(side.descriptor, timeoutMilliseconds: 20) == .timedOut)
    #expect(try Terminal.read(side.descriptor, timeoutMilliseconds: 0) == .timedOut)
  }

  @Test func `A program on a terminal has it as its own`() throws {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    var options = ChildProcess.Options()
    options.terminal = terminal.path
    let child = try ChildProcess.spawn(
      "/bin/sh",
      [
        "-c",
        "stty -echo; stty size; tty; trap 'stty size; exit 4' WINCH; "
          + "echo ready; while :; do sleep 0.05; done",
      ], options: options)
    let shown = try screen(terminal, until: "ready\r\n")
    #expect(shown == "24 80\r\n\(terminal.path)\r\nready\r\n")
    try terminal.resize(columns: 50, rows: 20)
    #expect(try screen(terminal, until: "20 50\r\n") == "20 50\r\n")
    #expect(try child.wait() == .exited(4))
  }

  /// Runs raw mode on a terminal of its own in a process of its own.
  @Test func `Raw mode gives keys at once, and is undone at the end of its life`() async throws {
    await #expect(processExitsWith: .success) {
      let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
      let side = try OpenFile.open(terminal.path, [.read, .write])
      let original = try TerminalTests.settings(side.descriptor)
      do {
        let raw = try RawMode(side.descriptor)
        try #require(try TerminalTests.settings(side.descriptor) != original)
        do throws(SystemError) {
          _ = try RawMode(side.descriptor)
          exit(1)
        } catch {
          try #require(error.code == .busy)
        }
        try terminal.controller.append(Array("x\u{3}".utf8).span)
        try #require(try Terminal.read(side.descriptor) == .bytes([0x78, 3]))
        _ = consume raw
      }
      try #require(try TerminalTests.settings(side.descriptor) == original)
      _ = try RawMode(side.descriptor)
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func `Raw mode is undone, and the epilogue written, by a signal`(signal: Int32) async throws {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    let side = try OpenFile.open(terminal.path, [.read, .write])
    let original = try Self.settings(side.descriptor)
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .signal(signal)) {
      [
        path = terminal.path as String, out = directory.file("out") as String,
        signal = signal as Int32
      ] in
      // A core file would be of no use.
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      _ = unsafe setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit)
      let side = try OpenFile.open(path, [.read, .write])
      let output = try OpenFile.open(out, [.write, .create])
      dup2(output.descriptor, 1)
      let raw = try RawMode(side.descriptor, epilogue: Array("bye".utf8))
      TerminalTests.unblockSignals()
      raise(signal)
      _ = consume raw
    }
    #expect(try Self.settings(side.descriptor) == original)
    #expect(try directory.read("out") == "bye")
  }

  /// Runs the body in raw mode on a terminal of its own.
  private static func inRawMode(_ body: () throws -> Void) throws {
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    let side = try OpenFile.open(terminal.path, [.read, .write])
    let raw = try RawMode(side.descriptor)
    try body()
    _ = consume raw
  }

  @Test func `A signal that is ignored stays ignored in raw mode and after it`() async throws {
    await #expect(processExitsWith: .success) {
      TerminalTests.unblockSignals()
      _ = signal(SIGHUP, SIG_IGN)
      try TerminalTests.inRawMode { raise(SIGHUP) }
      raise(SIGHUP)
    }
  }

  @Test func `A handler of the program is called by a signal, in raw mode and after it`()
    async throws
  {
    await #expect(processExitsWith: .exitCode(7)) {
      TerminalTests.unblockSignals()
      _ = signal(SIGTERM) { _ in _exit(7) }
      try TerminalTests.inRawMode { raise(SIGTERM) }
    }
    await #expect(processExitsWith: .exitCode(8)) {
      TerminalTests.unblockSignals()
      _ = signal(SIGTERM) { _ in _exit(8) }
      try TerminalTests.inRawMode {}
      raise(SIGTERM)
    }
  }

  /// Lets signals through, which threads of a task pool block.
  static func unblockSignals() {
    var signals = sigset_t()
    _ = unsafe sigfillset(&signals)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// The settings of a terminal that raw mode changes.
  static func settings(_ descriptor: Int32) throws -> [UInt32] {
    var settings = termios()
    try #require(unsafe tcgetattr(descriptor, &settings) == 0)
    return [settings.c_iflag, settings.c_oflag, settings.c_lflag]
  }

  @Test func `A change of size interrupts the wait for keys`() async throws {
    await #expect(processExitsWith: .success) {
      TerminalTests.unblockSignals()
      try Terminal.reportResizes()
      try Terminal.reportResizes()
      let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
      let side = try OpenFile.open(terminal.path, [.read, .write])
      raise(SIGWINCH)
      try #require(try Terminal.read(side.descriptor, timeoutMilliseconds: 10_000) == .resized)
      try #require(try Terminal.read(side.descriptor, timeoutMilliseconds: 20) == .timedOut)
      Terminal.wake()
      raise(SIGWINCH)
      try #require(try Terminal.read(side.descriptor, timeoutMilliseconds: 10_000) == .resized)
      try #require(try Terminal.read(side.descriptor, timeoutMilliseconds: 10_000) == .woken)
      try #require(try Terminal.read(side.descriptor, timeoutMilliseconds: 20) == .timedOut)
      let worker = WorkerThread(name: "typist")
      worker.submit {
        MonotonicClock.sleep(milliseconds: 30)
        kill(getpid(), SIGWINCH)
      }
      try #require(try Terminal.read(side.descriptor, timeoutMilliseconds: 10_000) == .resized)
    }
  }

  @Test func `Output that nobody reads is an error, not the end`() async throws {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      try #require(unsafe pipe(&ends) == 0)
      dup2(ends[1], 1)
      close(ends[0])
      do throws(SystemError) {
        try Console.write("text")
        exit(1)
      } catch {
        exit(error.code == .brokenPipe ? 0 : 2)
      }
    }
  }

  @Test func `Lines and the rest of the input are read, and output goes where it should`()
    async throws
  {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let long = String(repeating: "z", count: 100_000)
      let text = Array("one\n\n\(long)\nrest\n\(long)\nä\r\n\r\n".utf8)
      try FileSystem.replace(path + "/in", with: (text + [0xFF, 10] + Array("end".utf8)).span)
      let input = try OpenFile.open(path + "/in")
      dup2(input.descriptor, 0)
      let output = try OpenFile.open(path + "/out", [.write, .create])
      dup2(output.descriptor, 1)
      try #require(try Console.readLine() == Array("one".utf8))
      try #require(try Console.readLine() == [])
      try #require(try Console.readLine() == Array(long.utf8))
      try #require(try Console.readLine() == Array("rest".utf8))
      try #require(Console.readText(limitBytes: 99_999) == .tooLong)
      try #require(Console.readText(limitBytes: 3) == .text("ä"))
      try #require(Console.readText(limitBytes: 3) == .text(""))
      try #require(Console.readText(limitBytes: 3) == .notUTF8)
      try #require(Console.readText(limitBytes: 3) == .text("end"))
      try #require(Console.readText(limitBytes: 3) == nil)
      try #require(try Console.readLine() == nil)
      try Console.write("a")
      try Console.write([98], to: .standardOutput)
      try #require(try FileSystem.readWhole(path + "/out", limitBytes: 10) == [97, 98])
    }
  }
}
