import Foundation
import LMDBFile
import RetraceSystem
import RetraceStorage
import RetraceTesting
import Testing
import ToolTestSupport

/// Random changes of the data file of a store of some megabytes.
///
/// `audit verify` and `replay verify` name the damage or give the right answer, and never end by a
/// signal. `track` gives an error or the right answer, or ends inside liblmdb, after which the next
/// open names the damage. `RETRACE_FULL=1` makes 5,000 changes and asks all tools each time; else
/// 500 are made, all of them checked in this process, and every 16th by the tools. Make all of
/// them with `Tools/test --full --release`: the debug tools verify a store many times slower.
@Suite(.serialized) struct MutationTests {
  private static let isFull = ProcessInfo.processInfo.environment["RETRACE_FULL"] == "1"
  private static let workers = 3

  private static let status = ["status", "--user", "anna", "--now", RecordedStore.now, "--json"]

  @Test func `random changes of a store are named or do no harm, and no verification crashes`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = try RecordedStore.record(in: folder, rows: Self.isFull ? 45_000 : 6_000)
      let whole = try Data(contentsOf: URL(fileURLWithPath: store.data))
      let expected = try Expected(store)
      let structural = try Self.pagesInUse(store, whole)
      let total = Lock(Tally())
      let failure = Lock<String?>(nil)
      let count = cycles(5_000) / Self.workers + 1
      print(
        "\(whole.count) bytes, \(structural.count) pages of LMDB, "
          + "\(count * Self.workers) changes")
      let seeds = withSeed("changes") { random in (0..<Self.workers).map { _ in random.next() } }
      onThreads(Self.workers) { worker in
        do {
          var random = SeededGenerator(seed: seeds[worker])
          var tally = Tally()
          var copy = try store.copied(to: "worker-\(worker)")
          for number in 0..<count {
            let mutation = Mutation.random(of: whole, structural: structural, using: &random)
            try store.write(mutation.bytes, to: copy.data)
            try Self.judge(
              mutation, on: copy, expected, asks: Self.isFull || number % 16 == 0, &tally)
            guard number % 16 == 8 else { continue }
            try Self.judgeWriting(mutation, on: copy, &tally)
            try FileManager.default.removeItem(atPath: copy.folder)
            copy = try store.copied(to: "worker-\(worker)")
          }
          total.withLock { $0.add(tally) }
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
      }
      if let failure = failure.withLock({ $0 }) { throw ToolError.noAnswer(failure) }
      let tally = total.withLock { $0 }
      print(tally.description)
      #expect(tally.wrong.isEmpty, "\(tally.wrong.prefix(8))")
      #expect(tally.counts.count > 4)
    }
  }

  /// What the tools answer about the whole store.
  private struct Expected {
    var audit: String
    var replay: String
    var status: String

    init(_ store: RecordedStore) throws {
      audit = try run("audit", ["verify", "--store", store.path, "--json"]).output
      replay = try run("replay", ["verify", "--store", store.path, "--json"]).output
      status = try run("track", MutationTests.status + ["--store", store.path]).output
    }
  }

  /// What became of the changes.
  private struct Tally {
    var counts: [String: Int] = [:]
    var wrong: [String] = []

    mutating func count(_ what: String) { counts[what, default: 0] += 1 }

    mutating func add(_ other: Tally) {
      counts.merge(other.counts, uniquingKeysWith: +)
      wrong += other.wrong
    }

    var description: String {
      counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
    }
  }

  private static func judge(
    _ mutation: Mutation, on store: RecordedStore, _ expected: Expected, asks: Bool,
    _ tally: inout Tally
  ) throws {
    let verdict = check(store)
    tally.count("\(mutation.kind), pages: \(verdict)")
    guard asks else { return }
    // First, while the store counts as closed in order, so that nothing makes `track` check all
    // pages.
    try judgeTrack(mutation, on: store, expected, &tally)
    for (tool, right) in [("audit", expected.audit), ("replay", expected.replay)] {
      let result = try run(tool, ["verify", "--store", store.path, "--json"])
      let place = "\(tool): \(mutation)"
      if let signal = result.signal {
        tally.wrong.append("\(place): signal \(signal)")
      } else if result.status == 0 {
        tally.count("\(tool) verify: the right answer")
        if result.output != right { tally.wrong.append("\(place): wrong answer") }
        if verdict == "damaged" { tally.wrong.append("\(place): fine, but the pages are not") }
      } else {
        let row = try FaultRow(place, command: tool, result)
        tally.count("\(tool) verify: \(row.code)")
        let isNamed = row.code != "damaged" || row.what.contains(/from record [0-9]+ on/)
        let isKnown = ["damaged", "rolledBack", "incompatible", "storeMissing.dataFileEmpty"]
        if !isNamed || !isKnown.contains(row.code) { tally.wrong.append("\(place): \(row)") }
        if row.why.contains("by signal") { tally.count("\(tool) verify: a process ended") }
      }
    }
    try store.removeMarks()
  }

  private static func judgeTrack(
    _ mutation: Mutation, on store: RecordedStore, _ expected: Expected, _ tally: inout Tally
  ) throws {
    // LMDB may loop forever on a damaged page, so `timeout` ends the process.
    let limited = ["-s", "KILL", "20", Tools.url("track").path] + status
    var result = try run("/usr/bin/timeout", limited + ["--store", store.path])
    if result.status == 137 { result.signal = SIGKILL }
    var name = "track status"
    if let signal = result.signal {
      tally.count("track status: ended by signal \(signal)")
      result = try run("/usr/bin/timeout", limited + ["--store", store.path])
      name = "the open after it"
      if result.status == 0 { tally.wrong.append("\(mutation): nothing named after a signal") }
    }
    if let signal = result.signal {
      tally.wrong.append("\(name), \(mutation): signal \(signal)")
    } else if result.status == 0 {
      tally.count("\(name): the right answer")
      if result.output != expected.status { tally.wrong.append("\(name), \(mutation): wrong") }
    } else {
      tally.count("\(name): \(try FaultRow(name, command: "track", result).code)")
    }
    try store.removeMarks()
  }

  /// Writes to a changed store that was closed in order: an error, an end that the next open names,
  /// or success, after which the log is damaged by name or has everything that it had.
  private static func judgeWriting(
    _ mutation: Mutation, on store: RecordedStore, _ tally: inout Tally
  ) throws {
    let started = try run(
      "/usr/bin/timeout",
      [
        "-s", "KILL", "20", Tools.url("track").path, "start", "more", "--user", "anna", "--store",
        store.path, "--json",
      ])
    let isEnded = started.signal != nil || started.status > 128
    if isEnded { tally.count("track start: ended by a signal") }
    let verified = try run("audit", ["verify", "--store", store.path, "--json"])
    guard verified.signal == nil else {
      tally.wrong.append("\(mutation), after writing: signal \(verified.signal ?? 0)")
      return
    }
    let outcome = started.status == 0 && started.signal == nil ? "done" : "not done"
    tally.count("track start: \(outcome), then audit verify: \(verified.status == 0)")
    guard verified.status == 0 else { return }
    let listed = try run("audit", ["list", "--store", store.path, "--json"])
    let records = listed.output.split(separator: "\n").map(String.init)
    let isWhole = records.starts(with: store.truth.records)
    let isMore = records.count > store.truth.records.count
    if !isWhole || isMore != (outcome == "done") {
      tally.wrong.append("\(mutation), after writing: another log")
    }
  }

  /// Returns the meta, branch and leaf pages that are in use: those whose kind matters.
  private static func pagesInUse(_ store: RecordedStore, _ whole: Data) throws -> [Int] {
    let copy = try store.copied(to: "pages")
    return try (0..<whole.count / 4096).filter { page in
      let flags = whole[page * 4096 + 10]
      guard [1, 2, 8].contains(flags), whole[page * 4096 + 11] == 0 else { return false }
      var changed = whole
      changed[page * 4096 + 10] = 0x20
      try store.write(changed, to: copy.data)
      return check(copy) == "damaged"
    }
  }

  /// Returns the verdict of the check of all pages, which runs in this process and never crashes.
  private static func check(_ store: RecordedStore) -> String {
    do throws(StructureFailure) {
      return try StructureCheck.check(store.data) == nil ? "busy" : "fine"
    } catch {
      switch error {
      case .damaged: return "damaged"
      case .unsupportedVersion, .laterLMDB: return "of another version"
      case .unreadable: return "unreadable"
      }
    }
  }
}
