package import Retrace
import RetraceToolSupport

extension PlayerFrame {
  /// The screen of the player.
  package var picture: Screen {
    var canvas = Canvas(size)
    drawHead(on: &canvas)
    drawTimeline(on: &canvas)
    drawScreen(on: &canvas)
    drawDifference(on: &canvas)
    drawDividers(on: &canvas)
    if state.helpOffset != nil { drawHelp(on: &canvas) }
    let cursor = drawFoot(on: &canvas)
    var screen = Screen(canvas, cursor: cursor)
    if state.rail == nil { screen.title = "replay \(app)" }
    screen.mouse = .buttons
    return screen
  }

  /// The place in the log, such as `record 3 of 20`, and whether new records are followed.
  private var place: String {
    let place = last == 0 ? "no records" : "record \(state.selected) of \(last)"
    guard state.follows else { return place }
    return place + (isAtEnd ? ", following" : ", end: follow")
  }

  /// Returns the place, and what a filter, a search and following do, as far as they fit.
  ///
  /// That a filter hides records is left out last.
  private func shortPlace(fitting columns: Int) -> String {
    let place = "\(state.selected)/\(last)"
    let filters = [selection.map { "filter \($0)" }, selection.map { _ in "filter" }]
    let search = state.search == nil ? matching.map { "search \($0)" } : "searching"
    let follow = state.follows ? (isAtEnd ? "following" : "end: follow") : nil
    for others in [[search, follow], [search], [follow], []] {
      for filter in filters {
        let text = ([filter] + others + [place]).compactMap { $0 }.joined(separator: ", ")
        if TextWidth.of(text) <= columns { return text }
      }
    }
    return place
  }

  /// The cells that the name of the app, or of the pane with the focus, takes at least.
  private static var nameColumns: Int { 12 }

  private func drawHead(on canvas: inout Canvas) {
    var rest = layout.head
    if state.rail != nil { return drawBanner(on: &canvas) }
    let short = layout.isNarrow
    let place = short ? shortPlace(fitting: rest.columns - Self.nameColumns - 1) : place
    let cells = TextWidth.of(place)
    if rest.columns > cells + Self.nameColumns {
      canvas.drawLine(place, style: .strong, in: rest.removeRight(cells))
      _ = rest.removeRight(1)
    }
    if short { return tabs.draw(in: rest, on: &canvas) }
    canvas.drawLine(Screen.Line([Screen.Run(app, .title)] + findings), in: rest)
  }

  /// Whether the rail shows the records of its session alone.
  private var showsSession: Bool {
    state.rail?.sessionFilter.map { state.filter == $0 } ?? false
  }

  /// What the filter and the search found.
  private var findings: [Screen.Run] {
    var line = Screen.Line([])
    if let selection, !showsSession {
      line.runs.append(Screen.Run("  \(state.filter): \(selection)", Style(foreground: .caution)))
    }
    if let search = state.matches.search {
      var text = "  search \(search.text): "
      if let search = state.search {
        text += "\(last == 0 ? 100 : 100 - search.left * 100 / last) %"
      } else {
        text += matching ?? ""
      }
      line.runs.append(Screen.Run(text, Style(foreground: .accent)))
    }
    return line.runs
  }

  /// Draws what moment the rail shows, and that nothing is written.
  private func drawBanner(on canvas: inout Canvas) {
    let (place, rest) = ("record \(state.selected) of \(last)", "nothing is written")
    let moment = isAtEnd && time == nil ? "now" : (time ?? local).map { "\($0)" }
    let notes = [
      details.batchEnd == details.sequence || details.problem != nil
        ? nil : "screen after record \(details.batchEnd)",
      lacksZone ? "its zone is missing" : nil,
    ]
    let parts = [[moment, place, rest] + notes, [moment, place, rest], [place, rest]]
    let texts = parts.map { "Looking back: \($0.compactMap(\.self).joined(separator: ", "))" }
    let short = "\(state.selected)/\(last), \(rest)"
    let text = texts.first { TextWidth.of($0) <= layout.head.columns } ?? short
    canvas.drawLine(
      Screen.Line([Screen.Run(text, .warning)] + findings), in: layout.head)
  }

