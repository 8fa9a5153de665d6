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

  @Test(arguments: [
    ["edit", "3", "700", "--description", "new", "--dry-run"],
    ["edit", "3", "700", "--description", "new"], ["tag", "3", "+new"],
    ["projects", "merge", "a", "b"], ["delete", "3", "700"], ["undo"],
    ["import"], ["batch"],
  ])
  func `whichever page of derived is damaged, a command does the same`(command: [String]) throws {
    try withTemporaryDirectory { folder in
      let (store, saved) = ("\(folder)/store", "\(folder)/saved")
      try importRows(1_500, into: saved, folder)
      // Enough records for the session of the command to save a state.
      let adding = try runProgram(
        Tools.url("track").path, ["batch", "--store", saved, "--now", "2026-11-26T11:00:00Z"],
        input: Data(
          (0..<123).map { "add 2026-11-0\(1 + $0 / 16) \($0 % 16):00 for 5m x\n" }.joined().utf8))
      #expect(adding.status == 0, "\(adding.errors)")
      func result() throws -> String {
        let now = command == ["import"] ? [] : ["--now", "2026-11-26T12:00:00Z"]
        let result =
          command == ["import"]
          ? try importAgain(into: store, folder)
          : try runProgram(
            Tools.url("track").path, command + ["--store", store] + now,
            input: Data("edit 3 --description new\nlog --limit 2\nprojects\n".utf8))
        #expect(result.status == 0, "\(result.errors)")
        return result.output
      }
      func reset() throws {
        try? FileManager.default.removeItem(atPath: store)
        try FileManager.default.copyItem(atPath: saved, toPath: store)
      }
      try reset()
      let sound = try result()
      let pages = try OpenFile.open("\(saved)/derived/data.mdb", [.read]).size / 4096
      for page in 2..<pages {
        try reset()
        let file = try OpenFile.open("\(store)/derived/data.mdb", [.read, .write])
        try file.write([UInt8](repeating: 0x5a, count: 4096).span, at: page * 4096)
        #expect(try result() == sound, "page \(page)")
      }
    }
  }

  @Test func `a link in place of derived, or a directory of others, is not used`() throws {
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

      // A directory that others can write to is not used either.
      try FileManager.default.removeItem(atPath: "\(store)/derived")
      try FileManager.default.moveItem(atPath: elsewhere, toPath: "\(store)/derived")
      try FileSystem.setMode("\(store)/derived", 0o770)
      let shared = try run("track", ["log", "--limit", "1", "--store", store])
      #expect(shared.status == 0)
      #expect(
        shared.errors.contains("other users can write to \(store)/derived"), "\(shared.errors)")
    }
  }

  private func importRows(_ count: Int, into store: String, _ folder: String) throws {
    var text = "Number,Begin,Minutes,What,Project\n"
    for index in 0..<count {
      let day = "1.\(1 + index % 12).20\(10 + index % 15)"
      text += "\(index),\(day) 09:30,\(1 + index % 59),task \(index % 40),"
      text += index % 2 == 0 ? "a\n" : "b\n"
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/times.csv"))
    let result = try importAgain(into: store, folder)
    try #require(result.status == 0, "\(result.errors)")
  }

  private func importAgain(into store: String, _ folder: String) throws -> ToolResult {
    var words = ["import", "\(folder)/times.csv", "--store", store, "--format", "csv"]
    for column in [
      "id=Number", "start=Begin", "duration=Minutes", "description=What", "project=Project",
    ] {
      words += ["--column", column]
    }
    words += ["--date-format", "d.M.yyyy H:mm", "--duration-unit", "minutes", "--zone", "UTC"]
    words += ["--source", "files"]
    return try run("track", words)
  }
}
