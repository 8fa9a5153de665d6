package import Retrace
import RetraceToolSupport

/// The keys of the player.
package enum PlayerKeys {
  package typealias Table = Bindings<PlayerFrame, PlayerAction>
  private typealias Entry = Binding<PlayerFrame, PlayerAction>

  /// The keys that mean something in a frame.
  static func table(for frame: PlayerFrame) -> Table {
    let isRail = frame.state.rail != nil
    if frame.state.prompt != nil { return isRail ? railPrompt : prompt }
    if frame.state.helpOffset != nil { return isRail ? railHelp : help }
    return isRail ? rail : main
  }

  /// The keys of the timeline, the screen and the difference.
  static let main = records.within(panes).within(player)

  /// The keys of the rail of an app.
  package static let rail = railRecords.within(railPanes).within(railEnd)

  /// The keys while a line is typed.
  static let prompt = line.within(leaving)

  /// The keys while a line is typed below the rail of an app.
  package static let railPrompt = line.within(railEnd)

  /// The keys while the list of keys is shown.
  static let help = list.within(leaving)

  /// The keys while the list of keys of the rail of an app is shown.
  package static let railHelp = list.within(railEnd)

  private static let line = Table("Line") {
    Binding.editing({ $0.state.draft }) { _, edit in .edited(edit) }
    Binding(.enter, hint: "ok", help: "Search, filter, or go there.") { _ in .submitted }
    Binding(.escape, hint: "cancel", help: "Close the line.") { _ in .escaped }
  }

  private static let list = Table("Keys") {
    Binding(
      keys: [.up, .text("k"), .down, .text("j")], help: "Scroll by a line."
    ) { _, key in .helpScrolled([.up, .text("k")].contains(key) ? -1 : 1) }
    Binding(keys: [.pageUp, .pageDown, .text(" ")], help: "Scroll by a page.") { frame, key in
      .helpScrolled((key == .pageUp ? -1 : 1) * max(1, frame.layout.help.rows - 1))
    }
    Binding(
      .escape, .text("?"), .text("q"), .enter, hint: "close", help: "Close the list."
    ) { _ in .helpToggled }
  }

  private static let records = Table("Records") {
    Binding(
      keys: [.up, .text("k"), .down, .text("j")], label: "up/down", hint: "move",
      help: "Go to the row above or below (also k, j); scroll the difference, if it has the focus."
    ) { frame, key in
      let steps = [.up, .text("k")].contains(key) ? -1 : 1
      return isScrolling(frame) ? .differenceScrolled(steps) : .rowsMoved(steps)
    }
    moving
    finding
    Binding(
      .text("y"),
      help: "Copy the record to the clipboard of the terminal: its line, what it changed, or the "
        + "screen, whichever has the focus."
    ) { _ in .copied }
    Binding(.escape, help: "End the search, or show all records again.") { frame in
      isSearching(frame) || !frame.state.filter.isEmpty ? .escaped : nil
    }
  }

  private static let railRecords = Table("Looking back") {
    Binding(
      keys: [.up, .text("k"), .down, .text("j")], label: "up/down", hint: "change",
      help: "Go to the change before or after (also k, j): what a command did that was not "
        + "refused; scroll the difference, if it has the focus."
    ) { frame, key in
      let isForward = [.down, .text("j")].contains(key)
      guard isScrolling(frame) else { return .changeMoved(isForward: isForward) }
      return .differenceScrolled(isForward ? 1 : -1)
    }
    moving
    finding
    Binding(
      .text("a"), hint: "all",
      help: "Show the records of all sessions, also of other programs, or only those since the "
        + "window was opened."
    ) { frame throws(KeyProblem) in
      guard frame.state.rail?.session != nil else {
        throw .unavailable("Nothing was recorded in this window; all records are shown.")
      }
      return .widened
    }
    Binding(.escape, help: "End the search.") { isSearching($0) ? .escaped : nil }
  }

  /// The keys that move in the timeline of the player and of the rail.
  @BindingsBuilder<PlayerFrame, PlayerAction> private static var moving: [Entry] {
    Binding(keys: [.pageUp, .pageDown], help: "Go a page up or down.") { frame, key in
      let pages = key == .pageUp ? -1 : 1
      guard isScrolling(frame) else { return .pagesMoved(pages) }
      return .differenceScrolled(pages * max(1, frame.layout.difference.rows - 1))
    }
    Binding(
      keys: [.home, .end],
      help: "Go to the first or the last row; with --follow, the last one stays selected."
    ) { frame, key in
      let isHome = key == .home
      if isScrolling(frame) {
        let lines = frame.differenceLines.count
        return .differenceScrolled(isHome ? -lines : lines)
      }
      return isHome ? .firstSelected : .lastSelected
    }
    Binding(
      keys: [.left, .text("h"), .right, .text("l")], label: "left/right", hint: "record",
      help: "Go to the record before or after (also h, l), within typed text, too."
    ) { _, key in .recordMoved(isForward: [.right, .text("l")].contains(key)) }
    Binding(
      keys: [.text("["), .text("]")], help: "Go to the end of the batch before or of the next one."
    ) { _, key in .batchMoved(isForward: key == .text("]")) }
  }

  /// The keys that find records, in the player and in the rail.
  @BindingsBuilder<PlayerFrame, PlayerAction> private static var finding: [Entry] {
    Binding(.text("/"), hint: "search", help: "Search a text in the rows.") { _ in
      .prompted(.search)
    }
    Binding(
      keys: [.text("n"), .text("N")], help: "Go to the next row with the text, or the one before."
    ) { frame, key throws(KeyProblem) in
      guard frame.state.matches.search != nil else {
        throw .unavailable("Search a text first: press /.")
      }
      return .found(isForward: key == .text("n"))
    }
    Binding(
      .text("f"), hint: "filter",
      help: "Show only some records, as `\(ToolProcess.replay) show --filter` does: a text, "
        + "kind:KIND, action:NAME, mentions:TYPE=ID, session:N, sequence>N, time:DAY."
    ) { _ in .prompted(.filter) }
    Binding(
      .text("g"), hint: "go to",
      help: "Go to a record by its number, or by a time: 14:30 on the shown day, yesterday 9:00."
    ) { _ in .prompted(.jump) }
  }

  private static func isSearching(_ frame: PlayerFrame) -> Bool {
    frame.state.search != nil || frame.state.matches.search != nil
  }

  private static let panes = Table("Panes") {
    focusing
    Binding(.text("s"), help: "Show the screen of the next scene.") { frame throws(KeyProblem) in
      guard frame.details.scenes.count > 1 else {
        throw .unavailable("There are no other scenes here.")
      }
      return .sceneChanged
    }
  }

  private static let railPanes = Table("Panes") { focusing }

  @BindingsBuilder<PlayerFrame, PlayerAction> private static var focusing: [Entry] {
    Binding(keys: [.tab, .backtab], help: "Give the keys to the next pane, or to the one before.") {
      _, key in
      .focusMoved(isForward: key == .tab)
    }
    Binding(
      keys: [.text("+"), .text("-")], help: "Make the pane larger or smaller."
    ) { frame, key throws(KeyProblem) in
      guard !frame.layout.isNarrow else {
        throw .unavailable("The terminal is too small for two panes: tab shows the next one.")
      }
      return .paneResized(isLarger: key == .text("+"))
    }
  }

  private static let player = Table("Player") {
    Binding(.text("?"), hint: "keys", help: "Show this list.") { _ in .helpToggled }
    Binding(.text("q"), .ctrl("c"), .ctrl("d"), hint: "quit", help: "Leave the player.") { _ in
      .left
    }
  }

  private static let leaving = Table("Player") {
    Binding(.ctrl("c"), .ctrl("d"), hint: "quit", help: "Leave the player.") { _ in .left }
  }

  private static let railEnd = Table("Rail") {
    Binding(.text("?"), hint: "keys", help: "Show this list.") { _ in .helpToggled }
    Binding(
      .enter, .escape, .text("q"), .ctrl("t"), .ctrl("c"), .ctrl("d"), hint: "now",
      help: "Return to now, where everything is as it was left."
    ) { _ in .left }
  }

  private static func isScrolling(_ frame: PlayerFrame) -> Bool {
    frame.state.focus == .difference
  }
}

