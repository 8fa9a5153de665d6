import Foundation
import Testing
import ToolTestSupport

/// Processes that have one store open for long, and save its states in turn.
@Suite struct SharedSnapshotTests {
  private static let environment = ["TESTAPP_REDUCER": "one", "TESTAPP_SNAPSHOTS": "20"]

  /// Returns the sequences of the stored snapshots, as another process sees them.
  private func stored(_ store: String) throws -> [Int] {
    let result = try run(
      "testapp", ["doctor", "--json", "--store", store], environment: Self.environment)
    let found = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let snapshots = (found as? [String: Any])?["snapshots"] as? [String: Any]
    return try #require(snapshots?["stored"] as? [Int])
  }

  /// Compares every stored state with a fold from zero.
  private func expectSound(_ store: String) throws {
    for sequence in try stored(store) {
      let words = ["state", "--at", "\(sequence)", "--json", "--store", store]
      let opened = try run("testapp", words, environment: Self.environment)
      #expect(opened.status == 0 && opened.errors == "", "\(sequence): \(opened.errors)")
      // A process without a reducer fingerprint uses no snapshots.
      #expect(try run("testapp", words).output == opened.output, "\(sequence)")
    }
    try StoreReport(store: store).verify()
  }

  @Test func `processes that save in turn go on from each other's snapshots`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let senders = try (0..<3).map { _ in
        try SenderProcess(store, environment: Self.environment)
      }
      var newest = 0
      for round in 0..<8 {
        for (index, sender) in senders.enumerated() {
          #expect(try sender.ask("run 25 1 \(round).\(index)").hasPrefix("done"))
          // Whichever process saved last before, this one has saved now.
          let last = try #require(try stored(store).last)
          #expect(last > newest, "round \(round), process \(index)")
          newest = last
        }
      }
      try expectSound(store)
      for sender in senders { sender.close() }
      try expectSound(store)
    }
  }

  @Test func `a process whose snapshots are deleted saves again while it goes on`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let first = try SenderProcess(store, environment: Self.environment)
      #expect(try first.ask("run 60 1 first").hasPrefix("done"))
      first.close()
      let sender = try SenderProcess(store, environment: Self.environment)
      #expect(try sender.ask("snapshot").hasPrefix("snapshot 6"))
      for round in 0..<3 {
        try FileManager.default.removeItem(atPath: "\(store)/derived")
        #expect(try sender.ask("run 60 1 \(round)").hasPrefix("done"))
        #expect(try stored(store).last ?? 0 > 60 * (round + 1))
        try expectSound(store)
      }
      sender.close()
    }
  }

  @Test func `a process that only follows has the state of one that saves, and sends on it`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let writer = try SenderProcess(store, environment: Self.environment)
      #expect(try writer.ask("run 60 1 before").hasPrefix("done"))
      let reader = try SenderProcess(store, environment: Self.environment)
      for round in 0..<5 {
        #expect(try writer.ask("run 60 1 \(round)").hasPrefix("done"))
        #expect(try reader.ask("catch-up").hasPrefix("ok "))
        #expect(try reader.hash() == (try writer.hash()))
      }
      #expect(try reader.ask("note by the reader").hasPrefix("ok "))
      #expect(try writer.ask("catch-up").hasPrefix("ok "))
      #expect(try reader.hash() == (try writer.hash()))
      writer.close()
      reader.close()
      try expectSound(store)
    }
  }
}
