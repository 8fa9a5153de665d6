import Foundation
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

/// Short commands create, open, write and read one store side by side, and most of them are killed
/// at a random moment of the time that they take.
///
/// `RETRACE_FULL=1` kills 100,000, else 500. The debug tools take many times as long as the release
/// tools, most of it for loading libraries.
///
/// LMDB initialises its lock file in the first process that opens a store that no process has open.
/// So half of the rounds have no process that keeps the store open, and the others have one that is
/// killed too.
@Suite(.serialized) struct OpeningKillTests {
  private static let killsPerRound = 125
  private static let workers = 4

  private static var kills: Int {
    ProcessInfo.processInfo.environment["RETRACE_FULL"] == "1" ? 100_000 : 500
  }

  @Test func `killed commands lose nothing acknowledged, disturb no other and leave no file`()
    throws
  {
    // Side by side, they take longer.
    let microseconds = try Self.microsecondsAlone() * 2
    try withSeed("OpeningKillTests") { random in
      var total = Tally()
      var round = 0
      while total.kills < Self.kills {
        let tally = try play(
          keepingOpen: round % 2 == 1, within: microseconds, seed: random.next())
        total.add(tally)
        round += 1
        // One broken round is enough to fail.
        if !tally.failures.isEmpty || !tally.missing.isEmpty || !tally.left.isEmpty { break }
      }
      print(
        "\(total.kills) kills of \(total.commands) commands within \(microseconds) us in "
          + "\(round) rounds, \(total.acknowledged.count) records acknowledged")
      #expect(total.failures.isEmpty, "\(total.failures.prefix(5))")
      #expect(total.missing.isEmpty, "\(total.missing.prefix(5))")
      #expect(total.left.isEmpty, "\(total.left)")
      #expect(total.kills >= Self.kills && total.acknowledged.count > Self.kills / 20)
    }
  }

  /// What commands did, and what was wrong with it.
  struct Tally: Sendable {
    var commands = 0
    var kills = 0
    var acknowledged: [String] = []
    /// What commands that were not killed reported.
    var failures: [String] = []
    var missing: [String] = []
    var left: [String] = []

    mutating func add(_ other: Tally) {
      commands += other.commands
      kills += other.kills
      acknowledged += other.acknowledged
      failures += other.failures
      missing += other.missing
      left += other.left
    }
  }

  /// Returns how long a command takes while no other one runs.
  private static func microsecondsAlone() throws -> UInt32 {
    try withTemporaryDirectory { folder in
      let times = try (0..<3).map { number in
        let begin = MonotonicClock.nanoseconds()
        let made = try ToolTestSupport.run(
          "track", ["start", "e\(number)", "--user", "u", "--store", "\(folder)/store"])
        #expect(made.status == 0, "\(made.errors)")
        return UInt32(clamping: (MonotonicClock.nanoseconds() - begin) / 1_000)
      }
      return try #require(times.min())
    }
  }

  private func play(
    keepingOpen: Bool, within microseconds: UInt32, seed: UInt64
  ) throws -> Tally {
    try withTemporaryDirectory { folder in
      // Two levels are missing, so that processes make them at once.
      let store = "\(folder)/some/where/store"
      let tally = Lock(Tally())
      onThreads(Self.workers + (keepingOpen ? 1 : 0)) { number in
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        var count = 0
        while tally.withLock({ $0.kills < Self.killsPerRound && $0.failures.isEmpty }) {
          count += 1
          let command =
            number == Self.workers
            ? Command.keepOpen(store)
            : Command.random(
              by: number, count, on: store, exists: tally.withLock { !$0.acknowledged.isEmpty },
              &random)
          do {
            let outcome = try command.run(errorsIn: folder, within: microseconds, &random)
            tally.withLock { $0.note(outcome, of: command) }
          } catch {
            tally.withLock { $0.failures.append("\(command.arguments): \(error)") }
          }
        }
      }
      var result = tally.withLock { $0 }
      try check(store, below: folder, &result)
      return result
    }
  }

