import Foundation
import Testing
import ToolTestSupport

/// A record of an older build that ends a newer one while the log is folded: the record is named,
/// `audit` reads everything, and the build that recorded it opens the store as ever.
@Suite struct ReducerTrapTests {
  private static let trapping = ["TESTAPP_REFUSES": "poison", "TESTAPP_REDUCER": "2"]
  private static let withTrial = trapping.merging(["TESTAPP_TRIAL": "1"]) { _, new in new }

  /// Records notes; a newer build traps on the one in record 3.
  private func withStore(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let sender = try SenderProcess(store)
      for note in ["one", "poison", "three"] { _ = try sender.ask("note \(note)") }
      sender.close()
      try body(store)
    }
  }

  private func send(_ store: String, _ environment: [String: String]) throws -> ToolResult {
    try run("testapp", ["send", "--store", store], environment: environment)
  }

  @Test func `the second open folds in a process of its own and names the record`() throws {
    try withStore { store in
      #expect(try send(store, Self.withTrial).signal == trapSignal)
      for _ in 0..<3 {
        let second = try send(store, Self.withTrial)
        #expect(second.signal == nil && second.status == 6)
        #expect(second.errors.contains("at record 3."), "\(second.errors)")
      }
      #expect(try marksInUse(of: store).count == 1)
      try expectReadable(store)
    }
  }

  @Test func `without a trial the program ends twice more at the record before it is named`() throws
  {
    try withStore { store in
      for _ in 0..<3 { #expect(try send(store, Self.trapping).signal == trapSignal) }
      for _ in 0..<2 {
        let named = try send(store, Self.trapping)
        #expect(named.signal == nil && named.status == 6)
        #expect(named.errors.contains("at record 3."), "\(named.errors)")
      }
      try expectReadable(store)
    }
  }

  @Test func `the tools name the record, verify and bench in their first run`() throws {
    try withStore { store in
      let verify = try run(
        "testapp", ["verify", "--store", store, "--json"], environment: Self.trapping)
      #expect(verify.signal == nil && verify.status == 4, "\(verify.errors)")
      #expect(verify.errors.contains(#""code":"reducerTrapped""#), "\(verify.errors)")
      #expect(verify.errors.contains("at record 3."), "\(verify.errors)")
      // In a process of its own, too, and the second of them names the record.
      let bench = try run(
        "testapp", ["bench", "--store", store, "--json"], environment: Self.trapping)
      #expect(bench.signal == nil && bench.status == 4, "\(bench.errors)")
      #expect(bench.errors.contains(#""code":"reducerTrapped""#), "\(bench.errors)")
      #expect(bench.errors.contains("at record 3."), "\(bench.errors)")
      for mark in try marksInUse(of: store) {
        try FileManager.default.removeItem(atPath: "\(store)/\(mark)")
      }
      let state = ["state", "--store", store, "--json"]
      #expect(try run("testapp", state, environment: Self.trapping).signal == trapSignal)
      let named = try run("testapp", state, environment: Self.trapping)
      #expect(named.signal == nil && named.status == 4)
      #expect(named.errors.contains("at record 3."), "\(named.errors)")
      try expectReadable(store)
    }
  }

  @Test func `verify names the record in a log of many blocks, and only after the log is checked`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let sender = try SenderProcess(store)
      let text = String(repeating: "a long note ", count: 200)
      for number in 1...60 { _ = try sender.ask("note \(number == 20 ? "poison" : text)") }
      _ = try sender.ask("note the last one")
      sender.close()
      for _ in 0..<3 {
        let verify = try run(
          "testapp", ["verify", "--store", store, "--json"], environment: Self.trapping)
        #expect(verify.signal == nil && verify.status == 4, "\(verify.errors)")
        #expect(verify.errors.contains("at record 21."), "\(verify.errors)")
      }
      // The mark that a verification leaves names no record, so the next open still traps.
      #expect(try send(store, Self.trapping).signal == trapSignal)
      // A block after the record that traps is damaged, which comes before the trap.
      let file = URL(filePath: "\(store)/data.mdb")
      var bytes = try Data(contentsOf: file)
      var places = 0
      while let place = bytes.range(of: Data("the last one".utf8)) {
        bytes[place.lowerBound] ^= 1
        places += 1
      }
      try #require(places > 0)
      try bytes.write(to: file)
      let damaged = try run(
        "testapp", ["verify", "--store", store, "--json"], environment: Self.trapping)
      #expect(damaged.errors.contains(#""code":"damaged""#), "\(damaged.errors)")
    }
  }

  @Test func `a process that traps while it folds leaves nothing that hinders a corrected one`()
    throws
  {
    try withStore { store in
      #expect(try send(store, Self.withTrial).signal == trapSignal)
      // A corrected reducer has another fingerprint; here the same one takes the record again.
      for environment in [["TESTAPP_TRIAL": "1", "TESTAPP_REDUCER": "2"], [:]] {
        let fine = try send(store, environment)
        #expect(fine.status == 0 && fine.output.hasPrefix("open "), "\(fine.errors)")
      }
      #expect(try marksInUse(of: store).isEmpty)
    }
  }

  /// Checks that `audit` reads everything, and that the build that recorded the log opens it and
  /// removes the marks of the other build.
  private func expectReadable(_ store: String) throws {
    for command in ["verify", "list"] {
      let audit = try run("audit", [command, "--store", store, "--json"])
      #expect(audit.status == 0, "\(audit.errors)")
    }
    let old = try SenderProcess(store)
    #expect(old.opening == "open 5 recovered")
    old.close()
    #expect(try marksInUse(of: store).isEmpty)
    try StoreReport(store: store).verify()
  }
}
