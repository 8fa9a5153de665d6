import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// Notices of the tools about snapshots, and that lost or damaged snapshots change no answer.
@Suite struct DerivedTests {
  @Test func `damage of derived is reported once by the tools, and no answer changes`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      try importRows(1_500, into: store, folder)
      let commands: [(String, [String])] = [
        ("track", ["log", "--totals", "--json"]), ("track", ["log", "--limit", "3"]),
        ("replay", ["state", "--json"]), ("replay", ["state", "--at", "1400", "--json"]),
      ]
      func answers(_ label: String) throws -> (outputs: [String], said: Int) {
        let results = try commands.map { try run($0.0, $0.1 + ["--store", store]) }
        for result in results { #expect(result.status == 0, "\(label): \(result.errors)") }
        let said = results.flatMap { $0.errors.split(separator: "\n") }
        #expect(said.allSatisfy { $0.contains("napshot") }, "\(label): \(said)")
        return (results.map(\.output), said.count)
      }
      let sound = try answers("sound")
      #expect(sound.said == 0)
      let doctor = try run("replay", ["doctor", "--store", store])
      #expect(doctor.output.contains("opens from     record"), "\(doctor.output)")

      let file = try OpenFile.open("\(store)/derived/data.mdb", [.read, .write])
      let zeros = [UInt8](repeating: 0x5a, count: try file.size - 8192)
      try file.write(zeros.span, at: 8192)
      let damaged = try answers("damaged")
      #expect(damaged.outputs == sound.outputs)
      #expect(damaged.said == 1)
      let left = try FileManager.default.contentsOfDirectory(atPath: store)
      #expect(!left.contains { $0.contains("derived") }, "\(left)")
      let gone = try answers("gone")
      #expect(gone.outputs == sound.outputs)
      #expect(gone.said == 0)
    }
  }

  @Test func `whichever page of derived is damaged, a dry run says the same`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      try importRows(1_500, into: store, folder)
      let saved = "\(folder)/derived"
      try FileManager.default.copyItem(atPath: "\(store)/derived", toPath: saved)
      func dryRun() throws -> String {
        let result = try run(
          "track", ["edit", "3", "700", "--description", "new", "--dry-run", "--store", store])
        #expect(result.status == 0, "\(result.errors)")
        return result.output
      }
      let sound = try dryRun()
      #expect(sound.split(separator: "\n").count == 2)
      let pages = try OpenFile.open("\(saved)/data.mdb", [.read]).size / 4096
      var removed = 0
      for page in 2..<pages {
        try? FileManager.default.removeItem(atPath: "\(store)/derived")
        try FileManager.default.copyItem(atPath: saved, toPath: "\(store)/derived")
        let file = try OpenFile.open("\(store)/derived/data.mdb", [.read, .write])
        try file.write([UInt8](repeating: 0x5a, count: 4096).span, at: page * 4096)
        #expect(try dryRun() == sound, "page \(page)")
        if !FileManager.default.fileExists(atPath: "\(store)/derived") { removed += 1 }
      }
      // Some of the pages are read only after the state was opened.
      #expect(removed > 3)
    }
  }

  @Test func `a link in place of derived is not followed, and is no error`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      try importRows(1_500, into: store, folder)
      let elsewhere = "\(folder)/elsewhere"
      try FileManager.default.moveItem(atPath: "\(store)/derived", toPath: elsewhere)
      try FileManager.default.createSymbolicLink(
        atPath: "\(store)/derived", withDestinationPath: elsewhere)
      let status = try run("track", ["log", "--limit", "1", "--store", store])
      #expect(status.status == 0)
      #expect(status.errors.contains("The snapshot file could not be used"), "\(status.errors)")
      let kept = try FileManager.default.contentsOfDirectory(atPath: elsewhere)
      #expect(kept.contains("data.mdb"))
    }
  }

  private func importRows(_ count: Int, into store: String, _ folder: String) throws {
    var text = "Begin,Minutes,What\n"
    for index in 0..<count {
      text +=
        "1.\(1 + index % 12).20\(10 + index % 15) 09:30,\(1 + index % 59),task \(index % 40)\n"
    }
    let file = "\(folder)/times.csv"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    let result = try run(
      "track",
      [
        "import", file, "--store", store, "--format", "csv", "--column", "start=Begin", "--column",
        "duration=Minutes", "--column", "description=What", "--date-format", "d.M.yyyy H:mm",
        "--duration-unit", "minutes", "--zone", "UTC",
      ])
    try #require(result.status == 0, "\(result.errors)")
  }
}
