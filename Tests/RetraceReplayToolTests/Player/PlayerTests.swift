import CivilTime
import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceLog
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceTesting
import RetraceToolSupport
import Testing
import ToolTestSupport

@testable import RetracePlayer

/// The player of `step`, without a terminal.
@Suite struct PlayerTests {
  private let size = Screen.Size(columns: 80, rows: 24)

  @Test func `no key is bound twice`() {
    for table in [
      PlayerKeys.main, PlayerKeys.prompt, PlayerKeys.help, PlayerKeys.rail, PlayerKeys.railPrompt,
      PlayerKeys.railHelp,
    ] {
      #expect(table.conflicts.isEmpty)
    }
  }

  @Test func `typed text is one row, and its records are reached one by one`() throws {
    try PlayedLog.withPlayer { player in
      player.press("home", "down", "down")
      #expect(player.state.selected == 15)
      #expect(player.lines().contains { $0.contains(#"typed "green tea 250""#) })
      // The row's difference is that of all of it.
      #expect(player.lines(120, 40).contains { $0.contains("nothing -> green tea 250") })
      player.press("left")
      #expect(player.state.selected == 14)
      #expect(player.lines().contains { $0.contains("green tea 2") })
      for _ in 0..<12 { player.press("left") }
      #expect(player.state.selected == 2)
      player.press("right")
      #expect(player.state.selected == 3)
      #expect(player.lines().contains { $0.contains("nothing -> g") })
      player.press("down")
      #expect(player.state.selected == 16)
      player.press("]")
      #expect(player.state.selected == 17)
      player.press("[")
      #expect(player.state.selected == 15)
    }
  }

  @Test func `rows have names, and marks for refusals, undos and gaps`() throws {
    try PlayedLog.withPlayer { player in
      let rows = player.frame(size: Screen.Size(columns: 160, rows: 40)).rows
      let marks = rows.filter { $0.summary.mark != nil }.map { $0.summary }
      #expect(marks.map(\.mark) == [.failed, .undo, .undo, .redo, .redo])
      #expect(marks.first?.text == "refused sell mate, count 9: out of stock mate, stock 3")
      #expect(rows.compactMap(\.row.gap) == ["+3 h"])
      #expect(rows.filter { $0.summary.text.hasPrefix("session opened by") }.count == 2)
      #expect(rows.map(\.row.first) == rows.map(\.row.first).sorted())
    }
  }

  @Test func `a search goes around, and a filter shows only some rows`() throws {
    try PlayedLog.withPlayer { player in
      let last = player.state.selected
      player.press("/", "text:REFUSED", "enter")
      let refused = player.state.selected
      #expect(refused < last && player.lines().contains { $0.contains("refused") })
      player.press("n")
      #expect(player.state.selected == refused)
      player.press("/", "text:nowhere", "enter")
      #expect(player.state.notice?.text == "No row has the text nowhere.")
      player.press("f", "text:kind:command", "enter", "home")
      let commands = player.frame(size: size).rows
      #expect(commands.count > 3)
      #expect(commands.allSatisfy { $0.row.record?.envelope.kind == .command })
      #expect(player.lines()[0].contains("kind:command: \(commands.count) rows"))
      player.press("down", "up", "end", "page-up")
      #expect(player.state.selected == commands[0].row.last)
      player.press("f", "ctrl-u", "text:kind:nothing", "enter")
      #expect(player.state.prompt == .filter && player.state.notice?.isProblem == true)
      // The line, the marks of the search, and the filter.
      player.press("escape", "escape", "escape")
      #expect(player.state.filter.isEmpty && player.frame(size: size).rows.count > commands.count)
    }
  }

  @Test func `a number and an instant lead to a record`() throws {
    try PlayedLog.withPlayer { player in
      player.press("g", "text:7", "enter")
      #expect(player.state.selected == 7)
      player.press("g", "text:2026-03-02T10:00:00Z", "enter")
      let before = player.state.selected
      player.press("right")
      #expect(player.lines().contains { $0.contains("session opened by bo@desk") })
      #expect(player.state.selected == before + 1)
      for wrong in ["99999", "soon", "-1"] {
        player.press("g", "text:\(wrong)", "enter")
        #expect(player.state.prompt == .jump && player.state.notice?.isProblem == true)
        player.press("escape")
        #expect(player.state.selected == before + 1)
      }
    }
  }

