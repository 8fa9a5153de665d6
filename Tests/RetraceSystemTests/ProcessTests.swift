import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

struct ProcessTests {
  private func shell(
    _ script: String, _ options: ChildProcess.Options = ChildProcess.Options()
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess.spawn("/bin/sh", ["-c", script], options: options)
  }

  @Test func `Lines go in and come out`() throws {
    let child = try shell("while read line; do echo \"got $line\"; done; printf 'no end'")
    for number in 0..<100 {
      try child.write("line \(number)\n")
      #expect(try child.readLine(timeoutMilliseconds: 10_000) == "got line \(number)")
    }
    child.closeInput()
    #expect(try child.readLine() == "no end")
    #expect(try child.readLine() == nil)
    #expect(try child.wait() == .exited(0))
    #expect(try child.wait() == .exited(0))
    #expect(throws: SystemError(.badFileDescriptor, during: .write)) { try child.write("x") }
  }

  @Test func `Exit codes and signals are reported`() throws {
    #expect(try shell("exit 37").wait() == .exited(37))
    #expect(try shell("kill -TERM $$").wait() == .signalled(SIGTERM))
    let child = try shell("sleep 100")
    #expect(try child.wait(timeoutMilliseconds: 20) == nil)
    child.kill()
    #expect(try child.wait() == .signalled(SIGKILL))
    child.kill()
  }

