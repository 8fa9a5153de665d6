import Foundation
import RetraceLMDB
import Testing
import ToolTestSupport

/// The command `replay salvage` on a store of the tracker: its report, its exit code, and that the
/// new store folds to the same state and takes new records.
@Suite(.serialized) struct SalvagedStoreTests {
  private func stateHash(of store: String, at sequence: Int) throws -> String {
    let result = try run("replay", ["state", "--at", "\(sequence)", "--store", store, "--json"])
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// Where the block with a record, or the last block of the log, is in the data file.
  private static func block(
    of sequence: UInt64 = .max, in store: RecordedStore
  ) throws -> Range<Int> {
    let environment = try LMDBEnvironment.open(store.path)
    defer { environment.close() }
    let log = try #require(try environment.openDatabase("log"))
    let transaction = try environment.beginRead()
    var cursor = try transaction.cursor(over: log)
    _ = try cursor.seek(atOrBefore: sequence)
    let value = cursor.value
    let block = Data([UInt8](value))
    let data = try Data(contentsOf: URL(fileURLWithPath: store.data))
    return try #require(data.range(of: block))
  }

  @Test func `the intact records after damage are listed, and marked`() throws {
    try withTemporaryDirectory { folder in
      let store = try RecordedStore.record(in: folder)
      let all = store.truth.records
      func list(_ copy: RecordedStore, _ options: String...) throws -> ToolResult {
        try run("audit", ["list", "--salvage", "--store", copy.path] + options)
      }
      // Without damage the list is that of the log.
      let whole = try list(store, "--json")
      #expect(whole.status == 0, "\(whole.errors)")
      #expect(whole.output.lines.map { $0.replacing(",\"isChained\":true", with: "") } == all)

      let copy = try store.copied(to: "damaged")
      let place = try Self.block(of: UInt64(all.count / 2), in: store)
      _ = try copy.flip("data.mdb", at: place.upperBound - 1, 1)
      #expect(try run("audit", ["list", "--store", copy.path]).status == 3)
      let result = try list(copy, "--json")
      #expect(result.status == 3, "\(result.errors)")
      var numbers: [Int] = []
      var chained = 0
      for line in result.output.lines {
        let isChained = line.contains(",\"isChained\":true")
        let record = line.replacing(",\"isChained\":\(isChained)", with: "")
        let index = try #require(all.firstIndex(of: record), "\(line)")
        // The chain covers the records before the damage, and none after it.
        #expect(isChained == (index == chained), "\(line)")
        if isChained { chained += 1 }
        numbers.append(index + 1)
      }
      #expect(numbers == numbers.sorted() && numbers.last == all.count)
      #expect(chained > 0 && chained < all.count / 2)
      let first = try #require(numbers.dropFirst(chained).first)
      #expect(first > all.count / 2)
      #expect(numbers == Array(1...chained) + Array(first...all.count))
      #expect(
        result.errors.contains("Missing are the records \(chained + 1) to \(first - 1)."),
        "\(result.errors)")

      let last = try list(copy, "--last", "2").output.lines
      let sequences = last.map { $0.prefix { $0.isNumber } }
      #expect(sequences == ["\(all.count - 1)", "\(all.count)"])
      #expect(last.allSatisfy { $0.hasSuffix("  (not covered by the chain)") })
      let commands = try list(copy, "--kind", "command", "--limit", "2").output.lines
      #expect(commands.count == 2 && commands.allSatisfy { $0.contains(" command ") })
      #expect(try list(copy, "--filter", "kind:command").status == 64)
    }
  }

  @Test func `the beginning of a damaged store becomes a store that takes new records`() throws {
    try withTemporaryDirectory { folder in
      let store = try RecordedStore.record(in: folder)
      let whole = try run(
        "replay", ["salvage", "\(folder)/whole", "--store", store.path, "--json"])
      #expect(whole.status == 0, "\(whole.errors)")
      let all = try #require(try whole.json()["records"] as? Int)
      #expect(try whole.json()["lastKnown"] as? Int == all)
      let copy = try store.copied(to: "damaged")
      let place = try Self.block(in: store)
      _ = try copy.flip("data.mdb", at: place.upperBound - 1, 1)
      let new = "\(folder)/new"
      let result = try run("replay", ["salvage", new, "--store", copy.path])
      #expect(result.status == 3, "\(result.output)\(result.errors)")
      #expect(result.errors.contains("why:") && result.errors.contains("do:"))
      #expect(result.output.contains("missing       record"))
      let verified = try run("replay", ["verify", "--store", new, "--json"])
      #expect(verified.status == 0, "\(verified.errors)")
      let kept = try #require(try verified.json()["records"] as? Int)
      // The last command opened a session, acted and closed it in one commit; what the commit
      // before it wrote is whole.
      #expect(kept == all - 5)
      #expect(result.output.contains("holds \(kept) records, verified."))
      #expect(try stateHash(of: new, at: kept) == stateHash(of: store.path, at: kept))
      let started = try run(
        "track",
        ["start", "again", "--store", new, "--user", "bo", "--now", RecordedStore.now])
      #expect(started.status == 0, "\(started.errors)")
      let again = try run("replay", ["salvage", new, "--store", copy.path])
      #expect(again.status == 64, "\(again.errors)")
    }
  }

  @Test func `the records before a damaged one can be exported, even if that is the last one`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = try RecordedStore.record(in: folder)
      let whole = "\(folder)/whole.avro"
      let export = { (path: String, file: String, last: Int?) in
        try run(
          "audit",
          ["export", "--store", path, "--output", file]
            + (last.map { ["--through", "\($0)"] } ?? []))
      }
      let told = try export(store.path, whole, nil)
      #expect(told.status == 0, "\(told.errors)")
      let copy = try store.copied(to: "damaged")
      _ = try copy.flip("data.mdb", at: try Self.block(in: store).upperBound - 1, 1)
      let list = try run("audit", ["list", "--store", store.path])
      let all = list.output.split(separator: "\n").count
      #expect(try export(copy.path, "\(folder)/a.avro", nil).status == 3)
      #expect(try export(copy.path, "\(folder)/b.avro", all).status == 3)
      #expect(try export(copy.path, "\(folder)/c.avro", all + 1).status == 7)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!names.contains { $0.hasSuffix(".avro") && $0 != "whole.avro" })
      let last = all / 2
      let part = try export(copy.path, "\(folder)/d.avro", last)
      #expect(part.status == 0, "\(part.errors)")
      #expect(part.output.hasPrefix("\(last) records were exported"))
      let same = try export(store.path, "\(folder)/e.avro", last)
      #expect(same.status == 0)
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: "\(folder)/d.avro"))
          == Data(contentsOf: URL(fileURLWithPath: "\(folder)/e.avro")))
    }
  }
}
