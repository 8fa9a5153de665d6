public import CivilTime
import RetraceArchitecture
public import RetraceScreen
public import RetraceState

/// What keys mean: a pure function from a key and what a scene shows to actions.
public struct Keymap: Sendable {
  /// The zone of the machine, in which what is typed is meant.
  public var rules: ZoneRules

  /// Makes a keymap.
  public init(rules: ZoneRules) {
    self.rules = rules
  }

  /// What a key means in a scene.
  ///
  /// Text of several graphemes means what they mean one after another, each on what the ones before
  /// it led to. A key that means nothing here, or a scene that does not exist, makes no action.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - scene: The scene that the key was pressed in.
  ///   - state: The state that the scene is shown from.
  ///   - moment: Now: today for a start without a date, and the offset of the zone.
  ///   - size: The size of the screen, by which lists scroll.
  /// - Complexity: That of the screen's list for the keys that select, else O(text of the field).
  public func actions(
    for key: Key, in scene: SceneID, state: AppState, at moment: Moment, size: Screen.Size
  ) -> [AppAction] {
    guard case .text(let text) = key, text.count > 1 else {
      return actions(forOne: key, in: scene, state: state, at: moment, size: size)
    }
    var folded = state
    var actions: [AppAction] = []
    for grapheme in text {
      let key = Key.text(String(grapheme))
      let next = self.actions(forOne: key, in: scene, state: folded, at: moment, size: size)
      for action in next { _ = TimeTrackerApp.reducer.reduce(&folded, action, at: moment) }
      actions += next
    }
    return actions
  }

  /// What a key of at most one grapheme means.
  private func actions(
    forOne key: Key, in scene: SceneID, state: AppState, at moment: Moment, size: Screen.Size
  ) -> [AppAction] {
    guard let shown = state.scenes[scene] else { return [] }
    if shown.isHelpShown {
      let closes: Set<Key> = [.text("?"), .escape, .enter]
      return closes.contains(key) ? [.scene(scene, .helpToggled)] : []
    }
    let actions: [SceneAction]
    switch shown.backStack.top {
    case .welcome(let welcome):
      actions = self.actions(for: key, welcome, state: state, size: size)
    case .timer(let timer):
      actions = self.actions(
        for: key, timer, canUndo: shown.deleted != nil, state: state, at: moment, size: size)
    case .startEdit(let draft):
      actions = self.actions(for: key, draft, state: state, at: moment)
    }
    return actions.map { .scene(scene, $0) }
  }

  /// The edits of a text that a key means.
  static func edits(for key: Key, in field: TextField) -> [TextEdit] {
    switch key {
    case .text(let text): text.contains(where: isControl) ? [] : [.insert(text)]
    case .backspace: [.deleteBackward(1)]
    case .delete: [.deleteForward(1)]
    case .left: [.moveLeft]
    case .right: [.moveRight]
    case .home, .ctrl("a"): [.moveToStart]
    case .end, .ctrl("e"): [.moveToEnd]
    case .ctrl("u"): field.cursor > 0 ? [.deleteBackward(Int64(field.cursor))] : []
    default: []
    }
  }

  /// Whether a character is none that a text of one line can hold.
  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// How far a key moves in a list of so many visible rows.
  static func step(of key: Key, rows: Int) -> Int? {
    switch key {
    case .up: -1
    case .down: 1
    case .pageUp: -rows
    case .pageDown: rows
    default: nil
    }
  }

  /// The row that a step leads to, and the first row to show then.
  static func moved(
    from row: Int?, by step: Int, count: Int, firstRow: Int32, rows: Int
  ) -> (row: Int, firstRow: Int32) {
    let target = row.map { $0 + step } ?? (step > 0 ? 0 : count - 1)
    let row = min(max(0, target), count - 1)
    let first = min(max(0, Int(firstRow)), max(0, count - rows))
    return (row, Int32(clamping: ListWindow.firstRow(first, showing: row, rows: rows)))
  }
}
