import Foundation
import RetraceTestSupport
import Testing
import ToolTestSupport

/// The command `replay salvage` on a store of the tracker: its report, its exit code, and that the
/// new store is folded and goes on as the old one did up to there.
@Suite(.serialized) struct SalvagedStoreTests {
  private func stateHash(of store: String, at sequence: Int) throws -> String {
    let result = try run("replay", ["state", "--at", "\(sequence)", "--store", store, "--json"])
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test func `the beginning of a damaged store becomes a store that goes on`() throws {
    try withTemporaryDirectory { folder in
      let store = try RecordedStore.record(in: folder)
      let whole = try run(
        "replay", ["salvage", "\(folder)/whole", "--store", store.path, "--json"])
      #expect(whole.status == 0, "\(whole.errors)")
      let all = try #require(try whole.json()["records"] as? Int)
      #expect(try whole.json()["lastKnown"] as? Int == all)
      let copy = try store.copied(to: "damaged")
      // The bytes of a description in the middle.
      let data = try Data(contentsOf: URL(fileURLWithPath: copy.data))
      let place = try #require(data.range(of: Data(RecordedStore.marker.utf8)))
      _ = try copy.flip("data.mdb", at: place.lowerBound, 1)
      let new = "\(folder)/new"
      let result = try run("replay", ["salvage", new, "--store", copy.path])
      #expect(result.status == 3, "\(result.output)\(result.errors)")
      #expect(result.errors.contains("why:") && result.errors.contains("what to do:"))
      #expect(result.output.contains("missing       record"))
      let verified = try run("replay", ["verify", "--store", new, "--json"])
      #expect(verified.status == 0, "\(verified.errors)")
      let kept = try #require(try verified.json()["records"] as? Int)
      #expect(kept > 0 && kept < all)
      #expect(result.output.contains("holds \(kept) records, verified."))
      #expect(try stateHash(of: new, at: kept) == stateHash(of: store.path, at: kept))
      let started = try run(
        "track",
        ["start", "again", "--store", new, "--user", "anna", "--now", RecordedStore.now])
      #expect(started.status == 0, "\(started.errors)")
      let again = try run("replay", ["salvage", new, "--store", copy.path])
      #expect(again.status == 64, "\(again.errors)")
    }
  }
}
