import Foundation
import RetraceLMDB
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

/// One flipped byte anywhere in a small store: the tools name the damage or give the right answer.
///
/// Both commands that verify never end by a signal. `track` may, inside liblmdb; the next open
/// names the damage then.
///
/// `RETRACE_FULL=1` flips every byte of the data file; else a sample is flipped.
@Suite(.serialized) struct FlippedByteTests {
  /// What a tool answered to a flipped byte.
  private struct Answers: Sendable {
    var right = 0
    var errors: [String: Int] = [:]
    var signals: [String: Int] = [:]
    var wrong: [String] = []

    mutating func add(_ other: Answers) {
      right += other.right
      errors.merge(other.errors, uniquingKeysWith: +)
      signals.merge(other.signals, uniquingKeysWith: +)
      wrong += other.wrong
    }

    var description: String {
      func list(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      }
      let ended = signals.isEmpty ? "none" : list(signals)
      return "right answer \(right), errors: \(list(errors)), ended by a signal: \(ended)"
    }
  }

  private static let isFull = ProcessInfo.processInfo.environment["RETRACE_FULL"] == "1"

  private static let tools = [
    ("audit", ["verify"]), ("replay", ["verify"]),
    ("track", ["status", "--user", "anna", "--now", RecordedStore.now]),
  ]

  @Test func `a flipped byte is named or does no harm, and one in a block is always named`() throws
  {
    try withSeed("FlippedByteTests") { random in
      try withTemporaryDirectory { folder in
        let store = try RecordedStore.record(in: folder, rows: 8)
        let data = try Data(contentsOf: URL(fileURLWithPath: store.data))
        let blocks = try placesOfBlocks(in: store, data).flatMap { $0 }
        let inside = Self.isFull ? blocks : sample(blocks, 30, &random)
        let everywhere = Array(Set(data.indices).subtracting(blocks)).sorted()
        // A page of LMDB begins with its header and node offsets, and is filled from its end.
        let ordered = everywhere.filter { $0 % 4096 < 48 || $0 % 4096 >= 3840 }
        let outside =
          Self.isFull
          ? everywhere : sample(ordered, 50, &random) + sample(everywhere, 25, &random)
        print("\(data.count) bytes, \(blocks.count) of them in blocks")
        let mask = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        for (name, places) in [("in a block", inside), ("elsewhere", outside)] {
          let answers = try flip(places, mask, in: store)
          print("\(places.count) bytes \(name), mask \(mask): \(answers.description)")
          #expect(answers.wrong.isEmpty, "\(answers.wrong.prefix(5))")
          if name == "in a block" {
            #expect(answers.errors == ["damaged": 3 * places.count], "\(answers.description)")
            #expect(answers.signals.isEmpty)
          }
        }
        try flipSmallFiles(of: store, mask)
      }
    }
  }

  @Test func `a flipped byte in any of several blocks is named`() throws {
    try withSeed("FlippedByteTests") { random in
      try withTemporaryDirectory { folder in
        let store = try RecordedStore.record(in: folder, rows: 1_000)
        let blocks = try placesOfBlocks(
          in: store, Data(contentsOf: URL(fileURLWithPath: store.data)))
        #expect(blocks.count >= 3)
        let places = blocks.flatMap { Self.isFull ? $0 : sample($0, 10, &random) }
        let mask = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        let answers = try flip(places, mask, in: store, asking: Array(Self.tools.prefix(1)))
        print(
          "\(places.count) bytes in \(blocks.count) blocks, mask \(mask): \(answers.description)")
        #expect(answers.wrong.isEmpty, "\(answers.wrong.prefix(5))")
        #expect(answers.errors == ["damaged": places.count] && answers.signals.isEmpty)
      }
    }
  }

  /// Flips bytes of the small files.
  private func flipSmallFiles(of store: RecordedStore, _ mask: UInt8) throws {
    for name in ["FORMAT", "anchor"] {
      let count = try Data(contentsOf: URL(fileURLWithPath: store.file(name))).count
      let places = Array(stride(from: 0, to: count, by: Self.isFull ? 1 : 7))
      let answers = try flip(places, mask, in: store, file: name)
      print("\(places.count) bytes of \(name), mask \(mask): \(answers.description)")
      #expect(answers.wrong.isEmpty, "\(answers.wrong.prefix(5))")
      #expect(answers.signals.isEmpty)
    }
  }