  private func drawTimeline(on canvas: inout Canvas) {
    guard !layout.timeline.isEmpty else { return }
    list.draw(in: layout.timeline, on: &canvas)
  }

  private func drawScreen(on canvas: inout Canvas) {
    guard !layout.screen.isEmpty else { return }
    if layout.hasFrame {
      let style = Style(foreground: state.focus == .screen ? .accent : .border)
      canvas.drawBorder(layout.screen, style: style)
      let title = Rect(
        column: layout.screen.column + 2, row: layout.screen.row,
        columns: layout.screen.columns - 4, rows: 1)
      canvas.drawLine(screenTitle, style: style, in: title)
    }
    let place = layout.picture
    guard let screen, details.problem == nil else {
      let missing =
        state.rail == nil
        ? "No scene is open here, so there is no screen." : "This window was not open yet."
      let text = details.problem ?? missing
      let style: Style = details.problem == nil ? .faint : .warning
      return TextWidth.lines(of: SafeText.line(text), fitting: place.columns, indent: 0)
        .map { Screen.Line($0, style) }.draw(in: place, on: &canvas)
    }
    let size = Screen.Size(columns: place.columns, rows: place.rows)
    canvas.draw(
      layer: screen.canvas(fitting: size), row: place.row, column: place.column, in: place)
    if let cursor = screen.cursor {
      let cell = Rect(
        column: place.column + cursor.column, row: place.row + cursor.row, columns: 1, rows: 1)
      canvas.restyle(cell.intersection(place), adding: .reversed)
    }
  }

  private var screenTitle: String {
    guard let scene else { return " screen " }
    var title = " scene \(scene)"
    if details.scenes.count > 1 { title += " (s: \(details.scenes.count - 1) more)" }
    if let time { title += ", at \(time)" }
    if details.batchEnd != details.sequence { title += ", after record \(details.batchEnd)" }
    if lacksZone { title += ", its zone is missing" }
    return title + " "
  }

  /// Draws the lines between the panes; those of the timeline and of the difference are strong if
  /// these have the focus.
  private func drawDividers(on canvas: inout Canvas) {
    if state.rail != nil { return drawRailDividers(on: &canvas) }
    guard !layout.isNarrow else { return }
    let (column, row) = (layout.timeline.endColumn, layout.screen.endRow)
    let isTimeline = state.focus == .timeline
    canvas.fill(
      Rect(column: column, row: layout.body.row, columns: 1, rows: layout.body.rows),
      with: isTimeline ? "┃" : "│", style: isTimeline ? .title : Style(foreground: .border))
    let isDifference = state.focus == .difference
    let line = Rect(
      column: layout.rowsArea.column, row: row, columns: layout.rowsArea.columns, rows: 1)
    let style = isDifference ? Style.title : Style(foreground: .border)
    canvas.fill(line, with: isDifference ? "━" : "─", style: style)
    canvas.drawLine(" difference ", style: style, in: line.inset(columns: 1, rows: 0))
  }

  /// Draws the line between the screen and the rail, with the titles of the panes below it.
  private func drawRailDividers(on canvas: inout Canvas) {
    guard layout.rows != nil else { return }
    let line = Rect(
      column: layout.body.column, row: layout.screen.endRow, columns: layout.body.columns, rows: 1)
    let border = Style(foreground: .border)
    canvas.fill(line, with: state.focus == .screen ? "━" : "─", style: border)
    let records =
      showsSession
      ? " since the window was opened " : state.filter.isEmpty ? " all records " : " records "
    for (pane, rect, text) in [
      (PlayerState.Pane.timeline, layout.timeline, records),
      (PlayerState.Pane.difference, layout.difference, " what changed "),
    ] where !rect.isEmpty {
      let place = Rect(
        column: rect.column + 1, row: line.row, columns: max(0, rect.columns - 2), rows: 1)
      canvas.drawLine(text, style: state.focus == pane ? .title : border, in: place)
    }
    guard layout.columns != nil else { return }
    let divider = Rect(
      column: layout.timeline.endColumn, row: layout.columnsArea.row, columns: 1,
      rows: layout.columnsArea.rows)
    canvas.fill(divider, with: "│", style: border)
  }