extension PlayerFrame {
  /// The keys that mean something, for the last row.
  var hints: HintLine {
    PlayerKeys.table(for: self).hintLine(in: self, fitting: layout.foot.columns)
  }

  /// Whether the last row has the keys rather than a typed line or a message.
  private var hasHints: Bool { state.prompt == nil && state.notice == nil }

  /// What to press after a key that does nothing.
  var advice: String {
    if state.prompt != nil { return "Press enter to go on, or escape to close the line." }
    if state.rail != nil, state.helpOffset == nil {
      return "Press ? for the keys, or escape to return to now."
    }
    return state.helpOffset == nil
      ? "Press ? for the keys, or q to leave." : "Press escape to close the list."
  }

  /// Returns what an input means to the user who sees the frame; `nil` for nothing.
  func action(for input: Input) -> Result<PlayerAction, KeyProblem>? {
    switch input {
    case .key(let key):
      do throws(KeyProblem) {
        return try PlayerKeys.table(for: self).value(for: key, in: self).map { .success($0) }
      } catch {
        return .failure(error)
      }
    case .mouse(let mouse):
      let place = Screen.Cursor(row: mouse.row, column: mouse.column)
      if mouse.action == .pressed(.left), hasHints, layout.foot.contains(place) {
        return hints.key(at: place.column).flatMap { action(for: .key($0)) }
      }
      return action(for: mouse).map { .success($0) }
    case .pasteRefused(let limit):
      return .failure(.unavailable("The pasted text is longer than \(limit) bytes."))
    case .focused, .unfocused, .resized: return nil
    }
  }

