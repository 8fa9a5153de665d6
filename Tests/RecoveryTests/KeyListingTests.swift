import RetraceRecording
import RetraceStorage
import Testing
import ToolTestSupport
import TrackerFeatures

/// Idempotency keys as `audit` shows them.
@Suite struct KeyListingTests {
  @Test func `audit lists the key of a batch with its first record, without control characters`()
    throws
  {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/store"
      let store = try SeamStore.open(path)
      try store.sendBlocking(SeamStore.batch("keyed"), key: "request\u{1b}[1m 7")
      try store.sendBlocking(SeamStore.batch("keyed"), key: "request\u{1b}[1m 7")
      try store.sendBlocking(SeamStore.batch("plain"))
      try store.closeBlocking()
      let text = try run("audit", ["list", "--store", path])
      #expect(text.status == 0, "\(text.errors)")
      let keyed = text.output.split(separator: "\n").filter { $0.contains("key request") }
      #expect(keyed.count == 1 && keyed.first?.hasPrefix("2 ") == true, "\(text.output)")
      #expect(!text.output.contains("\u{1b}"))
      let json = try run("audit", ["list", "--store", path, "--json"])
      let lines = json.output.split(separator: "\n").filter { $0.contains(#""key":"request"#) }
      #expect(lines.count == 1 && lines.first?.contains(#""sequence":2"#) == true)
      let verified = try run("audit", ["verify", "--store", path])
      #expect(verified.status == 0, "\(verified.errors)")
    }
  }
}
