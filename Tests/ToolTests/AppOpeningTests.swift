import Foundation
import Testing
import ToolTestSupport

/// Where `track app` opens: a window by its number, a link, an earlier record.
@Suite struct AppOpeningTests {
  private static let clock = "2026-03-02T09:00:00Z"

  /// A store in a temporary directory.
  private struct Desk {
    let store: String

    /// Returns the lines that the app answers on a pipe.
    func app(_ options: [String], _ input: String..., now: String? = clock) throws -> [String] {
      let clock = now.map { ["--now", $0] } ?? []
      let result = try ToolRunner.process.run(
        "track", ["app", "--store", store, "--size", "60x12"] + clock + options, [:],
        input.joined(separator: "\n"))
      #expect(result.status == 0 && result.errors == "", "\(options): \(result.errors)")
      return result.output.lines
    }

    @discardableResult
    func fails(
      _ options: [String], exit: Int32, mentions words: [String],
      location: SourceLocation = #_sourceLocation
    ) throws -> PrintedFailure {
      try expectFailure(
        ["track", "app", "--store", store] + options, exit: exit, mentions: words,
        location: location)
    }

    /// The bytes of the log.
    func log() throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: "\(store)/data.mdb"))
    }

    /// The sequence that the last answer acknowledges.
    func head() throws -> Int {
      let json = try run("replay", ["route", "--store", store, "--json"]).json()
      return try #require(json["sequence"] as? Int)
    }
  }

  private func withDesk(_ body: (Desk) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let desk = Desk(store: "\(folder)/s")
      _ = try desk.app([], "text:anna", "enter")
      try body(desk)
    }
  }

  @Test func `a link opens its screen, and a second window keeps its own [N10]`() throws {
    try withDesk { desk in
      let form = try desk.app(["timer/0/start"], "text:plan", "screen")
      #expect(form.contains { $0.hasPrefix("› Description plan") })
      #expect(try expectFine(["track", "route", "--store", desk.store]) == "timer/0/start\n")
      // Another process shows window 0, so a link opens in window 1.
      let first = try PipedApp(desk.store)
      #expect(try first.screen().contains { $0.hasPrefix("› Description plan") })
      let users = try desk.app(["users"], "screen")
      #expect(users.contains { $0.hasPrefix("Name:") })
      #expect(try first.screen().contains { $0.hasPrefix("› Description plan") })
      first.end()
      let json = try run("replay", ["route", "--store", desk.store, "--scene", "1", "--json"])
        .json()
      #expect(json["path"] as? String == "users")
    }
  }

  @Test(arguments: [
    ("timer/x", 64, "Component 2, \"x\""), ("timer", 64, "component 2"),
    ("nowhere", 64, "\"nowhere\" as component 1"), ("timer/0/stop", 64, "\"stop\" as component 3"),
    ("timer/%zz", 64, "byte 6"), ("timer/0?a=b", 64, "\"a\""),
    ("timer/7", 7, "no user 7"), ("timer/0/edit/9", 7, "does not exist"),
  ])
  func `another link is refused, and says what is wrong and where [N6] [N10]`(
    link: String, exit: Int32, mention: String
  ) throws {
    try withDesk { desk in
      let before = try desk.log()
      let told = try desk.fails([link], exit: exit, mentions: [mention, "track route"])
      #expect(told.what == "The app was not opened.")
      try desk.fails([link, "--at", "\(try desk.head())"], exit: exit, mentions: [mention])
      #expect(try desk.log() == before)
    }
  }

  @Test func `a malformed link creates no store [N6]`() throws {
    try withTemporaryDirectory { folder in
      try expectFailure(
        ["track", "app", "--store", "\(folder)/s", "timer/x"], exit: 64, mentions: ["Component 2"])
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/s"))
    }
  }

  @Test func `a window is opened by its number, unless it is unknown or shown elsewhere`() throws {
    try withDesk { desk in
      _ = try desk.app([], "text:n", "text:in window 0")
      let first = try PipedApp(desk.store)
      _ = try first.screen()
      _ = try desk.app([], "text:anna", "enter", "text:?")
      let before = try desk.log()
      try desk.fails(["--scene", "0"], exit: 5, mentions: ["Another process", "window 0"])
      try desk.fails(["--scene", "7"], exit: 7, mentions: ["window 7", "0, 1"])
      for text in ["x", "-1", "1.5"] {
        try desk.fails(["--scene=\(text)"], exit: 64, mentions: ["--scene", "number"])
      }
      #expect(try desk.log() == before)
      first.end()
      let draft = try desk.app(["--scene", "0"], "screen")
      #expect(draft.contains { $0.hasPrefix("› Description in window 0") })
      let keys = try desk.app(["--scene", "1"], "screen")
      #expect(!keys.contains { $0.hasPrefix("› Description") })
    }
  }

  @Test func `a branch is the screen after a record, and nothing of it is written`() throws {
    try withDesk { desk in
      _ = try desk.app([], "text:n", "text:early", "enter", "text:n", "text:draft")
      let head = try desk.head()
      let early = try desk.app([], "screen")
      _ = try desk.app(["--now", "2026-03-02T11:00:00Z"], "text:er", "enter", now: nil)
      let before = try desk.log()
      let options = ["--at", "\(head)"]
      let seen = try desk.app(options, "screen", now: nil)
      #expect(
        seen.first
          == "Read only: branch of 2026-03-02 9:00, record \(head)")
      #expect(seen.contains { $0.hasPrefix("› Description draft") })
      // The history is read up to the record.
      let rows = try desk.app(options, "escape", "escape", "text:H", "screen", now: nil)
      #expect(rows.contains { $0.contains("started #0") })
      #expect(!rows.contains { $0.contains("started #1") })
      #expect(seen.last == "ok \(head)")
      // The rows below the first one are those of the app, of which one is missing.
      #expect(early.contains { $0.hasPrefix("› Description draft") })
      // Keys go on there, a command is decided there, and all answers have the record.
      let inside = try desk.app(
        options, "text: of a branch", "enter", "screen", "text:z", "screen", "ctrl-c", now: nil)
      #expect(inside.contains { $0.contains("draft of a branch") })
      #expect(inside.contains { $0.contains("A branch has no undo") })
      #expect(inside.filter { $0.hasPrefix("ok ") }.allSatisfy { $0 == "ok \(head)" })
      // The next branch begins anew, also by the instant and with a link.
      #expect(try desk.app(options, "screen", now: nil) == seen)
      let hour = try desk.app(["--at", "2126-03-02T10:00:00Z"], "screen", now: nil)
      #expect(hour.first?.hasPrefix("Read only: branch of 2126-03-02 10:00, record ") == true)
      let linked = try desk.app(options + ["users"], "screen", now: nil)
      #expect(linked.contains { $0.hasPrefix("Name:") })
      #expect(try desk.log() == before)
      try desk.fails(["--at", "999"], exit: 7, mentions: ["no record 999"])
      try desk.fails(["--at", "1"], exit: 1, mentions: ["No window was open after record 1"])
      try desk.fails(["--at", "soon"], exit: 64, mentions: ["--at", "record"])
      try desk.fails(["--at", "\(head)", "--scene", "7"], exit: 7, mentions: ["window 7"])
      #expect(try desk.log() == before)
    }
  }

  @Test func `a branch stays as it was while another process writes`() throws {
    try withDesk { desk in
      _ = try desk.app([], "text:n", "text:first", "enter")
      let head = try desk.head()
      let branch = try RunningTool(
        "track", ["app", "--store", desk.store, "--size", "60x12", "--at", "\(head)"])
      func screen() throws -> [String] {
        branch.send("screen")
        var lines: [String] = []
        while let line = branch.readLine() {
          lines.append(line)
          if line.hasPrefix("ok ") { return lines }
        }
        throw ToolError.noAnswer("screen")
      }
      let seen = try screen()
      for number in 0..<20 {
        try expectFine([
          "track", "add", "--store", desk.store, "--now", Self.clock, "--user", "anna",
          "7:00", "-", "8:00", "other \(number)", "--policy", "allow",
        ])
      }
      #expect(try screen() == seen)
      #expect(branch.finish().status == 0)
    }
  }
}
