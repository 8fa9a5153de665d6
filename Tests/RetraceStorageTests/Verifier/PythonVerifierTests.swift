import Foundation
import RetraceLMDB
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

@testable import LMDBFile

/// The verifier of the Python package lmdb 3.0.0 and ``StructureCheck`` agree on which files are
/// damaged, apart from the listed differences.
@Suite(.serialized) struct PythonVerifierTests {
  @Test func `both agree on a hundred stores, or the difference is a listed one`() throws {
    try withSeed("lmdb's verifier and ours") { random in
      try withDirectory { folder in
        var files: [String] = []
        for round in 0..<100 {
          let path = "\(folder)/\(round)"
          try FileSystem.makeDirectory(path, mode: 0o700)
          if round % 2 == 0 {
            try Self.writeLog(in: path, &random)
          } else {
            try Self.writeTrees(in: path, &random)
          }
          if round >= 30 { try Self.damage("\(path)/data.mdb", &random) }
          files.append("\(path)/data.mdb")
        }
        let verdicts = try LMDBPeer.verdicts(on: files)
        try #require(verdicts.count == files.count)
        var (sound, damaged, differing) = (0, 0, [VerifierDifference: Int]())
        for (file, verdict) in zip(files, verdicts) {
          let (damage, problems) = (Self.damage(found: file), Self.problems(verdict))
          switch (damage, problems.isEmpty) {
          case (nil, true): sound += 1
          case (.some, false): damaged += 1
          default:
            let reason = VerifierDifference.allCases.first { $0.explains(damage, problems) }
            #expect(reason != nil, "\(file): \(damage ?? "sound"); verifier: \(verdict)")
            if let reason { differing[reason, default: 0] += 1 }
          }
        }
        print("sound \(sound), damaged \(damaged), listed differences \(differing)")
        #expect(sound >= 30)
        #expect(damaged >= 20)
      }
    }
  }

  @Test func `the tool and the function of lmdb agree`() throws {
    try withDirectory { folder in
      let path = folder + "/data.mdb"
      try withSeed("lmdb's tool") { random in try Self.writeTrees(in: folder, &random) }
      let sound = try LMDBPeer.tool(["verify", "-s", path])
      #expect(sound.status == 0)
      #expect(sound.output == "verify: OK\n")
      #expect(try LMDBPeer.verdicts(on: [path]) == ["OK"])
      // The number of each page but the meta pages, because some pages are free.
      let size = try Data(contentsOf: URL(filePath: path)).count
      for page in stride(from: 8_192, to: size, by: 4_096) {
        try overwrite(path, at: page, with: [0xEE])
      }
      let damaged = try LMDBPeer.tool(["verify", "-s", path])
      #expect(damaged.status == 1)
      let verdict = try #require(try LMDBPeer.verdicts(on: [path]).first)
      #expect(verdict == damaged.output.split(separator: "\n").joined(separator: "; "))
    }
  }

