import RetraceArchitecture
import RetraceScreen
import RetraceState

extension Scene {
  /// What the scene shows.
  ///
  /// - Complexity: O(users) on the welcome screen, that of the recent entries on the timer screen.
  func screen(in state: AppState, at moment: Moment, size: Screen.Size) -> Screen {
    var screen =
      switch backStack.top {
      case .welcome(let welcome): welcome.screen(in: state, size: size)
      case .timer(let timer): timer.screen(in: state, at: moment, size: size, zone: zone)
      case .startEdit(let draft): draft.screen(in: state, size: size)
      }
    if isHelpShown { screen = Screen(lines: KeyHelp.lines(for: backStack.top)) }
    // The last line is for what went wrong, or for how to get help.
    let body = max(0, size.rows - 1)
    if screen.lines.count > body { screen.lines.removeLast(screen.lines.count - body) }
    while screen.lines.count < body { screen.lines.append(Screen.Line("")) }
    if let cursor = screen.cursor, cursor.row >= body || cursor.column >= size.columns {
      screen.cursor = nil
    }
    if size.rows > 0 {
      screen.lines.append(
        problem.map { Screen.Line("! \($0)", .warning) } ?? undoLine(in: size)
          ?? Screen.Line(
            KeyHelp.hint(for: backStack.top, isHelpShown: isHelpShown), .faint))
    }
    return screen
  }
}

extension Scene {
  /// What is said of a deletion that can be taken back, where there is a key for that.
  private func undoLine(in size: Screen.Size) -> Screen.Line? {
    guard let deleted, !isHelpShown, case .timer = backStack.top else { return nil }
    let name = deleted.description.isEmpty ? "(no description)" : deleted.description
    return Screen.Line("Deleted; z takes it back: \(fitted(name, to: max(8, size.columns - 30)))")
  }
}

/// How many rows of a list fit, and which of them are shown.
struct ListWindow: Hashable {
  /// The rows above and below the list that every screen with a list needs.
  static let otherRows = 6

  /// How many rows of the list fit.
  static func rows(in size: Screen.Size) -> Int { max(1, size.rows - otherRows) }

  /// The first row to show so that a row is visible, as near as can be to the one shown now.
  static func firstRow(_ current: Int, showing row: Int, rows: Int) -> Int {
    if row < current { return row }
    return row >= current + rows ? row - rows + 1 : current
  }

  /// The rows of a list that are shown.
  static func range(of count: Int, from first: Int32, in size: Screen.Size) -> Range<Int> {
    let rows = rows(in: size)
    let start = min(max(0, Int(first)), max(0, count - rows))
    return start..<min(count, start + rows)
  }
}

/// A text cut or filled up to a number of cells.
func fitted(_ text: String, to cells: Int) -> String {
  let width = TextWidth.of(text)
  if width <= cells { return text + String(repeating: " ", count: cells - width) }
  let cut = String(TextWidth.prefix(of: text, fitting: max(0, cells - 1)))
  let rest = cells - 1 - TextWidth.of(cut)
  return cells < 1 ? "" : cut + "…" + String(repeating: " ", count: max(0, rest))
}
