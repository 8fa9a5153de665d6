import Foundation
import Testing
import ToolTestSupport

/// A page that ends the process which reads it through LMDB: the next open names the damage, and no
/// verification is ended.
@Suite struct EndedByDamageTests {
  /// Makes the value of the last block longer than the whole file, in every leaf that has it.
  private func damage(_ store: RecordedStore) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: store.data))
    var places = 0
    for node in stride(from: 8192, to: data.count - 16, by: 2) {
      // Size, flags, size of the key, and a key that is the number of a record.
      let isNode =
        data[node + 2] == 0 && data[node + 4] <= 1 && data[node + 5] == 0 && data[node + 6] == 8
        && data[node + 7] == 0 && data[node + 8..<node + 14].allSatisfy { $0 == 0 }
      guard isNode, data[node + 14] != 0 || data[node + 15] != 0 else { continue }
      data[node + 2] = 0xff
      places += 1
    }
    try #require(places > 0)
    try store.write(data, to: store.data)
  }

  @Test func `the open after the crash names the damage, and verification names it at once`() throws
  {
    try withTemporaryDirectory { folder in
      let store = try RecordedStore.record(in: folder, rows: 8)
      let whole = try Data(contentsOf: URL(fileURLWithPath: store.data))
      try damage(store)
      for tool in ["audit", "replay"] {
        let result = try run(tool, ["verify", "--store", store.path, "--json"])
        #expect(result.signal == nil && result.status == 3, "\(result.errors)")
        #expect(result.errors.contains(" from record 1 on"), "\(result.errors)")
      }
      let options = ["--user", "anna", "--store", store.path, "--json"]
      let status = ["status"] + options
      #expect(try run("track", status).signal == SIGBUS)
      for command in [status, ["start", "more"] + options] {
        let named = try run("track", command)
        #expect(named.signal == nil && named.status == 3, "\(named.errors)")
        #expect(named.errors.contains(" from record 1 on"), "\(named.errors)")
        #expect(named.errors.contains("Page "), "\(named.errors)")
      }
      // Once the file is put back, everything is there and no mark of the crash is left.
      try store.write(whole, to: store.data)
      try store.expectWhole("a page that ended a process")
      #expect(try marksInUse(of: store.path).isEmpty)
    }
  }
}
