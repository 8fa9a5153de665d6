import Foundation
import Testing
import ToolTestSupport

/// `track bugreport`, and the reading commands on the file that it writes.
@Suite struct BugReportTests {
  private static let message = "Undo brought 2 entries back, and I expected one."

  private func files(beside desk: Desk) throws -> [String] {
    let folder = URL(fileURLWithPath: desk.store).deletingLastPathComponent().path
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `a bug report has the message, the steps and no private text [L10, L13]`() throws {
    try withDesk { desk in
      try desk.fine("clients create Ocelotcorp")
      try desk.fine("add 9:00 - 10:00 write the Zebrafink report @Panda +quokka")
      let file = "\(desk.store).bundle"
      let made = try run(
        "track", ["bugreport", file, "--store", desk.store, "--message", Self.message])
      #expect(made.status == 0, "\(made.errors)")
      for part in [
        "replaced ", " of Client.name", "stays ", "durations, rates", "the zone",
        "the same routes, screens and failures", "written         \(file)",
      ] {
        #expect(made.output.contains(part), "\(part): \(made.output)")
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      // The schemas have other words of the entry.
      for word in ["Ocelotcorp", "ocelotcorp", "Zebrafink", "Panda", "quokka", "anna"] {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
      }
      #expect(bytes.range(of: Data(Self.message.utf8)) != nil)
      for command in ["show", "sessions", "verify"] {
        let read = try run("replay", [command, "--store", file])
        #expect(read.status == 0, "\(read.errors)")
        let told = read.output.split(separator: "\n").filter { $0.hasPrefix("message ") }
        #expect(told.count == 1 && told[0].hasSuffix(Self.message), "\(command): \(read.output)")
      }
      let json = try run("replay", ["verify", "--store", file, "--json"]).json()
      #expect(json["message"] as? String == Self.message)
    }
  }

  @Test func `a bug report needs a message, replaces no file and can be looked at first`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let (file, before) = ("\(desk.store).bundle", try files(beside: desk))
      let store = ["--store", desk.store]
      for (words, why) in [
        (["bugreport", file], "It is missing what happened."),
        (["bugreport", file, "--message", ""], "The message is empty."),
        (["bugreport", "--message", "x"], "file"),
        (["bugreport", desk.store, "--message", "x"], "exists already"),
      ] {
        let refused = try run("track", words + store)
        #expect(refused.status == 64 && refused.errors.contains(why), "\(refused.errors)")
      }
      let long = String(repeating: "x", count: 65_537)
      #expect(try run("track", ["bugreport", file, "--message", long] + store).status == 64)
      let dry = try run("track", ["bugreport", file, "--dry-run", "--json"] + store)
      let json = try dry.json()
      #expect(json["contents"] as? String == "redacted" && json["output"] is NSNull)
      #expect(try files(beside: desk) == before)
    }
  }

  @Test func `a terminal is asked what happened, and told what stays before the file is written`()
    throws
  {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let (file, before) = ("\(desk.store).bundle", try files(beside: desk))
      func session(_ message: String, _ answer: String) throws -> String {
        let session = try TerminalScript(
          arguments: ["bugreport", file, "--store", desk.store],
          steps: [
            .expect("What happened, and what did you expect?"), .send("\(message)\n"),
            .expect("[y/N]"), .send("\(answer)\n"),
          ]
        ).run()
        #expect(session.missing == nil)
        return session.output
      }
      let no = try session("It crashed.", "n")
      #expect(no.contains("No file was written. The answer was not yes."), "\(no)")
      #expect(try files(beside: desk) == before)
      let yes = try session("It crashed.", "y")
      let (stays, question) = (yes.firstRange(of: "stays "), yes.firstRange(of: "[y/N]"))
      #expect(try #require(stays).upperBound < #require(question).lowerBound)
      #expect(try run("replay", ["show", "--store", file]).output.contains("It crashed."))
    }
  }
}