  private func drawDifference(on canvas: inout Canvas) {
    guard !layout.difference.isEmpty else { return }
    var rect = layout.difference
    _ = rect.removeLeft(1)
    let lines = differenceLines
    let window = ScrollWindow(
      count: Int64(lines.count), rows: Int64(rect.rows), offset: state.offset)
    draw(lines, window, in: rect, on: &canvas)
  }

  private func drawHelp(on canvas: inout Canvas) {
    let rect = layout.help
    let box = Rect(
      column: rect.column - 1, row: rect.row - 1, columns: rect.columns + 2, rows: rect.rows + 2
    ).intersection(layout.body)
    canvas.fill(box)
    canvas.drawBorder(box, style: Style(foreground: .accent))
    let title = Rect(column: box.column + 2, row: box.row, columns: box.columns - 4, rows: 1)
    canvas.drawLine(" Keys ", style: .title, in: title)
    let lines = helpLines
    let window = ScrollWindow(
      count: Int64(lines.count), rows: Int64(rect.rows), offset: state.helpOffset ?? 0)
    draw(lines, window, in: rect.inset(columns: 1, rows: 0), on: &canvas)
  }

  /// Draws the lines of a window, and counts those that are not seen.
  ///
  /// A line beside a count is cut before it, so that no value loses its end unseen.
  private func draw(
    _ lines: [Screen.Line], _ window: ScrollWindow, in rect: Rect, on canvas: inout Canvas
  ) {
    let below = lines.count - Int(window.range.upperBound)
    var rest = rect
    for index in window.range {
      var row = rest.removeTop(1)
      var count = ""
      if row.row == rect.row, window.offset > 0, rect.rows > 1 { count = " ↑ \(window.offset)" }
      if row.row == rect.endRow - 1, below > 0 { count = " ↓ \(below) more" }
      let place = row.removeRight(TextWidth.of(count))
      canvas.drawLine(lines[Int(index)], in: row)
      canvas.drawLine(count, style: Style(foreground: .accent), in: place)
    }
  }

  /// Draws the typed line or the keys, and a message; returns where the cursor is.
  private func drawFoot(on canvas: inout Canvas) -> Screen.Cursor? {
    var rest = layout.foot
    defer { drawNotice(on: &canvas) }
    guard let prompt = state.prompt else {
      canvas.drawLine(hints.line, in: rest)
      return nil
    }
    let label = rest.removeLeft(TextWidth.of(prompt.label))
    canvas.drawLine(prompt.label, style: .title, in: label)
    let input = TextInput(state.draft, placeholder: prompt.placeholder, hasFocus: true)
    input.draw(in: rest, on: &canvas)
    return input.cursor(in: rest)
  }

  /// Draws a message in place of the keys, or above a typed line, on as many rows as it takes.
  private func drawNotice(on canvas: inout Canvas) {
    guard let notice = state.notice else { return }
    var rest = layout.body
    if state.prompt == nil { rest.rows += layout.foot.rows }
    let lines = TextWidth.lines(
      of: SafeText.line(notice.text), cutTo: rest.columns, indent: 0, linesMax: max(1, rest.rows))
    var place = rest.removeBottom(lines.count)
    canvas.fill(place)
    let style = notice.isProblem ? Style.warning : Style(foreground: .accent)
    for line in lines { canvas.drawLine(line, style: style, in: place.removeTop(1)) }
  }
}