  /// Looks at the store once no other process has it open.
  private func check(_ store: String, below folder: String, _ tally: inout Tally) throws {
    let quiet = try ToolTestSupport.run(
      "track", ["start", "quiet", "--user", "q", "--store", store])
    #expect(quiet.status == 0, "\(quiet.errors)")
    let verdict = try ToolTestSupport.run("audit", ["verify", "--store", store])
    #expect(verdict.status == 0, "\(verdict.output)\(verdict.errors)")
    let list = try ToolTestSupport.run("audit", ["list", "--store", store])
    let recorded = Set(
      list.output.split { !$0.isLetter && !$0.isNumber && $0 != "." }.map(String.init))
    tally.missing = tally.acknowledged.filter { !recorded.contains($0) }
    tally.left = try unexpectedFiles(around: store)
  }
}

extension OpeningKillTests {
  /// A command of a tool, and what it means if it succeeds.
  struct Command: Sendable {
    var tool: String
    var arguments: [String]
    /// The description of the entry that it records.
    var entry: String?
    var isKeeper = false

    static func random(
      by worker: Int, _ count: Int, on store: String, exists: Bool,
      _ random: inout SeededGenerator
    ) -> Command {
      let user = ["--user", "u\(worker)", "--store", store]
      switch exists ? Int.random(in: 0..<10, using: &random) : 0 {
      case 0...6:
        let entry = "w\(worker).\(count)"
        return Command(tool: "track", arguments: ["start", entry] + user, entry: entry)
      case 7: return Command(tool: "track", arguments: ["log", "--store", store])
      case 8: return Command(tool: "replay", arguments: ["sessions", "--store", store])
      default: return Command(tool: "audit", arguments: ["verify", "--store", store])
      }
    }

    static func keepOpen(_ store: String) -> Command {
      Command(tool: "track", arguments: ["app", "--store", store], isKeeper: true)
    }

    enum Outcome: Sendable {
      case killed
      case succeeded
      case failed(String)
    }

    func run(
      errorsIn folder: String, within microseconds: UInt32, _ random: inout SeededGenerator
    ) throws -> Outcome {
      let errors = "\(folder)/errors.\(UInt64.random(in: 0 ... .max, using: &random))"
      defer { try? FileSystem.unlink(errors) }
      var options = ChildProcess.Options()
      options.variables = ["SWIFT_BACKTRACE": "enable=no", "TZ": "UTC"]
      if !isKeeper { options.input = .discard }
      options.output = .discard
      options.error = .file(errors)
      let isKilled = isKeeper || Int.random(in: 0..<10, using: &random) < 7
      // A keeper lives for several commands.
      let moment = UInt32.random(in: 0..<microseconds * (isKeeper ? 16 : 1), using: &random)
      let child = try ChildProcess.spawn(Tools.url(tool).path, arguments, options: options)
      if isKilled {
        usleep(moment)
        child.kill(SIGKILL)
      }
      switch try child.wait() {
      case .signalled(SIGKILL): return .killed
      case .exited(0): return .succeeded
      case let exit:
        let text = (try? FileSystem.readWhole(errors, limitBytes: 1 << 20)) ?? []
        return .failed("\(tool) \(arguments): \(exit): \(String(decoding: text, as: UTF8.self))")
      }
    }
  }
}

extension OpeningKillTests.Tally {
  fileprivate mutating func note(
    _ outcome: OpeningKillTests.Command.Outcome, of command: OpeningKillTests.Command
  ) {
    commands += 1
    switch outcome {
    case .killed: kills += 1
    case .succeeded: if let entry = command.entry { acknowledged.append(entry) }
    case .failed(let text): failures.append(text)
    }
  }
}

/// Returns the names in and beside a store that no process has open, except the names that a store
/// has after it was closed in order.
func unexpectedFiles(around store: String) throws -> [String] {
  let url = URL(fileURLWithPath: store)
  let beside = try FileManager.default.contentsOfDirectory(
    atPath: url.deletingLastPathComponent().path
  ).filter { $0 != url.lastPathComponent }
  let plain: Set = ["FORMAT", "anchor", "data.mdb", "derived", "lock.mdb", "owner.lock"]
  let inUse = try marksInUse(of: store)
  let within = try FileManager.default.contentsOfDirectory(atPath: store)
    .filter { !plain.contains($0) && (!$0.hasPrefix("open.") || inUse.contains($0)) }
  let plainDerived: Set = ["checked", "data.mdb", "lock.mdb", "turn.lock"]
  let derived = (try? FileManager.default.contentsOfDirectory(atPath: store + "/derived")) ?? []
  return beside + within
    + derived.filter { !plainDerived.contains($0) && !$0.hasPrefix("schemas-") }
    .map { "derived/\($0)" }
}
