import RetraceLMDB
import Testing

struct TransactionTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `What is committed is read again, also after closing`() throws {
    let environment = try LMDBEnvironment.open(directory.path)
    let table = try environment.createDatabase("table")
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
  }

  @Test func `A cursor goes through the keys in order both ways and seeks`() throws {
    let environment = try LMDBEnvironment.open(directory.path)
    let table = try environment.createDatabase("table")
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
}
