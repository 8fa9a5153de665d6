import LMDBFile
import RetraceLMDB
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

@Suite struct StructureCheckTests {
  @Test func `whatever LMDB wrote passes, and no page is unaccounted for`() throws {
    for round in 0..<repetitions(40) {
      try withSeed("structure of what LMDB wrote", default: UInt64(round + 1)) { random in
        try withTemporaryDirectory { directory in
          let options = LMDBEnvironment.Options(mapSizeBytes: 1 << 28, maxDatabases: 4)
          let environment = try LMDBEnvironment.open(directory, options: options)
          defer { environment.close() }
          let names = ["log", "meta", "schemas"]
          let tables = try names.map { try environment.createDatabase($0) }
          var deepest: UInt64 = 0
          for _ in 0..<40 {
            try change(environment, tables, &random)
            let checked = try StructureCheck.check(directory + "/data.mdb")
            let report = try #require(checked)
            #expect(report.unusedPages == 0)
            #expect(report.transaction == UInt64(try environment.info().lastTransaction))
            deepest = max(deepest, report.treePages)
          }
          #expect(deepest > 20)
        }
      }
    }
  }

  /// One transaction with many changes of all kinds.
  private func change(
    _ environment: LMDBEnvironment, _ tables: [LMDBDatabase], _ random: inout SeededGenerator
  ) throws {
    var transaction = try environment.beginWrite()
    let table = tables.randomElement(using: &random) ?? tables[0]
    let range = Int.random(in: 1...2000, using: &random)
    if Int.random(in: 0..<12, using: &random) == 0 {
      try transaction.removeAll(in: table)
    }
    let longKeys = Bool.random(using: &random)
    for _ in 0..<Int.random(in: 1...400, using: &random) {
      let number = Int.random(in: 0..<range, using: &random)
      var key: [UInt8] = [UInt8(number >> 8), UInt8(number & 255)]
      if longKeys { key += [UInt8](repeating: 7, count: number % 400) }
      if Int.random(in: 0..<3, using: &random) == 0 {
        _ = try transaction.delete(key.span, in: table)
      } else {
        let long = Int.random(in: 0..<8, using: &random) == 0
        let count = Int.random(in: long ? 2000...20_000 : 0...300, using: &random)
        let value = [UInt8](repeating: UInt8(number & 255), count: count)
        try transaction.put(value.span, for: key.span, in: table)
      }
    }
    if Int.random(in: 0..<6, using: &random) == 0 { return }
    try transaction.commit()
  }
}
