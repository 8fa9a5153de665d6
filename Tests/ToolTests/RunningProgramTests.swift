import Foundation
import Testing
import ToolTestSupport

/// A `TerminalProgram` as its user has it: the kiosk on a terminal, or in a pipe.
@Suite struct RunningProgramTests {
  private static let program = Tools.url("testapp").path

  private func play(
    _ store: String, environment: [String: String] = [:], steps: [TerminalScript.Step]
  ) throws -> TerminalScript.Session {
    try TerminalScript(
      program: Self.program, arguments: ["kiosk", store], environment: environment, steps: steps
    ).run()
  }

  private func log(of store: String) throws -> String {
    try expectFine(
      ["testapp", "show", "--store", store], environment: ["TESTAPP_KIOSK": "right"])
  }

  @Test func `keys, effects and other processes change what is shown`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let session = try play(
        store,
        steps: [
          .expect("new item:"), .send("tea 250\r"), .expect("tea, 0 for 250 each"),
          .send("\u{1B}[B"), .expect("> tea"),
          // The effect of the order, and another process, show without a key.
          .send("\u{0F}"), .expect("10 for 250"),
          .runProgram([Self.program, "kiosk", store, "milk"]), .expect("milk, 0 for 1 each"),
          .send("\u{3}"),
        ])
      #expect(session.missing == nil)
      #expect(session.status == 0)
      #expect(session.restored && session.leftCleanly)
      // The effect of the order rings.
      #expect(session.output.count { $0 == "\u{7}" } == 1)
      #expect(try log(of: store).contains(#"sessionClosed {"reason":"closed""#))
    }
  }

  @Test(arguments: ["", "1"])
  func `the terminal has its colors, unless NO_COLOR is set`(noColor: String) throws {
    try withTemporaryDirectory { folder in
      let session = try play(
        "\(folder)/store", environment: ["NO_COLOR": noColor],
        steps: [.expect("new item:"), .send("?"), .expect("Insert the text"), .send("\u{11}")])
      #expect(session.missing == nil && session.status == 0 && session.leftCleanly)
      #expect(session.output.contains(/\x{1B}\[(\d+;)*[349]\dm/) == noColor.isEmpty)
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal that ends the app closes the store`(number: Int32) throws {
    try withTemporaryDirectory { folder in
      let session = try play(
        "\(folder)/store",
        steps: [.expect("new item:"), .send("tea"), .expect("tea"), .signal(number)])
      #expect(session.missing == nil && session.status == Int(number))
      #expect(session.restored && session.leftCleanly)
      let last = try log(of: "\(folder)/store").split(separator: "\n").last ?? ""
      #expect(last.contains("sessionClosed") && last.hasSuffix(#""signal":\#(number)}"#))
    }
  }

  @Test func `without a terminal, each line is a key, and a wrong one is reported`() throws {
    try withTemporaryDirectory { folder in
      let lines = "text:tea 250\nenter\ndown\nctrl-o\nwrong\n\n"
      let result = try runProgram(
        Self.program, ["kiosk", "\(folder)/store"], input: Data(lines.utf8))
      let shown = result.output.split(separator: "\n").filter { $0.contains("tea") }
      #expect(
        shown == [
          "new item: tea 250", "  tea, 0 for 250 each", "> tea, 0 for 250 each",
          "> tea, 10 for 250 each", "> tea, 10 for 250 each",
        ])
      #expect(result.errors == "There is no key wrong.\n" && result.status == 64)
      // A pipe has no bell.
      #expect(!result.output.contains("\u{7}"))
    }
  }
}
