import Foundation
import Testing
import ToolTestSupport

/// The table of faults: what each is called, with which exit code a tool ends, and that nothing
/// acknowledged is missing once the fault is gone.
@Suite(.serialized) struct ToolFaultTests {
  @Test func `every fault has an error of its own and loses nothing acknowledged`() throws {
    try withTemporaryDirectory { folder in
      let master = try RecordedStore.record(in: folder)
      // Without snapshots every command reads the whole log.
      try FileManager.default.removeItem(atPath: "\(master.path)/derived")
      var rows: [FaultRow] = []
      for (number, fault) in (Fault.ofFiles + Fault.ofLog).enumerated() {
        rows.append(try fault.row(in: try master.copied(to: "fault-\(number)")))
      }
      var system = SystemFaults(master)
      rows += try system.rows()
      rows += try SeamFaults(master).rows()
      for row in rows { row.expectFourParts() }
      let alike = Dictionary(grouping: rows, by: \.identity).values.filter { $0.count > 1 }
      #expect(alike.isEmpty, "alike: \(alike.map { $0.map(\.fault) })")
      print("fault | error | exit code | command: reason")
      print(FaultRow.table(rows))
      print("\(rows.count) faults, \(Set(rows.map(\.identity)).count) different errors")
      // The result of the test lists the faults that could not be made.
      if !system.skipped.isEmpty { try Test.cancel("left out: \(system.skipped)") }
    }
  }
}
