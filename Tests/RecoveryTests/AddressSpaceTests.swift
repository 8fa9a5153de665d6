import RetraceSystem
import Testing
import ToolTestSupport

/// The tools under a limit on their address space, as batch systems and shells set it.
@Suite struct AddressSpaceTests {
  @Test func `the tools work where a map of the usual size does not fit`() throws {
    try withTemporaryDirectory { folder in
      for command in [
        "track start one", "track stop", "track status", "replay verify", "audit verify",
        "replay doctor", "replay state --json", "replay backup \"$1/copy\"",
      ] {
        let result = try shell(
          "ulimit -v 8000000 && \(command) --store \"$1/store\"", [folder])
        #expect(result.status == 0, "\(command): \(result.errors)")
        #expect(result.errors == "", "\(command)")
      }
    }
  }
}
