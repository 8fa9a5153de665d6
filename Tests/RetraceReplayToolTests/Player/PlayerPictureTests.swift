import Foundation
import RetraceFixtures
import RetraceScreen
import RetraceState
import Testing
import ToolTestSupport

@testable import RetracePlayer

/// The screens of the player as text, compared with files in `Golden`.
///
/// They are written anew by a run with `RETRACE_WRITE_GOLDEN=1`; read their differences before they
/// are committed.
@Suite struct PlayerPictureTests {
  private static let sizes = [(40, 12), (80, 24), (120, 40)]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  private func expect(_ name: String, _ player: inout Player<KioskApp>) throws {
    var text = ""
    for (columns, rows) in Self.sizes {
      text += "== \(columns)x\(rows)\n"
      text += player.lines(columns, rows).map { $0 + "\n" }.joined()
    }
    try expectGolden(text, in: Self.folder.appendingPathComponent("\(name).txt"))
  }

  @Test func `pictures of the rail`() throws {
    try PlayedLog.with { path in
      let rail = PlayerState.Rail(scene: PlayedLog.window.value, session: 1)
      try PlayedLog.play(path, rail: rail) { player in
        while player.isWorking { player.work() }
        try expect("rail", &player)
        player.press("up", "up", "left")
        try expect("rail-change", &player)
        player.press("tab", "tab", "text:a", "?")
        try expect("rail-keys", &player)
        player.press("escape", "home", "/", "text:mate", "enter")
        try expect("rail-search", &player)
      }
    }
  }

  @Test func pictures() throws {
    try PlayedLog.withPlayer { player in
      try expect("last", &player)
      player.press("home", "down", "down")
      try expect("typed", &player)
      player.press("tab")
      try expect("screen", &player)
      player.press("tab")
      try expect("difference", &player)
      player.press("?")
      try expect("keys", &player)
      player.press("escape", "tab", "/", "text:refus")
      try expect("search", &player)
      player.press("enter", "f", "text:kind:command", "enter")
      try expect("filter", &player)
      player.press("f", "ctrl-u", "text:kind:nothing", "enter")
      try expect("problem", &player)
    }
  }
}
