import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// A store with acknowledged records, what was acknowledged, and the commands that meet a fault.
struct RecordedStore {
  /// The directory above the store, which holds what a fault moves aside.
  let folder: String
  /// The content of the store without the fault.
  private(set) var truth: Truth

  var path: String { "\(folder)/store" }
  var data: String { "\(path)/data.mdb" }
  func file(_ name: String) -> String { "\(path)/\(name)" }
  func aside(_ name: String) -> String { "\(folder)/\(name).aside" }

  /// Takes a fault away again.
  typealias Undo = () throws -> Void

  /// The records by number, the chain and the state hash.
  struct Truth: Equatable {
    var records: [String]
    var chain: String
    var stateHash: String
  }

  /// What a description in the middle of the log says.
  static let marker = "marked by the test of faults"
  /// The value of `--now` for the commands.
  static let now = "2026-03-02T09:00:00Z"

  /// Records a store with the tracker: an import of some blocks, then single commands.
  static func record(in folder: String, rows: Int = 700) throws -> RecordedStore {
    var text = "id,person,what,begin,minutes\n"
    for row in 0..<rows {
      let what = row == rows / 3 ? marker : "task \(row % 17) of the day"
      text += "r\(row),p\(row % 2),\(what),1/\(row % 28 + 1)/2025 8:\(row % 50 + 10),\(row % 50)\n"
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/rows.csv"))
    let store = "\(folder)/store"
    let imported = try run(
      "track",
      [
        "import", "\(folder)/rows.csv", "--store", store, "--source", "rows", "--column", "id=id",
        "--column", "user=person", "--column", "description=what", "--column", "start=begin",
        "--column", "duration=minutes", "--date-format", "M/d/yyyy H:mm", "--duration-unit",
        "minutes", "--zone", "UTC",
      ])
    #expect(imported.status == 0, "\(imported.errors)")
    for (minute, name) in ["first", "second", "third"].enumerated() {
      let started = try run(
        "track",
        [
          "start", name, "--store", store, "--user", "anna", "--now",
          "2026-03-01T09:0\(minute):00Z",
        ]
      )
      #expect(started.status == 0, "\(started.errors)")
    }
    return RecordedStore(folder: folder, truth: try truth(of: store))
  }

  /// A copy for one fault.
  func copied(to name: String) throws -> RecordedStore {
    let target = "\(folder)/\(name)"
    let files = FileManager.default
    try files.createDirectory(atPath: target, withIntermediateDirectories: true)
    try files.copyItem(atPath: path, toPath: "\(target)/store")
    return RecordedStore(folder: target, truth: truth)
  }

  private static func records(of store: String) throws -> [String] {
    let listed = try run("audit", ["list", "--store", store, "--json"])
    try #require(listed.status == 0, "\(listed.errors)")
    return listed.output.split(separator: "\n").map(String.init)
  }

  private static func truth(of store: String) throws -> Truth {
    let records = try records(of: store)
    let verified = try run("replay", ["verify", "--store", store, "--json"])
    try #require(verified.status == 0, "\(verified.errors)")
    let json = try verified.json()
    let truth = Truth(
      records: records,
      chain: try #require(json["chain"] as? String),
      stateHash: try #require(json["stateHash"] as? String))
    #expect(json["records"] as? Int == truth.records.count)
    return truth
  }

  /// Checks that everything acknowledged is there, and that the store takes more, which does not
  /// become part of the expected content.
  ///
  /// - Parameter more: Whether records may have come after those known.
  func expectWhole(_ fault: String, more: Bool = false) throws {
    let found = try Self.truth(of: path)
    if more {
      #expect(found.records.starts(with: truth.records), "\(fault)")
    } else {
      #expect(found == truth, "\(fault)")
    }
    let next = try run("track", ["start", "after the fault", "--store", path, "--json"])
    #expect(next.status == 0, "\(fault): \(next.errors)")
    let sequence = try #require(try next.json()["sequence"] as? Int)
    #expect(sequence > found.records.count, "\(fault)")
    let after = try Self.records(of: path)
    #expect(after.starts(with: found.records), "\(fault)")
    #expect(after.count >= sequence, "\(fault)")
  }

  /// Makes the present content the expected one.
  mutating func noteTruth() throws { truth = try Self.truth(of: path) }

  // Changing files

  func moveAside(_ name: String) throws {
    try FileManager.default.moveItem(atPath: file(name), toPath: aside(name))
  }

  /// Removes what stands in a file's place, and puts the file back.
  func putBack(_ name: String) throws {
    try? FileSystem.unlink(file(name))
    try FileManager.default.moveItem(atPath: aside(name), toPath: file(name))
  }

  /// Flips a bit wherever the data file holds `bytes`, and returns a closure that undoes it.
  func flip(_ bytes: [UInt8], offset: Int = 0) throws -> Undo {
    var contents = try Data(contentsOf: URL(fileURLWithPath: data))
    var places: [Int] = []
    var from = contents.startIndex
    while let range = contents.range(of: Data(bytes), in: from..<contents.endIndex) {
      places.append(range.lowerBound + offset)
      from = range.upperBound
    }
    try #require(!places.isEmpty)
    let before = contents
    for place in places { contents[place] ^= 1 }
    try write(contents, to: data)
    return { try write(before, to: data) }
  }

  /// Overwrites a file in place.
  func write(_ contents: Data, to path: String) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    try handle.write(contentsOf: contents)
    try handle.truncate(atOffset: UInt64(contents.count))
  }
}
