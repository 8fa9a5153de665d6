import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import RetraceTesting
import Testing
import ToolTestSupport

/// Processes that end with effects in flight: the process that opens the store next recovers each
/// effect once, by the policy of its leaf.
@Suite struct EffectKillTests {
  private func withStore(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { try body("\($0)/store") }
  }

  private let hanging = ["RETRACE_TEST_DESK": "hangs"]

  /// How the log says that each leaf ended, in order, as `CAUSE.ORDINAL OUTCOME`.
  private func ends(_ store: String) throws -> [String] {
    let storage = try LogStorage.open(at: store, access: .read)
    defer { storage.close() }
    var ends: [String] = []
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        guard let end = try? EffectFinished(encoded: payload), envelope.kind == .effectFinished
        else { return }
        ends.append("\(end.id) \(end.outcome)")
      }
    }
    return ends
  }

  /// The leaves that were started, in any process.
  private func started(_ store: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: store + ".ran") else { return [] }
    return try String(contentsOfFile: store + ".ran", encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  private func waitUntilSettled(_ process: SenderProcess) throws {
    while try process.ask("effects") != "effects 0" { usleep(1_000) }
  }

  /// Ends a process that has a leaf of each policy in flight.
  private func kill(_ store: String) throws {
    let process = try SenderProcess(store, environment: hanging)
    #expect(try process.ask("effect drop a") == "ok 2")
    #expect(try process.ask("effect run b") == "ok 3")
    #expect(try process.ask("effect send c") == "ok 4")
    #expect(try process.ask("effects") == "effects 3")
    while try started(store).count < 3 { usleep(1_000) }
    process.process.kill()
  }

  @Test func `each policy is followed once after a kill, and a second opening changes nothing`()
    throws
  {
    try withStore { store in
      try kill(store)
      let next = try SenderProcess(store)
      try waitUntilSettled(next)
      next.close()
      #expect(try Set(ends(store)) == ["2.0 dropped", "3.0 finished", "4.0 replaced"])
      #expect(try Set(StoreReport(store: store).notes()) == ["ran b", "ended c"])
      #expect(try started(store).filter { $0 == "b" }.count == 2)
      let settled = try ends(store)
      let last = try SenderProcess(store)
      #expect(try last.ask("effects") == "effects 0")
      last.close()
      #expect(try ends(store) == settled)
      try StoreReport(store: store).verify()
    }
  }

  @Test func `no tool runs an effect or records anything [L6] [H6, H9]`() throws {
    try withStore { store in
      try kill(store)
      let data = URL(fileURLWithPath: "\(store)/data.mdb")
      let bytes = try Data(contentsOf: data)
      let commands = [
        ["verify"], ["state"], ["state", "--at", "3"], ["sessions"], ["show"], ["route"],
        ["screen"], ["bench", "--rounds", "3"],
      ]
      for command in commands {
        let result = try run(
          "testapp", command + ["--store", store], environment: ["RETRACE_TEST_DESK": "done"])
        #expect(result.status == 0, "\(command): \(result.errors)")
      }
      #expect(try started(store).sorted() == ["a", "b", "c"])
      #expect(try ends(store) == [] && Data(contentsOf: data) == bytes)
    }
  }

  @Test func `if processes open at once, exactly one recovers each effect`() throws {
    for _ in 0..<repetitions(30) {
      try withStore { store in
        try kill(store)
        let environment = ["RETRACE_TEST_DESK": "done"]
        let tools = try (0..<4).map { _ in
          try RunningTool("testapp", ["send", "--store", store], environment: environment)
        }
        for tool in tools { #expect(tool.readLine()?.hasPrefix("open") == true) }
        var left = true
        while left {
          left = try tools.map { tool in
            tool.send("catch-up")
            #expect(tool.readLine()?.hasPrefix("ok") == true)
            tool.send("effects")
            return try #require(tool.readLine()) != "effects 0"
          }.contains(true)
        }
        for tool in tools { #expect(tool.finish().status == 0) }
        #expect(
          try ends(store).sorted() == ["2.0 dropped", "3.0 finished", "4.0 replaced"])
        #expect(try StoreReport(store: store).notes().sorted() == ["ended c", "ran b"])
        #expect(try started(store).filter { $0 == "b" }.count == 2)
        try StoreReport(store: store).verify()
      }
    }
  }

  @Test func `an open process recovers the effects that another one leaves when it ends`() throws {
    try withStore { store in
      let living = try SenderProcess(store)
      try kill(store)
      #expect(try living.ask("catch-up") == "ok 4")
      try waitUntilSettled(living)
      living.close()
      #expect(try Set(ends(store)) == ["2.0 dropped", "3.0 finished", "4.0 replaced"])
    }
  }

  @Test func `processes that are killed while effects answer lose and repeat no answer`() throws {
    try withSeed { random in
      try withStore { store in
        var asked = 0
        for _ in 0..<repetitions(100) {
          let process = try SenderProcess(store)
          for _ in 0..<Int.random(in: 1...6, using: &random) {
            asked += 1
            let line = "effect \(["run", "send"].randomElement(using: &random) ?? "run") e\(asked)"
            #expect(try process.ask(line).hasPrefix("ok "))
          }
          usleep(UInt32.random(in: 0...3_000, using: &random))
          process.process.kill()
        }
        let last = try SenderProcess(store)
        try waitUntilSettled(last)
        last.close()
        let ends = try ends(store)
        #expect(ends.count == asked)
        // A kill while an answer is reduced is rare; after two of them the leaf has failed.
        let failed = ends.count { $0.hasSuffix("failed") }
        #expect(Set(ends.map { $0.split(separator: " ")[0] }).count == asked)
        let notes = try StoreReport(store: store).notes()
        #expect(notes.count == asked - failed)
        let names = Set(notes.compactMap { $0.split(separator: " ").last })
        #expect(names.count == asked - failed)
        try StoreReport(store: store).verify()
      }
    }
  }

  @Test func `an answer that traps the reducer does not prevent the store from opening`() throws {
    try withStore { store in
      let process = try SenderProcess(store)
      process.process.send("trapping-effect boom")
      // The answer comes at some later time, and ends the process.
      while process.process.readLine() != nil {}
      #expect(process.process.finish().signal == trapSignal)
      // The end may have been a kill, so the next open recovers the leaf once more.
      #expect(throws: ToolError.self) { try SenderProcess(store) }
      #expect(try ends(store) == [])
      let next = try SenderProcess(store)
      #expect(next.recovered.count == 1)
      #expect(try next.ask("effects") == "effects 0")
      next.close()
      #expect(try ends(store) == ["2.0 failed"])
      #expect(try StoreReport(store: store).crashed().count == 2)
      try StoreReport(store: store).verify()
    }
  }
}
