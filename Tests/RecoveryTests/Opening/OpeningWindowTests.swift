import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// A process is stopped after a system call while it opens, uses and closes a store; another one
/// comes, and the first is killed.
///
/// `strace` stops the first process after each call in turn that changes a file, a lock or a map:
/// between two such calls nothing changes that another process could see.
@Suite(.serialized, .enabled(if: StoppedProcess.isPossible)) struct OpeningWindowTests {
  /// The first process is stopped after every call with `RETRACE_FULL=1`, else after each 20th.
  private static let stride = ProcessInfo.processInfo.environment["RETRACE_FULL"] == "1" ? 1 : 20

  /// A program with its arguments, before the option that names the store, and its input.
  struct Actor: Sendable, CustomTestStringConvertible {
    var name: String
    var tool: String
    var arguments: [String]
    var input = ""
    /// What it records if it succeeds, as the log shows it.
    var text: String?

    var testDescription: String { name }

    static let tracker = [
      Actor(
        name: "start", tool: "track", arguments: ["start", "first", "--user", "a"], text: "first"),
      Actor(name: "status", tool: "track", arguments: ["status", "--user", "a"]),
    ]
    static let others = [
      Actor(
        name: "start", tool: "track", arguments: ["start", "second", "--user", "b"],
        text: "second"),
      Actor(name: "log", tool: "track", arguments: ["log"]),
    ]
    /// Saves its state in `derived/` and reads it there.
    static let saver = Actor(
      name: "save", tool: "testapp", arguments: ["send"],
      input: (0..<6).map { "note first.\($0)\n" }.joined() + "snapshot")
    static let otherSaver = Actor(
      name: "save", tool: "testapp", arguments: ["send"], input: "snapshot\nnote second",
      text: "second")
  }

  @Test(arguments: Actor.tracker, Actor.others)
  func `a store that no process has open`(stopped: Actor, other: Actor) throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/made/store"
      let texts = (0..<5).map { "e\($0)" }
      for text in texts {
        let made = try run("track", ["start", text, "--user", "u", "--store", store])
        #expect(made.status == 0, "\(made.errors)")
      }
      try meet(stopped, other, on: "\(folder)/made", acknowledged: texts, in: folder)
    }
  }

  @Test func `a store that does not exist`() throws {
    try withTemporaryDirectory { folder in
      let made = "\(folder)/made"
      try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
      try meet(Actor.tracker[0], Actor.others[0], on: made, acknowledged: [], in: folder)
    }
  }

  @Test func `snapshots are saved and read`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/made/store"
      let sender = try SenderProcess(store, environment: StoppedProcess.environment)
      let texts = (0..<8).map { "e\($0)" }
      for text in texts { #expect(try sender.ask("note \(text)").hasPrefix("ok ")) }
      sender.close()
      #expect(FileManager.default.fileExists(atPath: store + "/derived/data.mdb"))
      try meet(Actor.saver, Actor.otherSaver, on: "\(folder)/made", acknowledged: texts, in: folder)
    }
  }

  /// Lets the two meet on a copy of the store after each call of the first one.
  private func meet(
    _ stopped: Actor, _ other: Actor, on made: String, acknowledged: [String], in folder: String
  ) throws {
    let copy = "\(folder)/copy"
    func begin() throws {
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: made, toPath: copy)
    }
    try begin()
    let store = "\(copy)/store"
    let calls = try StoppedProcess.calls(of: stopped, on: store, in: folder)
    try #require(calls.count > 20, "\(calls)")
    var met = 0
    for (number, call) in calls.enumerated()
    where number % Self.stride == calls.count % Self.stride {
      try begin()
      guard
        let process = try StoppedProcess(stopped, on: store, after: call, in: folder)
      else { continue }
      let second = try StoppedProcess.start(other, on: store)
      // Time for the other process to reach the point where it waits.
      usleep(30_000)
      process.kill()
      let result = second.finish()
      #expect(result.status == 0, "\(call): \(result.errors)")
      try check(store, tool: other.tool, acknowledged + [other.text].compactMap { $0 }, "\(call)")
      met += 1
    }
    print("\(stopped.name) beside \(other.name): \(met) of \(calls.count) calls")
    #expect(met * (Self.stride + 2) > calls.count - Self.stride)
  }

  private func check(
    _ store: String, tool: String, _ texts: [String], _ call: String
  ) throws {
    // Opens for writing, because only a writer records or removes what a killed one was appending.
    if tool == "track" {
      let quiet = try run("track", ["start", "quiet", "--user", "q", "--store", store])
      #expect(quiet.status == 0, "\(call): \(quiet.errors)")
    } else {
      try SenderProcess(store).close()
    }
    let verdict = try run("audit", ["verify", "--store", store])
    #expect(verdict.status == 0, "\(call): \(verdict.output)\(verdict.errors)")
    let list = try run("audit", ["list", "--store", store])
    for text in texts { #expect(list.output.contains(text), "\(call): \(text)") }
    #expect(try unexpectedFiles(around: store) == [], "\(call)")
  }
}

