import RetraceLMDB
import RetraceTesting
import Testing
import ToolTestSupport

struct LMDBTransactionTests {
  let directory: TemporaryDirectory
  let environment: LMDBEnvironment
  let table: LMDBDatabase

  init() throws {
    directory = try TemporaryDirectory()
    environment = try LMDBEnvironment.open(directory.path)
    table = try environment.createDatabase("table")
  }

  @Test func `Committed values are read back, also after closing`() throws {
    var write = try environment.beginWrite()
    try write.put([1, 2, 3].span, for: 7, in: table)
    let (empty, key): ([UInt8], [UInt8]) = ([], [9, 9])
    try write.put(empty.span, for: key.span, in: table)
    try write.commit()
    environment.close()

    let again = try LMDBEnvironment.open(directory.path)
    let found = try #require(try again.openDatabase("table"))
    let read = try again.beginRead()
    #expect(try read.bytes(7, found) == [1, 2, 3])
    #expect(try read.bytes([9, 9], found) == [])
    #expect(try read.bytes(8, found) == nil)
    #expect(try again.openDatabase("other") == nil)
  }

  @Test func `Uncommitted values are not stored`() throws {
    var write = try environment.beginWrite()
    try write.put([1].span, for: 1, in: table)
    #expect(try write.bytes(1, table) == [1])
    #expect(try environment.read(1, table) == nil)
    Held(write).drop()
    #expect(try environment.read(1, table) == nil)
  }

  @Test func `A read transaction sees one commit only`() throws {
    try environment.write([1], 1, table)
    let read = try environment.beginRead()
    try environment.write([2], 1, table)
    #expect(try read.bytes(1, table) == [1])
    #expect(try environment.read(1, table) == [2])
  }

  @Test func `Integer keys are 8 bytes, highest first, and so in order`() throws {
    let keys: [UInt64] = [0, 1, 255, 256, 65_535, 1 << 32, 1 << 63, .max]
    for key in keys.shuffled() { try environment.write([1], key, table) }
    let read = try environment.beginRead()
    var cursor = try read.cursor(over: table)
    var seen: [UInt64?] = []
    while try cursor.next() { seen.append(cursor.integerKey) }
    #expect(seen == keys)
    #expect(try read.bytes([0, 0, 0, 0, 0, 0, 1, 0], table) == [1])
  }

  @Test func `Appending demands a key above all others`() throws {
    var write = try environment.beginWrite()
    try write.append([1].span, for: 10, in: table)
    try write.append([2].span, for: 11, in: table)
    do throws(LMDBError) {
      try write.append([3].span, for: 5, in: table)
      Issue.record("appended below the last key")
    } catch { #expect(error == LMDBError(.keyExists, during: .append)) }
  }

  @Test func `Deleting says whether there was anything`() throws {
    try environment.write([1], 1, table)
    var write = try environment.beginWrite()
    let (first, second) = (try write.delete(1, in: table), try write.delete(1, in: table))
    #expect(first && !second)
    try write.put([1].span, for: 2, in: table)
    try write.put([1].span, for: 3, in: table)
    try write.removeAll(in: table)
    try write.put([4].span, for: 4, in: table)
    try write.commit()
    #expect(try environment.contents(table) == [[0, 0, 0, 0, 0, 0, 0, 4]: [4]])
  }

  @Test func `A cursor goes through the keys in order both ways and seeks`() throws {
    var write = try environment.beginWrite()
    for key in stride(from: UInt64(10), through: 5000, by: 10) {
      try write.append([UInt8(key % 251)].span, for: key, in: table)
    }
    try write.commit()
    let read = try environment.beginRead()
    var cursor = try read.cursor(over: table)
    var expected: UInt64 = 10
    while try cursor.next() {
      #expect(cursor.integerKey == expected)
      #expect(cursor.value[0] == UInt8(expected % 251))
      expected += 10
    }
    #expect(expected == 5010)
    #expect(cursor.integerKey == nil && cursor.key.isEmpty && cursor.value.isEmpty)
    #expect(try cursor.seek(atOrAfter: 15) && cursor.integerKey == 20)
    #expect(try cursor.seek(atOrBefore: 15) && cursor.integerKey == 10)
    #expect(try cursor.seek(atOrBefore: 20) && cursor.integerKey == 20)
    #expect(try cursor.seek(atOrBefore: 9000) && cursor.integerKey == 5000)
    #expect(try !cursor.seek(atOrBefore: 9))
    #expect(try !cursor.seek(atOrAfter: 5001))
    #expect(try cursor.last() && cursor.integerKey == 5000)
    #expect(try cursor.previous() && cursor.integerKey == 4990)
    #expect(try cursor.first() && cursor.integerKey == 10)
    #expect(try !cursor.previous())
  }

  @Test func `An entry can be kept while its cursor moves on`() throws {
    try environment.write([1], 1, table)
    try environment.write([2], 2, table)
    let read = try environment.beginRead()
    var cursor = try read.cursor(over: table)
    let first = try cursor.next()
    let kept = cursor.value
    let second = try cursor.next()
    #expect(first && second)
    #expect(kept[0] == 1)
    #expect(cursor.value[0] == 2)
  }

  @Test func `A cursor over the write transaction sees its changes`() throws {
    var write = try environment.beginWrite()
    try write.put([5].span, for: 5, in: table)
    do {
      var cursor = try write.cursor(over: table)
      #expect(try cursor.last() && cursor.integerKey == 5)
    }
    try write.put([6].span, for: 6, in: table)
    try write.commit()
    #expect(try environment.read(6, table) == [6])
  }

  @Test func `Values of every length near the page size come back, without a wasted page`() throws {
    for pages in 1...3 {
      for length in [4096 * pages - 17, 4096 * pages - 16, 4096 * pages - 15] {
        var write = try environment.beginWrite()
        try write.removeAll(in: table)
        let value = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try write.put(value.span, for: 1, in: table)
        try write.commit()
        #expect(try environment.read(1, table) == value)
        let read = try environment.beginRead()
        let statistics = try read.statistics(of: table)
        #expect(statistics.overflowPages == (length <= 4096 * pages - 16 ? pages : pages + 1))
        #expect(statistics.entries == 1 && statistics.depth == 1 && statistics.leafPages == 1)
      }
    }
  }

  @Test func `Random changes and commits equal a dictionary`() throws {
    try withSeed { generator in
      var model: [[UInt8]: [UInt8]] = [:]
      for _ in 0..<60 {
        var draft = model
        var write = try environment.beginWrite()
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
          let key = [UInt8](
            repeating: .random(in: 0...9, using: &generator),
            count: .random(in: 1...4, using: &generator))
          if Int.random(in: 0..<3, using: &generator) == 0 {
            let deleted = try write.delete(key.span, in: table)
            #expect(deleted == (draft.removeValue(forKey: key) != nil))
          } else {
            let length = [0, 1, 100, 3000, 9000].randomElement(using: &generator) ?? 0
            let value = [UInt8](repeating: .random(in: 0...255, using: &generator), count: length)
            try write.put(value.span, for: key.span, in: table)
            draft[key] = value
          }
        }
        if Bool.random(using: &generator) {
          try write.commit()
          model = draft
        } else {
          Held(write).drop()
        }
        #expect(try environment.contents(table) == model)
      }
    }
  }
}
