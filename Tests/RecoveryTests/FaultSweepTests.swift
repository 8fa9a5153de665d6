import RetraceSystem
import RetraceStorage
import Testing
import ToolTestSupport

/// The n-th call of an operation fails, n growing until a run meets no failure: each run gives an
/// error of its own or a correct result, and after reopening the log has whole batches, everything
/// acknowledged, and nothing that was refused.
///
/// `RETRACE_FULL=1` takes every n and every code.
@Suite(.serialized) struct FaultSweepTests {
  @Test(arguments: SweptOperation.allCases)
  func `whichever call fails, nothing acknowledged is lost`(_ operation: SweptOperation) throws {
    // In memory if possible, because the operations wait for a disk thousands of times.
    let place = (try? FileSystem.info("/dev/shm"))?.isDirectory == true ? "/dev/shm" : nil
    let folder = try FileSystem.makeTemporaryDirectory("retrace-sweep-", in: place)
    defer { try? FileSystem.removeTree(folder) }
    var lines: [String] = []
    let number = SweptOperation.allCases.firstIndex(of: operation) ?? 0
    for (part, seam) in FaultSweep.Seam.allCases.enumerated()
    where seam == .lmdb || operation.callsSystem {
      for code in FaultSweep.Code.ofRow(number + part) {
        for isAfter in [false, true] {
          let sweep = FaultSweep(operation: operation, seam: seam, code: code, isAfter: isAfter)
          let row = "\(folder)/row-\(lines.count)"
          try FileSystem.makeDirectory(row)
          let outcome = try sweep.run(in: row)
          lines.append("\(sweep): \(outcome)")
          #expect(outcome.failures > 0, "\(sweep)")
          try FileSystem.removeTree(row)
        }
      }
    }
    print(lines.joined(separator: "\n"))
  }
}