  private func action(for mouse: Mouse) -> PlayerAction? {
    let place = Screen.Cursor(row: mouse.row, column: mouse.column)
    switch mouse.action {
    case .pressed(.left): return state.helpOffset == nil ? pressed(at: place) : nil
    case .dragged(.left): return dragged(to: place)
    case .released(.left): return state.dragged == nil ? nil : .dividerReleased
    case .scrolled(let direction):
      guard direction == .up || direction == .down else { return nil }
      let steps = direction == .up ? -3 : 3
      if state.helpOffset != nil { return .helpScrolled(steps) }
      return layout.difference.contains(place) ? .differenceScrolled(steps) : .rowsScrolled(steps)
    default: return nil
    }
  }

  private func pressed(at place: Screen.Cursor) -> PlayerAction? {
    if layout.isNarrow, state.rail == nil, let tab = tabs.index(at: place, in: layout.head) {
      return PlayerState.Pane(rawValue: Int64(tab)).map { .focused($0) }
    }
    if layout.columns?.divider(at: place, in: layout.columnsArea) != nil {
      return .dividerPressed(.columns)
    }
    if layout.rows?.divider(at: place, in: layout.rowsArea) != nil { return .dividerPressed(.rows) }
    if let index = list.index(at: place, in: layout.timeline) {
      return .rowClicked(rows[index].row.last)
    }
    if layout.timeline.contains(place) { return .focused(.timeline) }
    if layout.screen.contains(place) { return .focused(.screen) }
    return layout.difference.contains(place) ? .focused(.difference) : nil
  }

  private func dragged(to place: Screen.Cursor) -> PlayerAction? {
    switch state.dragged {
    case .columns: .dividerDragged(Int64(place.column - layout.timeline.endColumn))
    case .rows: .dividerDragged(Int64(place.row - layout.screen.endRow))
    case nil: nil
    }
  }
}