  @Test func `A line that does not come is not waited for, and a long one is refused`() throws {
    let child = try shell("printf abc; read x; printf 'def\\n123456789\\n'")
    #expect(throws: SystemError(.tryAgain, during: .poll)) {
      try child.readLine(timeoutMilliseconds: 50)
    }
    try child.write("\n")
    #expect(try child.readLine() == "abcdef")
    #expect(throws: SystemError(.aboveLimit, during: .read)) {
      try child.readLine(limitBytes: 8)
    }
  }

  @Test func `Much output on both streams comes whole`() throws {
    let script = "cat; head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2; exit 3"
    let input = [UInt8](repeating: 65, count: 1_000_000)
    let result = try ChildProcess.run("/bin/sh", ["-c", script], input: input)
    #expect(result.exit == .exited(3))
    #expect(result.output == input + [UInt8](repeating: 0, count: 3_000_000))
    #expect(result.error == [UInt8](repeating: 0, count: 2_000_000))
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["", " >&2"])
  func `Output above the limit is an error, and nobody waits for the rest`(stream: String) throws {
    // The shell waits for a program that holds both streams and never ends.
    #expect(throws: SystemError(.aboveLimit, during: .read)) {
      try ChildProcess.run("/bin/sh", ["-c", "yes\(stream); true"], limitBytes: 100_000)
    }
    let child = try shell("yes\(stream)")
    #expect(throws: SystemError(.aboveLimit, during: .read)) {
      try child.readAll(limitBytes: 100_000)
    }
  }

  @Test func `A program that does not read its input is waited for`() throws {
    let input = [UInt8](repeating: 65, count: 1_000_000)
    let result = try ChildProcess.run("/bin/sh", ["-c", "echo done"], input: input)
    #expect(result.exit == .exited(0) && result.output == Array("done\n".utf8))
  }

  @Test func `A program is left after a timeout, whether or not it reads its input`() throws {
    var options = ChildProcess.Options()
    (options.output, options.error) = (.discard, .discard)
    options.ownGroup = true
    func run(_ script: String, _ input: Int, _ milliseconds: Int) throws -> ChildProcess.Exit? {
      let child = try ChildProcess.spawn("/bin/sh", ["-c", script], options: options)
      let bytes = [UInt8](repeating: 65, count: input)
      let exit = try child.finish(bytes, timeoutMilliseconds: milliseconds)
      if exit == nil { child.killGroup() }
      return exit
    }
    #expect(try run("test $(wc -c) = 1000000", 1_000_000, 86_400_000) == .exited(0))
    #expect(try run("exit 4", 1_000_000, 86_400_000) == .exited(4))
    #expect(try run("exec <&-; exit 5", 0, 86_400_000) == .exited(5))
    #expect(try run("sleep 100; exit 6", 1_000_000, 50) == nil)
    #expect(try run("cat; sleep 100", 1_000_000, 200) == nil)
    #expect(try run("exit 7", 10, 0) == nil)
  }

  @Test func `A group is killed with the processes that its program started`() throws {
    var options = ChildProcess.Options()
    options.ownGroup = true
    let child = try ChildProcess.spawn(
      "/bin/sh", ["-c", "sleep 100 & echo started; wait"], options: options)
    #expect(try child.readLine(timeoutMilliseconds: 86_400_000) == "started")
    child.killGroup()
    #expect(try child.wait() == .signalled(SIGKILL))
    // The output ends when the last process that can write to it is gone.
    #expect(try child.readLine(timeoutMilliseconds: 86_400_000) == nil)
  }

  @Test func `A time to wait may be any number`() throws {
    let child = try shell("echo line")
    #expect(try child.readLine(timeoutMilliseconds: .max) == "line")
    #expect(try child.wait(timeoutMilliseconds: .max) == .exited(0))
    let busy = try shell("sleep 100")
    #expect(try busy.wait(timeoutMilliseconds: .min) == nil)
    MonotonicClock.sleep(milliseconds: .min)
  }

  @Test func `Many programs at once end each on their own`() async throws {
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<40 {
        group.addTask { try ChildProcess.run("/bin/cat", input: Array("text".utf8)).output }
      }
      for try await output in group { #expect(output == Array("text".utf8)) }
    }
  }

  @Test func `Environment, directory and streams are as chosen`() throws {
    let directory = try TemporaryDirectory()
    var options = ChildProcess.Options()
    options.environment = ["ONE": "1"]
    options.variables = ["TWO": "2"]
    options.workingDirectory = directory.path
    let child = try ChildProcess.run(
      "/bin/sh", ["-c", "echo $ONE$TWO$HOME; pwd"], options: options)
    let real = try FileSystem.realPath(directory.path)
    #expect(String(decoding: child.output, as: UTF8.self) == "12\n\(real)\n")
    options = ChildProcess.Options()
    options.input = .discard
    options.output = .file(directory.file("out"))
    options.error = .discard
    let quiet = try shell("cat; echo said; echo lost >&2", options)
    #expect(try quiet.wait() == .exited(0))
    #expect(try directory.read("out") == "said\n")
    options = ChildProcess.Options()
    options.variables = ["HOME": "/nowhere"]
    #expect(try shell("echo $HOME", options).readLine() == "/nowhere")
  }

  @Test func `A program that is not there is an error`() {
    #expect(throws: SystemError(.noSuchFile, during: .spawn, path: "/none")) {
      try ChildProcess.spawn("/none")
    }
  }

  @Test(.enabled(if: ThisProcess.userIdentifier == 0, "needs root"))
  func `A program can run as another user`() throws {
    var options = ChildProcess.Options()
    options.userIdentifier = 65534
    let child = try ChildProcess.run("/bin/sh", ["-c", "id -u; id -g; id -G"], options: options)
    #expect(String(decoding: child.output, as: UTF8.self) == "65534\n65534\n65534\n")
  }

  @Test func `A program that nobody waited for is killed`() throws {
    let identifier: Int32
    do {
      let child = try shell("sleep 100")
      identifier = child.identifier
    }
    #expect(try !FileSystem.exists("/proc/\(identifier)"))
  }

  @Test func `Signals ignored here are not ignored there`() throws {
    ThisProcess.ignoreBrokenPipes()
    ThisProcess.ignoreFileSizeSignals()
    #expect(try shell("kill -PIPE $$").wait() == .signalled(SIGPIPE))
    #expect(try shell("kill -XFSZ $$").wait() == .signalled(SIGXFSZ))
  }

  @Test func `This process knows itself`() throws {
    #expect(ThisProcess.identifier == getpid())
    #expect(ThisProcess.environment("PATH") == ProcessInfo.processInfo.environment["PATH"])
    #expect(ThisProcess.environment("RETRACE_NO_SUCH_VARIABLE") == nil)
    let name = try ChildProcess.run("/usr/bin/id", ["-un"])
    #expect(ThisProcess.loginName + "\n" == String(decoding: name.output, as: UTF8.self))
    let before = try #require(ThisProcess.privateMemoryBytes)
    let bytes = [UInt8](repeating: 1, count: 256 << 20)
    let after = try #require(ThisProcess.privateMemoryBytes)
    // Other tests take memory and give it back meanwhile.
    #expect(before > 0 && after > 256 << 20 && bytes.count < after)
  }

  @Test func `A file above its limit is an error when the signal is ignored`() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      ThisProcess.ignoreFileSizeSignals()
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      try #require(
        unsafe setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0)
      let file = try OpenFile.open(path + "/file", [.write, .create])
      do throws(SystemError) {
        try file.write([UInt8](repeating: 0, count: 2000).span, at: 0)
        exit(1)
      } catch {
        exit(error.code == .fileTooLarge ? 0 : 2)
      }
    }
  }

  @Test func `Clocks go forward and tell the time`() {
    let (wall, start) = (WallClock.now(), MonotonicClock.nanoseconds())
    #expect(abs(Double(wall) / 1e6 - Date().timeIntervalSince1970) < 60)
    MonotonicClock.sleep(milliseconds: 5)
    #expect(MonotonicClock.nanoseconds() - start >= 5_000_000)
  }
}
