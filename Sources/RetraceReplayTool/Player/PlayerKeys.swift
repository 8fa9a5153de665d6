import Retrace

/// The keys of the player.
enum PlayerKeys {
  typealias Table = Bindings<PlayerFrame, PlayerAction>

  /// The keys that mean something in a frame.
  static func table(for frame: PlayerFrame) -> Table {
    if frame.state.prompt != nil { return prompt }
    return frame.state.helpOffset == nil ? main : help
  }

  /// The keys of the timeline, the screen and the difference.
  static let main = records.within(panes).within(player)

  /// The keys while a line is typed.
  static let prompt = Table("Line") {
    Binding.editing({ $0.state.draft }) { _, edit in .edited(edit) }
    Binding(.enter, hint: "ok", help: "Search, filter, or go there.") { _ in .submitted }
    Binding(.escape, hint: "cancel", help: "Close the line.") { _ in .escaped }
  }
  .within(leaving)

  /// The keys while the list of keys is shown.
  static let help = Table("Keys") {
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
  .within(leaving)

  private static let records = Table("Records") {
    Binding(
      keys: [.up, .text("k"), .down, .text("j")], label: "up/down", hint: "move",
      help: "Go to the row above or below (also k, j); scroll the difference, if it has the focus."
    ) { frame, key in
      let steps = [.up, .text("k")].contains(key) ? -1 : 1
      return isScrolling(frame) ? .differenceScrolled(steps) : .rowsMoved(steps)
    }
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
    Binding(
      .text("y"),
      help: "Copy the record to the clipboard of the terminal: its line, what it changed, or the "
        + "screen, whichever has the focus."
    ) { _ in .copied }
    Binding(.escape, help: "End the search, or show all records again.") { frame in
      let state = frame.state
      let isSearching = state.search != nil || state.matches.search != nil
      return isSearching || !state.filter.isEmpty ? .escaped : nil
    }
  }

  private static let panes = Table("Panes") {
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
    Binding(.text("s"), help: "Show the screen of the next scene.") { frame throws(KeyProblem) in
      guard frame.details.scenes.count > 1 else {
        throw .unavailable("There are no other scenes here.")
      }
      return .sceneChanged
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
    if layout.isNarrow, let tab = tabs.index(at: place, in: layout.head) {
      return PlayerState.Pane(rawValue: Int64(tab)).map { .focused($0) }
    }
    if layout.columns?.divider(at: place, in: layout.body) != nil {
      return .dividerPressed(.columns)
    }
    if layout.rows?.divider(at: place, in: layout.side) != nil { return .dividerPressed(.rows) }
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
