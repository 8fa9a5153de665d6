import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// Two processes that change one store at once, undo their changes and bring them back.
@Suite struct SharedUndoTests {
  /// `testapp undo` on a store.
  private struct Worker {
    private let process: RunningTool

    init(_ store: String, _ login: String, _ seed: UInt64, isAlone: Bool = true) throws {
      process = try RunningTool(
        "testapp", ["undo", "--store", store, login, "\(seed)", isAlone ? "alone" : "shared"])
      #expect(process.readLine() == "open")
    }

    func begin(_ line: String) { process.send(line) }

    func line() throws -> String {
      guard let line = process.readLine() else {
        throw ToolError.noAnswer(process.finish().errors)
      }
      return line
    }

    /// Sends a line, and returns the number in its answer.
    @discardableResult
    func ask(_ line: String) throws -> Int {
      begin(line)
      return try count()
    }

    func count() throws -> Int {
      let line = try line()
      return try #require(line.split(separator: " ").last.flatMap { Int($0) }, "\(line)")
    }

    /// Returns the values of fields by the numbers of items and the names of fields.
    func values(_ line: String) throws -> [String: [String: String]] {
      begin(line)
      var values: [String: [String: String]] = [:]
      while true {
        let words = try self.line().split(separator: " ").map(String.init)
        guard words.count == 3 else { return values }
        values[words[0], default: [:]][words[1]] = words[2]
      }
    }

    func close() {
      let result = process.finish()
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  /// The number of operations of each process.
  private static var operations: Int { repetitions(1_000, few: 200) }

  /// Calls `body` with a store of three items and a seed.
  private func withStore(_ body: (String, UInt64) throws -> Void) throws {
    try withSeed { random in
      let memory = URL(fileURLWithPath: "/dev/shm")
      let isThere = FileManager.default.isWritableFile(atPath: memory.path)
      let folder = (isThere ? memory : FileManager.default.temporaryDirectory)
        .appendingPathComponent("retrace-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = folder.path + "/store"
      let setup = try Worker(store, "setup", random.next())
      try setup.ask("change 100")
      setup.close()
      try body(store, random.next())
      try StoreReport(store: store, environment: ["TESTAPP_KIOSK": "right"]).verify()
    }
  }

  /// Sends a line to each of two processes, so that both work at once.
  private func atOnce(_ one: (Worker, String), _ other: (Worker, String)) throws {
    one.0.begin(one.1)
    other.0.begin(other.1)
    for (worker, _) in [one, other] { _ = try worker.count() }
  }

  @Test func `each process brings back all that it undid, and every value`() throws {
    try withStore { store, seed in
      let (anna, ben) = (try Worker(store, "anna", seed), try Worker(store, "ben", seed &+ 1))
      for _ in 0..<2 {
        try atOnce((anna, "take \(Self.operations)"), (ben, "take \(Self.operations)"))
        for worker in [anna, ben] { #expect(try worker.ask("restore") > 0, "seed \(seed)") }
        for worker in [anna, ben] { #expect(try worker.ask("values") > 0, "seed \(seed)") }
      }
      for worker in [anna, ben] { worker.close() }
    }
  }

  @Test func `undoing everything leaves what the other process set, and else the start`() throws {
    try withStore { store, seed in
      let (anna, ben) = (try Worker(store, "anna", seed), try Worker(store, "ben", seed &+ 1))
      let start = try anna.values("items")
      try atOnce((anna, "run \(Self.operations)"), (ben, "change \(Self.operations)"))
      #expect(try anna.ask("undo") > 0)
      let kept = try ben.values("kept")
      let items = try anna.values("items")
      for (item, fields) in items {
        let others = try #require(kept[item] ?? start[item], "seed \(seed), \(item) \(fields)")
        for (name, text) in fields {
          guard let expected = others[name] ?? start[item]?[name] else { continue }
          #expect(text == expected, "seed \(seed), \(name) of item \(item)")
        }
      }
      let gone = Set(start.keys).union(kept.keys).subtracting(items.keys)
      #expect(gone.isEmpty, "seed \(seed)")
      #expect(try anna.ask("undo") == 0)
      for worker in [anna, ben] { worker.close() }
    }
  }

  @Test func `what one user did in two processes is undone by either`() throws {
    try withStore { store, seed in
      let workers = try (0..<2).map { number in
        try Worker(store, "anna", seed &+ UInt64(number), isAlone: false)
      }
      let start = try workers[0].values("items")
      for worker in workers {
        try atOnce(
          (workers[0], "run \(Self.operations)"), (workers[1], "run \(Self.operations)"))
        #expect(try worker.ask("undo") > 0)
        for worker in workers {
          #expect(try worker.values("items") == start, "seed \(seed)")
          #expect(try worker.ask("undo") == 0)
        }
      }
      for worker in workers { worker.close() }
    }
  }
}