  private func sample(
    _ places: [Int], _ count: Int, _ random: inout SeededGenerator
  ) -> [Int] {
    Array(places.shuffled(using: &random).prefix(count)).sorted()
  }

  /// The places in the data file that each block of the log takes.
  private func placesOfBlocks(in store: RecordedStore, _ data: Data) throws -> [[Int]] {
    let environment = try LMDBEnvironment.open(store.path)
    defer { environment.close() }
    let log = try #require(try environment.openDatabase("log"))
    let transaction = try environment.beginRead()
    var cursor = try transaction.cursor(over: log)
    var places: [[Int]] = []
    var more = try cursor.seek(atOrBefore: 1)
    while more {
      let value = cursor.value
      let block = Data([UInt8](value))
      let range = try #require(data.range(of: block))
      places.append(Array(range))
      more = try cursor.next()
    }
    return places
  }

  /// Flips one byte after another, each in a copy, and runs each tool.
  private func flip(
    _ places: [Int], _ mask: UInt8, in store: RecordedStore, file: String = "data.mdb",
    asking tools: [(String, [String])] = tools
  ) throws -> Answers {
    let expected = try tools.map { tool in
      try run(tool.0, tool.1 + ["--store", store.path, "--json"]).output
    }
    let workers = 3
    let total = Lock(Answers())
    let failure = Lock<String?>(nil)
    onThreads(workers) { worker in
      do {
        let copy = try store.copied(to: "\(file)-\(worker)-\(UUID().uuidString)")
        var answers = Answers()
        for place in stride(from: worker, to: places.count, by: workers).map({ places[$0] }) {
          let undo = try copy.flip(file, at: place, mask)
          for (tool, right) in zip(tools, expected) {
            var result = try run(tool.0, tool.1 + ["--store", copy.path, "--json"])
            if tool.0 == "track", let signal = result.signal {
              // The next open names what ended this one.
              answers.signals["\(signal)", default: 0] += 1
              result = try run(tool.0, tool.1 + ["--store", copy.path, "--json"])
              if result.status == 0 { answers.wrong.append("track after byte \(place)") }
              try copy.removeMarks()
            }
            try Self.judge(result, right: right, "\(tool.0) at byte \(place)", &answers)
          }
          try undo()
        }
        total.withLock { $0.add(answers) }
        try FileManager.default.removeItem(atPath: copy.folder)
      } catch {
        failure.withLock { $0 = "\(error)" }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw ToolError.noAnswer(failure) }
    return total.withLock { $0 }
  }

  private static func judge(
    _ result: ToolResult, right: String, _ place: String, _ answers: inout Answers
  ) throws {
    if let signal = result.signal {
      answers.wrong.append("\(place): signal \(signal)")
    } else if result.status == 0 {
      if result.output == right { answers.right += 1 } else { answers.wrong.append(place) }
    } else {
      let row = try FaultRow(place, command: "", result)
      answers.errors[row.code, default: 0] += 1
      // Damage comes with the first record that cannot be trusted.
      if row.code == "damaged" && !row.what.contains(/from record [0-9]+ on/) {
        answers.wrong.append(place)
      }
    }
  }
}

extension RecordedStore {
  /// Removes the marks of processes that ended while they had the store open.
  func removeMarks() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where name.hasPrefix("open.") {
      try FileManager.default.removeItem(atPath: file(name))
    }
  }

  /// Flips bits of one byte of a file, and returns a closure that undoes it.
  func flip(_ name: String, at place: Int, _ mask: UInt8) throws -> Undo {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file(name)))
    defer { try? handle.close() }
    try handle.seek(toOffset: UInt64(place))
    let byte = try #require(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: UInt64(place))
    try handle.write(contentsOf: Data([byte ^ mask]))
    return {
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file(name)))
      defer { try? handle.close() }
      try handle.seek(toOffset: UInt64(place))
      try handle.write(contentsOf: Data([byte]))
    }
  }
}
