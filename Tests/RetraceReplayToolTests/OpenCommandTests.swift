import Foundation
import RetraceHashing
import RetraceSystem
import Testing
import ToolTestSupport

/// `replay open`: the app as it was, on a branch in memory.
@Suite struct OpenCommandTests {
  private static let kiosk = ["TESTAPP_KIOSK": "right"]

  /// Records a kiosk with an item and a draft, and passes the bundle and what the app printed.
  private func withBundle(
    _ body: (_ bundle: String, _ printed: String, _ folder: String) throws -> Void
  ) throws {
    try withTemporaryDirectory { folder in
      let (store, bundle) = ("\(folder)/store", "\(folder)/bug.bundle")
      let app = try RunningTool("testapp", ["kiosk", store])
      for line in ["text:tea 250", "enter", "1", "text:dra"] { app.send(line) }
      let ended = app.finish()
      try #require(ended.status == 0, "\(ended.errors)")
      let made = try run(
        "testapp", ["bundle", "--plain", "--store", store, "--output", bundle],
        environment: Self.kiosk)
      #expect(made.status == 0, "\(made.errors)")
      // The screen of the last key is the end of what the app printed.
      try body(bundle, ended.output, folder)
    }
  }

  private func open(
    _ bundle: String, _ words: [String] = [], keys: [String] = []
  ) throws -> ToolResult {
    let tool = try RunningTool("testapp", ["open", bundle] + words, environment: Self.kiosk)
    for key in keys { tool.send(key) }
    return tool.finish()
  }

  /// The objects that lines of JSON have.
  private func answers(_ result: ToolResult) throws -> [[String: Any]] {
    #expect(result.status == 0, "\(result.errors)")
    return try result.output.split(separator: "\n").map { try object(String($0)) }
  }

  @Test func `the screen is the one of the app, and keys change it`() throws {
    try withBundle { bundle, printed, folder in
      let opened = try open(bundle)
      #expect(opened.status == 0, "\(opened.errors)")
      #expect(opened.output.contains("new item: dra"), "\(opened.output)")
      #expect(printed.hasSuffix(opened.output), "\(opened.output) \(printed)")
      let before = try Data(contentsOf: URL(fileURLWithPath: bundle))
      let typed = try answers(
        try open(bundle, ["--json"], keys: ["text:ft 3", "enter", "escape", "ctrl-z", "ctrl-q"]))
      let lines = try typed.map { try #require($0["lines"] as? [String]) }
      try #require(lines.count == 5)
      #expect(lines[1].contains { $0.hasPrefix("new item: draft 3") }, "\(lines[1])")
      #expect(lines[2].contains { $0.hasPrefix("  draft, 0 for 3 each") }, "\(lines[2])")
      #expect(lines[4].contains { $0.contains("A branch has no undo") }, "\(lines[4])")
      // Nothing was written, neither to the file nor beside it.
      #expect(try Data(contentsOf: URL(fileURLWithPath: bundle)) == before)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.sorted() == ["bug.bundle", "store"])
    }
  }

  @Test func `a refusal is shown, and an effect is listed and not run`() throws {
    try withBundle { bundle, _, _ in
      let pressed = try answers(
        try open(bundle, ["--json"], keys: ["escape", "ctrl-s", "ctrl-o", "ctrl-q"]))
      try #require(pressed.count == 4)
      let refused = try #require(pressed[2]["lines"] as? [String])
      #expect(refused.contains { $0.hasPrefix("not delivered: ") }, "\(refused)")
      #expect(pressed[2]["effects"] as? [String] == [])
      let effects = try #require(pressed[3]["effects"] as? [String])
      #expect(effects.count == 1 && effects[0].contains(", not run: "), "\(effects)")
      #expect(effects[0].contains("KioskOrder"), "\(effects)")
      let last = try #require(pressed[3]["lines"] as? [String])
      #expect(last.contains { $0.hasPrefix("> tea, 0 for 250 each") }, "\(last)")
    }
  }

  @Test func `an earlier record, and what cannot be opened`() throws {
    try withBundle { bundle, _, folder in
      let last = try open(bundle).output
      let earlier = try open(bundle, ["--at", "4"])
      #expect(earlier.status == 0 && earlier.output != last, "\(earlier.errors)")
      #expect(try open("\(folder)/store").output == last)
      #expect(try open(bundle, ["--at", "1"]).status == 7)
      #expect(try open(bundle, ["--at", "9999"]).status == 7)
      #expect(try open("\(folder)/missing").status == 6)
      let wrong = try open(bundle, keys: ["nonsense"])
      #expect(wrong.status == 64 && wrong.errors.contains("There is no key nonsense."))
      // The tests' own app has no frames.
      let other = try run("testapp", ["open", bundle])
      #expect(other.status != 0, "\(other.output)")
    }
  }

  @Test func `without a window after the last record, an earlier one is advised`() throws {
    try withTemporaryDirectory { folder in
      let (store, file) = ("\(folder)/store", "\(folder)/bug.bundle")
      let words = ["add", "7:00", "-", "8:00", "a", "--now", RecordedSession.clock]
      let added = try run("track", words + ["--store", store])
      #expect(added.status == 0, "\(added.errors)")
      #expect(try run("replay", ["bundle", "--store", store, "--output", file]).status == 0)
      let opened = try run("replay", ["open", file])
      #expect(opened.status == 1 && opened.output.isEmpty, "\(opened.errors)")
      for text in ["No window was open after record ", "Give an earlier record"] {
        #expect(opened.errors.contains(text), "\(opened.errors)")
      }
      #expect(!opened.errors.contains("later"), "\(opened.errors)")
    }
  }

  @Test func `an intact bundle of another version of the format is not called damaged`() throws {
    try withBundle { bundle, _, _ in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: bundle))
      let field = try #require(bytes.range(of: Data("\"allowed\"".utf8)))
      bytes.replaceSubrange(field, with: Data("\"renamed\"".utf8))
      let covered = Array(bytes.dropLast(48))
      let digest: Digest = SHA256Hasher.digest(of: covered.span)
      bytes = Data(covered + digest.bytes) + bytes.suffix(16)
      try bytes.write(to: URL(fileURLWithPath: bundle))
      for words in [["open", bundle], ["verify", "--store", bundle]] {
        let told = try run("testapp", words, environment: Self.kiosk)
        #expect(told.status == 4, "\(told.errors)")
        for text in [
          "could not be opened", "made by another version of the format",
          "Use the version of the tools that wrote it",
        ] { #expect(told.errors.contains(text), "\(told.errors)") }
      }
    }
  }

  @Test func `the tracker opens a bundle in its app`() throws {
    try RecordedSession.with { session in
      let file = "\(session.path).bundle"
      _ = try session.replay(["bundle", "--plain", "--output", file])
      let app = try RunningTool("replay", ["open", file, "--at", "\(RecordedSession.lastOfApp)"])
      for line in ["screen", "text:s", "screen"] { app.send(line) }
      let ended = app.finish()
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.output.contains("Read only: branch of"), "\(ended.output)")
      for line in session.screen where line.contains("draft") {
        #expect(ended.output.contains(line), "\(ended.output)")
      }
      #expect(ended.output.contains("drafts"), "\(ended.output)")
    }
  }
}