  @Test func `a record that a filter leaves out is said to be left out`() throws {
    try PlayedLog.withPlayer { player in
      player.press("f", "text:kind:command", "enter", "g", "text:7", "enter")
      let told = "The filter leaves record 7 out; escape shows all records."
      #expect(player.state.selected != 7 && player.state.notice?.text == told)
      // A narrow title says which number is the filter's.
      #expect(player.lines(40, 12)[0].contains(" filter \(player.frame(size: size).rows.count) "))
      player.press("/", "text:sell", "enter")
      #expect(player.lines(42, 12)[0].contains("filter, search 1 of "))
      player.press("escape", "f", "ctrl-u", "text:nowhere", "enter", "g", "text:7", "enter")
      #expect(player.state.notice?.text == told)
      player.press("up")
      #expect(player.lines().contains { $0.contains("No record was found. escape: all") })
      player.press("escape", "g", "text:7", "enter")
      #expect(player.state.selected == 7 && player.state.notice == nil)
    }
  }

  @Test func `the record is copied as the pane with the focus shows it`() throws {
    try PlayedLog.withPlayer { player in
      player.press("home", "down", "down", "y")
      let line = try #require(player.state.copied)
      #expect(line.hasPrefix("3-15  2026-") && line.contains("edited"), "\(line)")
      player.press("tab", "y")
      let screen = try #require(player.state.copied)
      #expect(screen.contains("green tea 250") && screen.split(separator: "\n").count > 1)
      player.press("tab", "y")
      #expect(player.state.copied?.hasPrefix("record 3-15  2026-03-02 09:00:") == true)
    }
  }

  @Test func `a time in a filter is on the shown day`() throws {
    try PlayedLog.withPlayer { player in
      player.press("f", "text:time:9:00..10:00 kind:command", "enter")
      let rows = player.frame(size: size).rows
      #expect(rows.count > 3 && rows.allSatisfy { $0.row.last < 29 })
      player.press("f", "ctrl-u", "text:time>12:30 kind:command", "enter")
      #expect(player.frame(size: size).rows.allSatisfy { $0.row.last > 29 })
    }
  }

  @Test func `a time of day is on the shown day, and in the zone of the player`() throws {
    try PlayedLog.withPlayer { player in
      player.press("g", "text:9:00:16", "enter")
      #expect(player.state.selected == 19)
      player.press("g", "text:2026-03-02 12:30", "enter")
      #expect(player.state.selected == 29)
      player.press("g", "text:2026-03-02", "enter")
      #expect(player.state.selected == 37)
      player.press("g", "text:2026-03-01", "enter")
      #expect(player.state.selected == 1 && player.state.prompt == nil)
      #expect(player.state.notice?.text.hasPrefix("Nothing was recorded until then.") == true)
      player.press("g", "text:soon", "enter")
      let told = try #require(player.state.notice?.text)
      #expect(told.hasPrefix("Go to: `soon` is not a time such as 9:00, "))
      #expect(told.hasSuffix("The number of a record leads there, too."))
    }
    try PlayedLog.with { path in
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      var player = try Player<KioskApp>(
        storage, zone: ZoneRules(id: "east", offsetSeconds: 3_600))
      player.press("g", "text:10:00:16", "enter")
      #expect(player.state.selected == 19)
      #expect(player.lines().contains { $0.contains("19  2026-03-02 10:00:16") })
    }
  }

  /// A kiosk whose user saw it in a low window, in a zone that no system has.
  private enum LowKiosk: KioskVariant {
    static var reducer: KioskReducer { KioskReducer() }
    static var decider: KioskDecider { KioskDecider() }

    static func seen(of scene: SceneID, in state: KioskState) -> SeenScreen? {
      SeenScreen(size: Screen.Size(columns: 24, rows: 6), zone: "No/Such_Zone")
    }

