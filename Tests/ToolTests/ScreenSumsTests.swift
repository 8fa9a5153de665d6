import Testing
import ToolTestSupport

/// The sums on the screen of the app are those that `track report` prints.
@Suite(.enabled(if: ZoneFiles.exist)) struct ScreenSumsTests {
  /// A day of 23 hours, one of 25 hours, and an ordinary one.
  @Test(arguments: ["2026-03-29", "2026-10-25", "2026-11-03"], ["0:00", "4:00"])
  func `the totals and the sums of days are those of track report [M8]`(
    day: String, dayStart: String
  ) throws {
    try withTemporaryDirectory { folder in
      let options = [
        "--store", "\(folder)/s", "--user", "anna", "--tz", "Europe/Berlin", "--now",
        "\(day)T19:30:00Z",
      ]
      func track(_ words: String...) throws { try expectFine(["track"] + words + options) }
      for range in [
        "yesterday 9:00 - 10:15", "yesterday 22:00 - 1:15", "1:30 - 4:30", "12:00 - 13:20",
      ] {
        try track("add", range, "task")
      }
      try track("start", "18:00", "runs")
      try track("preferences", "--day-start", dayStart)
      func reported(_ range: String) throws -> String {
        let report = try run("track", ["report", range, "--json"] + options).json()
        let total = try #require(report["total"] as? [String: Any])
        let seconds = try #require(total["seconds"] as? Int)
        return "\(seconds / 3_600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
      }
      let app = try RunningTool("track", ["app", "--size", "72x40"] + options)
      app.send("screen")
      var lines: [String] = []
      while let line = app.readLine(), !line.hasPrefix("ok ") { lines.append(line) }
      #expect(app.finish().status == 0)
      let totals = try "  Today \(reported(":today"))  Week \(reported(":week"))"
      #expect(lines.first?.hasSuffix(totals) == true, "\(lines)")
      let headings = lines.compactMap { $0.firstMatch(of: /\w{3} (\d{4}-\d\d-\d\d) .* (\S+)$/) }
      #expect(headings.count == 2, "\(lines)")
      for heading in headings {
        #expect(try String(heading.2) == reported(String(heading.1)), "\(lines)")
      }
    }
  }

  private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