/// A process that `strace` stopped after one of its calls.
final class StoppedProcess {
  /// A call by its name and its number among the calls of that name.
  struct Call: Hashable, CustomStringConvertible {
    var name: String
    var number: Int
    var description: String { "\(name) \(number)" }
  }

  static let environment = ["TESTAPP_SNAPSHOTS": "4", "TESTAPP_REDUCER": "one"]

  /// Whether programs can be traced here.
  static let isPossible: Bool = {
    let result = try? runProgram("/usr/bin/strace", ["-o", "/dev/null", "/bin/true"])
    return result?.status == 0
  }()

  /// The calls that change something other processes can see.
  private static let watched = [
    "openat", "open", "close", "fcntl", "flock", "mmap", "munmap", "pwrite64", "write", "writev",
    "pwritev", "fdatasync", "fsync", "ftruncate", "fallocate", "rename", "renameat", "renameat2",
    "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "futex", "exit_group",
  ]

  private let tracer: RunningTool
  private let pid: Int32

  /// Starts a program and returns once it was stopped; `nil` if it ended without having made the
  /// call.
  init?(_ actor: OpeningWindowTests.Actor, on store: String, after call: Call, in folder: String)
    throws
  {
    let trace = "\(folder)/trace"
    try? FileManager.default.removeItem(atPath: trace)
    tracer = try Self.trace(
      actor, on: store, to: trace,
      ["-e", "trace=\(call.name)", "-e", "inject=\(call.name):signal=STOP:when=\(call.number)"])
    // A program that never makes the call ends when it has read its input.
    tracer.closeInput()
    while true {
      let text = (try? String(contentsOfFile: trace, encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.contains("--- stopped by SIGSTOP ---") }
      if let line, let pid = line.split(separator: " ").first.flatMap({ Int32($0) }) {
        // Another thread may have made the call; the signal stops and kills the whole process.
        self.pid = pid
        return
      }
      if !tracer.isRunning {
        let result = tracer.finish()
        print("\(call) was not met: \(result.status) \(result.errors) \(text.suffix(200))")
        return nil
      }
      usleep(1_000)
    }
  }

  /// Kills the process.
  func kill() {
    _ = Glibc.kill(pid, SIGKILL)
    _ = tracer.finish()
  }

  /// Starts a program that is not traced.
  static func start(_ actor: OpeningWindowTests.Actor, on store: String) throws -> RunningTool {
    let process = try RunningTool(
      actor.tool, actor.arguments + ["--store", store], environment: environment)
    if !actor.input.isEmpty { process.send(actor.input) }
    return process
  }

  /// Returns the calls that a program makes, from the first that names the store.
  static func calls(
    of actor: OpeningWindowTests.Actor, on store: String, in folder: String
  ) throws -> [Call] {
    let trace = "\(folder)/trace"
    let process = try Self.trace(
      actor, on: store, to: trace,
      ["-e", "trace=\(watched.map { "?" + $0 }.joined(separator: ","))"])
    let result = process.finish()
    #expect(result.status == 0, "\(result.errors)")
    var numbers: [String: [String: Int]] = [:]
    var calls: [Call] = []
    var isOnStore = false
    for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard words.count == 2, let parenthesis = words[1].firstIndex(of: "("),
        !words[1].hasPrefix("<")
      else { continue }
      // Numbers of threads are padded with blanks.
      let name = words[1][..<parenthesis].filter { $0 != " " }
      let thread = String(words[0])
      numbers[thread, default: [:]][name, default: 0] += 1
      if words[1].contains(store) { isOnStore = true }
      let call = Call(name: name, number: numbers[thread]?[name] ?? 0)
      if isOnStore, !calls.contains(call) { calls.append(call) }
    }
    return calls
  }

  private static func trace(
    _ actor: OpeningWindowTests.Actor, on store: String, to trace: String, _ options: [String]
  ) throws -> RunningTool {
    let process = try RunningTool(
      "/usr/bin/strace",
      ["-f", "-o", trace] + options + [Tools.url(actor.tool).path] + actor.arguments
        + ["--store", store],
      environment: environment)
    if !actor.input.isEmpty { process.send(actor.input) }
    return process
  }
}