    static func screen(
      of scene: SceneID, in state: KioskState, at moment: Moment, size: Screen.Size,
      zone: ZoneRules?
    ) -> Screen {
      Screen(Screen.Line("\(size.columns)x\(size.rows) \(zone?.id ?? "no zone")"), size: size)
    }
  }

  @Test func `a screen is drawn as it was seen, if there is room, and a missing zone is said`()
    throws
  {
    try PlayedLog.with { path in
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      var player = try Player<LowKiosk>(storage, zone: .utc)
      let lines = player.lines(120, 40)
      #expect(lines.contains { $0.contains("24x6 no zone") }, "\(lines)")
      #expect(lines.contains { $0.contains("its zone is missing") })
      player.press("tab", size: Screen.Size(columns: 20, rows: 12))
      #expect(player.lines(20, 12).contains { $0.contains("18x8 no zone") })
    }
  }

  @Test func `what was searched for is counted and marked, until escape`() throws {
    try PlayedLog.withPlayer { player in
      player.press("/", "text:SELL", "enter")
      #expect(player.frame(size: size).matching == "1 of 2")
      #expect(player.lines()[0].contains("search SELL: 1 of 2"))
      #expect(player.lines(40, 12)[0].contains("search 1 of 2, 22/37"))
      let screen = player.frame(size: size).picture
      let row = try #require(screen.canvas.lines.firstIndex { $0.contains("refused sell") })
      let line = screen.canvas.lines[row]
      let text = try #require(line.range(of: "sell"))
      let column = TextWidth.of(String(line[..<text.lowerBound]))
      #expect(screen.canvas[row: row, column: column].style.attributes.contains(.underline))
      #expect(!screen.canvas[row: row, column: column - 1].style.attributes.contains(.underline))
      // What fits stays.
      player.state.follows = true
      #expect(player.lines(40, 12)[0].hasSuffix(" search 1 of 2, 22/37"))
      #expect(player.lines(30, 12)[0].hasSuffix(" 22/37"))
      player.press("home")
      #expect(player.frame(size: size).matching == "2 rows")
      player.press("n")
      #expect(player.frame(size: size).matching == "1 of 2")
      player.press("escape")
      #expect(player.frame(size: size).matching == nil)
      player.press("n")
      #expect(player.state.notice?.text == "Search a text first: press /.")
    }
  }

