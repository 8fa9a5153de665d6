import LMDBFile
import RetraceLMDB
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

@Suite struct TreeFileTests {
  @Test func `every entry that LMDB wrote is found, and no other`() throws {
    try withSeed("TreeFile") { random in
      try withTemporaryDirectory { directory in
        let written = try Self.write(in: directory, &random)
        var file = try TreeFile.open(at: directory + "/data.mdb")
        let tree = try #require(try file.tree(named: "pages"))
        #expect(tree.entries == UInt64(written.count))
        #expect(try file.tree(named: "others") == nil)
        for (key, value) in written {
          let found = try file.withValue(of: key.span, in: tree) { found throws(TreeFileError) in
            [UInt8](found)
          }
          #expect(found == value)
          let other = key + [0]
          #expect(
            try file.withValue(of: other.span, in: tree) { _ throws(TreeFileError) in } == nil)
        }
        var visited: [[UInt8]] = []
        try file.forEachKey(in: tree) { key throws(TreeFileError) in
          visited.append([UInt8](key))
        }
        let sorted = written.keys.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(visited == sorted)
        // Keys that LMDB deleted may still be in branches.
        for last in 0...UInt8.max {
          for middle in 0...UInt8(3) {
            let limit = [UInt8](repeating: 0, count: 12) + [middle, last]
            let expected = sorted.last { !limit.lexicographicallyPrecedes($0) }
            #expect(try file.lastKey(atOrBefore: limit.span, in: tree) == expected)
          }
        }
      }
    }
  }

  @Test func `no damage of a page ends the process`() throws {
    try withSeed("TreeFile damage") { random in
      try withTemporaryDirectory { directory in
        let written = try Self.write(in: directory, &random)
        let path = directory + "/data.mdb"
        let sound = try FileSystem.readWhole(path, limitBytes: 1 << 26)
        let rounds = repetitions(2_000)
        for round in 0..<rounds {
          var bytes = sound
          let page = round % (bytes.count / 4096)
          if round.isMultiple(of: 2) {
            for index in page * 4096..<(page + 1) * 4096 { bytes[index] = random.byte() }
          } else {
            for _ in 0..<Int.random(in: 1...8, using: &random) {
              bytes[page * 4096 + Int.random(in: 0..<64, using: &random)] = random.byte()
            }
          }
          try Self.overwrite(path, with: bytes)
          #expect(Self.readAll(written, at: path) <= written.count)
        }
        try Self.overwrite(path, with: sound)
        #expect(Self.readAll(written, at: path) == written.count)
      }
    }
  }

  /// Replaces the contents of the file, without giving the name to another file.
  private static func overwrite(_ path: String, with bytes: [UInt8]) throws {
    try OpenFile.open(path, [.read, .write]).write(bytes.span, at: 0)
  }

  /// How many values are found as they were written.
  private static func readAll(_ written: [[UInt8]: [UInt8]], at path: String) -> Int {
    guard var file = try? TreeFile.open(at: path), let tree = try? file.tree(named: "pages")
    else { return 0 }
    try? file.forEachKey(in: tree) { _ throws(TreeFileError) in }
    for key in written.keys { _ = try? file.lastKey(atOrBefore: key.span, in: tree) }
    return written.filter { key, value in (try? file.value(of: key.span, in: tree)) == value }.count
  }

  /// Writes and deletes at random, so that there are long values and free pages.
  private static func write(
    in directory: String, _ random: inout SeededGenerator
  ) throws -> [[UInt8]: [UInt8]] {
    let environment = try LMDBEnvironment.open(directory)
    defer { environment.close() }
    let database = try environment.createDatabase("pages")
    var written: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<12 {
      var transaction = try environment.beginWrite()
      for _ in 0..<40 {
        let key = (0..<14).map {
          $0 < 12 ? 0 : UInt8.random(in: 0...($0 == 12 ? 3 : 255), using: &random)
        }
        if Int.random(in: 0..<4, using: &random) == 0, written[key] != nil {
          try transaction.delete(key.span, in: database)
          written[key] = nil
        } else {
          let long = Int.random(in: 0..<8, using: &random) == 0
          let value = (0..<Int.random(in: 0...(long ? 20_000 : 1_500), using: &random)).map { _ in
            random.byte()
          }
          try transaction.put(value.span, for: key.span, in: database)
          written[key] = value
        }
      }
      try transaction.commit()
    }
    return written
  }
}

extension SeededGenerator {
  fileprivate mutating func byte() -> UInt8 { UInt8.random(in: .min ... .max, using: &self) }
}
