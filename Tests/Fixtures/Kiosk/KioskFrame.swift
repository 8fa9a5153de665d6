package import RetraceArchitecture
package import RetraceScreen
package import RetraceState

/// What a window of the kiosk shows: its screen is made from it, and inputs are interpreted on it.
package struct KioskFrame: Sendable {
  /// An item in a row of the screen.
  package struct Row: Sendable {
    /// The id of the item.
    package var id: KioskItemID
    /// The item.
    package var item: KioskItem
  }

  /// The scene.
  package var scene: SceneID
  /// The window.
  package var window: KioskWindow
  /// The rows that are shown, from top to bottom.
  package var rows: [Row]
  /// The size of the screen.
  package var size: Screen.Size

  /// Makes the frame of a window, or `nil` if there is no such window.
  ///
  /// The list is as long as the screen allows, and includes the selected item.
  package init?(of scene: SceneID, in state: borrowing KioskState, size: Screen.Size) {
    guard let window = state.windows[scene] else { return nil }
    var rows: [Row] = []
    state.items.forEach { id, item in rows.append(Row(id: id, item: item)) }
    let count = max(1, size.rows - 3)
    let selected = rows.firstIndex { $0.id == window.selection } ?? 0
    self.scene = scene
    self.window = window
    self.rows = Array(rows.dropFirst(max(0, selected - count + 1)).prefix(count))
    self.size = size
  }

  /// The row of the selected item; `nil` if no item is selected or the item is gone.
  package var selectedRow: Int? { rows.firstIndex { $0.id == window.selection } }

  /// The screen.
  package var screen: Screen {
    if window.isHelpShown {
      return screen(KioskKeys.shelf.help(in: self), hints: hints(of: KioskKeys.help))
    }
    var lines = rows.map { row in
      let mark = row.id == window.selection ? "> " : "  "
      return Screen.Line("\(mark)\(row.item.name), \(row.item.stock) for \(row.item.price) each")
    }
    lines.append(Screen.Line("new item: \(window.draft.text)"))
    if let problem = window.problem { lines.append(Screen.Line("not delivered: \(problem)")) }
    return screen(lines, hints: hints(of: KioskKeys.shelf))
  }

  private func screen(_ lines: [Screen.Line], hints: Screen.Line) -> Screen {
    var canvas = Canvas(size)
    var rest = canvas.bounds
    lines.draw(in: rest.removeTop(min(lines.count, rest.rows - 1)), on: &canvas)
    hints.draw(in: rest, on: &canvas)
    return Screen(canvas)
  }

  private func hints(of keys: KioskKeys.Table) -> Screen.Line {
    keys.hints(in: self, fitting: size.columns)
  }

  /// Returns what an input means to the user who sees the frame.
  ///
  /// - Throws: The reason why a key does nothing.
  package func interpret(_ key: Key) throws(KeyProblem) -> [KioskApp.Intent] {
    let keys = window.isHelpShown ? KioskKeys.help : KioskKeys.shelf
    return try keys.value(for: key, in: self) ?? []
  }
}