  @Test func `a click on a hint presses its key, and a key that does nothing says so`() throws {
    try PlayedLog.withPlayer { player in
      let line = try #require(player.lines().last)
      let hint = try #require(line.range(of: "?: keys"))
      let column = TextWidth.of(String(line[..<hint.lowerBound]))
      func click(_ column: Int) -> Bool {
        player.take(
          .mouse(Mouse(.pressed(.left), row: 23, column: column)), on: player.frame(size: size))
      }
      #expect(!click(column) && player.state.helpOffset == 0)
      #expect(!click(0) && player.state.helpOffset == nil)
      player.press("f5")
      #expect(
        player.state.notice?.text == "f5 does nothing here. Press ? for the keys, or q to leave.")
      // The message is where the hints were.
      #expect(!click(column) && player.state.helpOffset == nil && player.state.notice == nil)
      player.press("text:x")
      #expect(player.state.notice?.text.hasPrefix("x does nothing here.") == true)
      player.press("/", "f5")
      #expect(player.state.notice?.text.hasSuffix("or escape to close the line.") == true)
      player.press("escape")
      let isLeft = player.take(.key(.ctrl("d")), on: player.frame(size: size))
      #expect(isLeft)
    }
  }

  @Test func `a scene can be chosen, and the mouse selects, scrolls and moves dividers`() throws {
    try PlayedLog.withPlayer { player in
      #expect(player.frame(size: size).scene == 1)
      player.press("s")
      #expect(player.frame(size: size).scene == 2)
      func act(_ action: Mouse.Action, _ row: Int, _ column: Int) {
        _ = player.take(
          .mouse(Mouse(action, row: row, column: column)), on: player.frame(size: size))
      }
      let rows = player.frame(size: size).rows
      act(.pressed(.left), 3, 10)
      #expect(player.state.selected == rows[2].row.last)
      let first = player.frame(size: size).rows[0].row.first
      act(.scrolled(.up), 3, 10)
      #expect(player.frame(size: size).rows[0].row.first < first)
      let edge = player.frame(size: size).layout.timeline.endColumn
      act(.pressed(.left), 3, edge)
      act(.dragged(.left), 3, edge + 5)
      act(.released(.left), 3, edge + 5)
      #expect(player.frame(size: size).layout.timeline.endColumn == edge + 5)
      player.press("tab", "tab", "+")
      #expect(player.state.focus == .difference)
    }
  }

  @Test func `what is recorded meanwhile is shown, and the end is kept`() throws {
    try PlayedLog.with { path in
      try PlayedLog.session(path, by: "cy", at: "2026-03-03T09:00:00Z") { store in
        var player = try Player<KioskApp>(store.storage, zone: .utc, follows: true)
        let last = player.state.selected
        try PlayedLog.type("ab", store)
        player.follow()
        try PlayedLog.type("c", store)
        player.follow()
        #expect(player.state.selected == last + 4)
        #expect(player.lines()[0].hasSuffix("record \(last + 4) of \(last + 4), following"))
        #expect(player.lines().contains { $0.contains(#"typed "abc""#) })
        player.press("home", "f", "text:new", "enter")
        try store.performBlocking(.add(name: "new", price: 3))
        player.follow()
        while player.isWorking { player.work() }
        #expect(player.frame(size: size).rows.count == 2)
        // At the end, new rows of the filter are followed.
        player.press("end")
        #expect(player.lines()[0].hasSuffix(", following"))
        try store.performBlocking(.add(name: "newer", price: 4))
        try PlayedLog.type("d", store)
        player.follow()
        while player.isWorking { player.work() }
        #expect(player.frame(size: size).rows.count == 4)
        #expect(player.frame(size: size).rows.last?.row.contains(player.state.selected) == true)
        #expect(player.lines()[0].hasSuffix(", following"))
        player.press("escape", "home")
        #expect(player.lines()[0].hasSuffix(", end: follow"))
        player.follow()
        #expect(player.state.selected == 1)
      }
    }
  }

  @Test func `records that cannot be read are a row, and the others are shown`() throws {
    try PlayedLog.with { path in
      let storage = try LogStorage.open(at: path, access: .write)
      try storage.append { appender throws(StoreError) in
        let schema = try appender.schemaNumber(json: KioskAction.schema.text)
        let payloads = [[0xFF], [0xFF], KioskAction.scene(.closed(PlayedLog.window)).encoded()]
        for payload in payloads {
          try appender.append(
            Envelope(session: 30, moment: Moment(microseconds: 0), schema: schema),
            payload: payload.span)
        }
      }
      storage.close()
      try PlayedLog.play(path, at: 1) { player in
        let rows = player.frame(size: Screen.Size(columns: 90, rows: 50)).rows
        let broken = try #require(rows.first { $0.row.record == nil })
        #expect(broken.row.first == 38 && broken.row.last == 39 && broken.summary.mark == .failed)
        #expect(rows.last?.summary.text == "scene closed #1")
        #expect(player.frame(size: size).details.problem == nil)
        for _ in rows { player.press("down") }
        #expect(player.state.selected == 40)
        #expect(player.frame(size: size).details.problem?.contains("38") == true)
        #expect(player.lines().contains { $0.contains("damaged") })
        player.press("left", "[", "]", "f", "text:kind:command", "enter", "/", "text:x", "enter")
        player.press("escape", "home", "down", "down")
        #expect(player.frame(size: size).details.problem == nil)
      }
    }
  }

  @Test func `long text is one row, and rows have every record once, from wherever they are read`()
    throws
  {
    try PlayedLog.with { path in
      try PlayedLog.session(path, by: "anna", at: "2026-03-04T09:00:00Z") { store in
        try store.sendBlocking([.opened(SceneID(value: 7))])
        for place in Int64(0)..<4_500 {
          let edit = TextReplacement(start: place, end: place, text: "x", cursor: place + 1)
          try store.enqueue([.window(SceneID(value: 7), .edited(edit))])
        }
        try store.performBlocking(.add(name: "end", price: 1))
      }
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      let last = try storage.head().sequence
      var timeline = Timeline(storage, last: last, zone: .utc)
      var ranges: [ClosedRange<UInt64>] = []
      var next = timeline.row(at: 1)
      while let row = next {
        #expect(row.first == (ranges.last?.upperBound ?? 0) + 1)
        ranges.append(row.first...row.last)
        next = timeline.row(after: row)
      }
      #expect(ranges.last?.upperBound == last)
      #expect(ranges.contains { $0.upperBound == Timeline.joinedMax })
      #expect(ranges.contains { $0.lowerBound == Timeline.joinedMax + 1 && $0.count > 400 })
      try withSeed { random in
        for _ in 0..<12 {
          let place = UInt64.random(in: 1...last, using: &random)
          var timeline = Timeline(storage, last: last, zone: .utc)
          let found = timeline.row(at: place)
          let row = try #require(found)
          #expect(ranges.contains(row.first...row.last) && row.contains(place))
        }
      }
    }
  }

  @Test func `a log without records is empty`() throws {
    try PlayedLog.with { path in
      try Store<KioskApp>.openBlocking(at: path + "2", configuration: StoreConfiguration())
        .closeBlocking()
      try PlayedLog.play(path + "2") { player in
        #expect(player.lines().contains { $0.contains("Nothing is recorded yet.") })
        player.press("down", "left", "]", "home", "end", "n", "/", "text:x", "enter")
        player.press("f", "text:kind:command", "enter", "g", "text:1", "enter", "page-up")
        #expect(player.state.selected == 0)
      }
    }
  }

  @Test func `random input never traps, and leaves the log as it is`() throws {
    let keys = [
      "up", "down", "down", "left", "right", "page-up", "page-down", "home", "end", "text:[",
      "text:]", "text:/", "text:f", "text:g", "text:n", "text:N", "text:s", "text:?", "text:+",
      "text:-", "tab", "backtab", "enter", "enter", "escape", "text:e", "text:7",
      "text:kind:action",
      "backspace", "ctrl-u", "text:日\u{301}", "paste:a\\nb", "f5", "text:j", "text:k",
    ]
    try PlayedLog.with { path in
      let before = try #require(try filesInTree(path)["data.mdb"])
      try withSeed { random in
        for _ in 0..<repetitions(200, few: 20) {
          try PlayedLog.play(path, at: UInt64.random(in: 0...60, using: &random)) { player in
            for _ in 0..<100 {
              let size = Screen.Size(
                columns: Int.random(in: 0...130, using: &random),
                rows: Int.random(in: 0...45, using: &random))
              let frame = player.frame(size: size)
              _ = frame.picture
              if random.next() % 3 == 0 {
                let action: Mouse.Action =
                  [
                    .pressed(.left), .dragged(.left), .released(.left), .scrolled(.up),
                    .scrolled(.down),
                  ]
                  .randomElement(using: &random) ?? .moved
                let mouse = Mouse(
                  action, row: Int.random(in: -1...46, using: &random),
                  column: Int.random(in: -1...131, using: &random))
                _ = player.take(.mouse(mouse), on: frame)
              } else if let key = keys.randomElement(using: &random).flatMap({ Key(name: $0) }) {
                _ = player.take(.key(key), on: frame)
              }
              if random.next() % 2 == 0 { player.work(milliseconds: 1) }
              let selected = player.state.selected
              let rows = player.frame(size: size).rows
              if !rows.isEmpty, player.state.filter.isEmpty {
                #expect(rows.contains { $0.row.contains(selected) })
              }
            }
          }
        }
      }
      #expect(try filesInTree(path)["data.mdb"] == before)
    }
  }
}
