import Foundation
import Testing
import ToolTestSupport

/// The rail of the app over a pipe, beside other processes.
@Suite struct AppRailTests {
  private func records(_ store: String) throws -> [String] {
    try expectFine(["replay", "show", "--store", store, "--each", "--json"]).lines
  }

  @Test func `the rail grows with what other processes record, and a kill in it loses nothing`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let app = try PipedApp(store)
      for line in ["text:anna", "enter", "text:n", "text:plan", "enter", "text:n"] {
        try app.press(line)
      }
      let last = try app.press("text:draft")
      let now = try app.screen()
      let before = try records(store)
      #expect(try app.press("ctrl-t") == last)
      for key in ["left", "left", "up", "home", "right", "text:?", "escape"] {
        #expect(try app.press(key) == last)
      }
      #expect(try records(store) == before)
      // The zone and the size of what is shown are not recorded either, and the rail grows.
      try expectFine([
        "track", "add", "--store", store, "--now", "2026-03-02T09:00:00Z", "--user", "anna", "7:00",
        "-", "8:00", "read elsewhere",
      ])
      let after = try records(store)
      let shown = try app.press("text:a")
      #expect(shown > last && after.count > before.count)
      try app.press("end")
      #expect(
        try app.screen().element(0)
          == "Looking back: now, record \(shown) of \(shown), nothing is written")
      try app.press("left")
      #expect(try records(store) == after)
      app.process.kill()
      #expect(try records(store) == after)
      // The next app opens at the draft; the entry of the other process is there.
      let again = try PipedApp(store)
      let screen = try again.screen()
      #expect(now.contains { $0.hasPrefix("› Description draft") })
      #expect(screen.contains { $0.hasPrefix("› Description draft") })
      #expect(screen.last == now.last)
      again.end()
    }
  }
}