  @Test(arguments: VerifierDifference.allCases)
  func `each listed difference exists`(_ difference: VerifierDifference) throws {
    try withDirectory { folder in
      try Self.plant(difference, in: folder)
      let path = folder + "/data.mdb"
      let verdict = try #require(try LMDBPeer.verdicts(on: [path]).first)
      let (damage, problems) = (Self.damage(found: path), Self.problems(verdict))
      #expect(
        difference.explains(damage, problems), "\(damage ?? "sound"); verifier: \(verdict)")
      print("\(difference): \(damage ?? "sound"); verifier: \(verdict)")
    }
  }

  // MARK: Verdicts

  /// What ``StructureCheck`` reports; `nil` for a sound file.
  private static func damage(found path: String) -> String? {
    do throws(StructureFailure) {
      _ = try StructureCheck.check(path)
      return nil
    } catch {
      switch error {
      case .damaged(let damage): return "\(damage)"
      default: return "\(error)"
      }
    }
  }

  private static func problems(_ verdict: String) -> [String] {
    verdict == "OK" ? [] : verdict.split(separator: "; ").map(String.init)
  }

  // MARK: Files

  /// Writes a log with random records.
  private static func writeLog(in folder: String, _ random: inout SeededGenerator) throws {
    // A store is created under a name that is free.
    let storage = try LogStorage.open(at: "\(folder)/store", access: .create)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      try storage.write(randomNotes(Int.random(in: 1...400, using: &random), using: &random))
    }
    storage.close()
    try FileSystem.rename("\(folder)/store/data.mdb", to: "\(folder)/data.mdb")
  }

  /// Writes databases with random entries; a transaction writes no key twice.
  private static func writeTrees(in folder: String, _ random: inout SeededGenerator) throws {
    let environment = try LMDBEnvironment.open(folder)
    defer { environment.close() }
    let databases = try environment.createDatabases(["log", "meta", "keys"])
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      var transaction = try environment.beginWrite()
      let database = databases.randomElement(using: &random) ?? databases[0]
      let isLong = Bool.random(using: &random)
      for number in (0..<900).shuffled(using: &random).prefix(
        Int.random(in: 1...400, using: &random))
      {
        var key = [UInt8(number >> 8), UInt8(number & 255)]
        if isLong { key += [UInt8](repeating: 7, count: number % 400) }
        if Int.random(in: 0..<4, using: &random) == 0 {
          try transaction.delete(key.span, in: database)
        } else {
          let count = Int.random(in: 0..<10, using: &random) == 0 ? number * 20 : number % 300
          let value = [UInt8](repeating: UInt8(number & 255), count: count)
          try transaction.put(value.span, for: key.span, in: database)
        }
      }
      try transaction.commit()
    }
  }

  /// Changes bytes of a random page, of its header or anywhere, or exchanges two pages, or cuts the
  /// file off.
  private static func damage(_ path: String, _ random: inout SeededGenerator) throws {
    let bytes = try FileSystem.readWhole(path, limitBytes: 1 << 26)
    let pages = bytes.count / ChangedDataFile.pageBytes
    let start = Int.random(in: 0..<pages, using: &random) * ChangedDataFile.pageBytes
    func randomBytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      try overwrite(path, at: start + Int.random(in: 0..<16, using: &random), with: randomBytes(1))
    case 1:
      try overwrite(path, at: start + Int.random(in: 0..<64, using: &random), with: randomBytes(8))
    case 2:
      let place = Int.random(in: 0..<ChangedDataFile.pageBytes, using: &random)
      try overwrite(path, at: start + place, with: randomBytes(1))
    case 3: try overwrite(path, at: start, with: randomBytes(ChangedDataFile.pageBytes))
    case 4:
      let other = Int.random(in: 0..<pages, using: &random) * ChangedDataFile.pageBytes
      try overwrite(path, at: start, with: Array(bytes[other..<other + ChangedDataFile.pageBytes]))
    default: try OpenFile.open(path, [.read, .write]).truncate(to: start)
    }
  }

  // MARK: Planted differences

  /// Writes a file on which the verdicts differ.
  private static func plant(_ difference: VerifierDifference, in folder: String) throws {
    let path = folder + "/data.mdb"
    try writeCommits(in: folder, shrinking: difference == .reusedLongValue)
    var file = try ChangedDataFile(path)
    switch difference {
    case .reusedLongValue: return
    case .lostPage: file.add(1, at: file.meta + 136)
    case .separator:
      // The separator gets greater than the first key below it.
      file.add(0x100, at: file.node(1, of: file.branch) + 8 + 6)
    case .gap: file.add(-2, at: file.leaf + 14)
    case .longKey:
      // The value becomes a part of the key.
      let node = file.node(1, of: file.leaf)
      file.set16(0, at: node)
      file.set16(8 + longestValue, at: node + 6)
    case .nodeFlags: file.add(8, at: file.node(1, of: file.leaf) + 4)
    case .nestedDatabase: file.add(2, at: file.node(0, of: file.leaf) + 4)
    case .emptyKey: file.set16(0, at: file.node(0, of: file.leaf) + 6)
    case .olderMetaPage: file.add(-2, at: ChangedDataFile.pageBytes - file.meta + 144)
    case .metaPageFlags: file.add(0x10, at: file.meta + 10)
    case .treeFlags: file.set(0, at: file.meta + 44)
    case .duplicates: file.add(4, at: file.descriptor + 4)
    }
    try overwrite(path, at: 0, with: file.bytes)
  }

  /// The size of the longest value that is in a leaf, in bytes.
  private static let longestValue = 600

  /// Writes a database with branch pages and long values in several commits.
  ///
  /// - Parameter shrinking: Whether the last one writes a long value and then a shorter one.
  private static func writeCommits(in folder: String, shrinking: Bool) throws {
    let environment = try LMDBEnvironment.open(folder)
    defer { environment.close() }
    let data = try environment.createDatabase("data")
    for _ in 0..<3 {
      var transaction = try environment.beginWrite()
      // The descriptor of an empty tree.
      let empty = [UInt8](repeating: 0, count: 40) + [UInt8](repeating: 0xff, count: 8)
      try transaction.put(empty.span, for: 0, in: data)
      for number in UInt64(1)...300 {
        let count = number == 1 ? longestValue : 100
        try transaction.put([UInt8](repeating: 1, count: count).span, for: number, in: data)
      }
      try transaction.put([UInt8](repeating: 2, count: 20_000).span, for: 301, in: data)
      if shrinking {
        try transaction.put([UInt8](repeating: 2, count: 9_000).span, for: 301, in: data)
      }
      try transaction.commit()
    }
  }
}
