import Retrace

/// What the user sees: keys are interpreted on it, and the screen is made from it.
struct StarterFrame: InteractiveFrame {
  typealias App = StarterApp

  let state: StarterState
  let size: Screen.Size
  let rows: [(id: ItemID, entity: Item)]

  init(of scene: SceneID, in state: StarterState, at moment: Moment, size: Screen.Size) {
    self.state = state
    self.size = size
    rows = state.domain.items.rows
  }

  var selectedRow: Int? { rows.firstIndex { $0.id == state.selection } }
  var selected: ItemID? { selectedRow.map { rows[$0].id } }
  /// The name that is being typed.
  var draft: TextDraft {
    switch state.stack.top {
    case .list(let name), .item(_, let name): name
    }
  }

  /// The table of the keys of the place that is shown.
  var keys: Keys {
    if case .item(let id, _) = state.stack.top {
      Self.detailKeys(id).within(Self.windowKeys)
    } else {
      Self.listKeys.within(Self.windowKeys)
    }
  }

  /// The window tells why a command was refused.
  func answer(to refusal: StarterRefusal) -> [StarterSceneAction] {
    if case .item(let refusal) = refusal { [.told(refusal.text)] } else { [] }
  }

  /// The window tells why a key does nothing, also that there is nothing to undo.
  func answer(to problem: KeyProblem) -> [StarterSceneAction] { [.told("\(problem)")] }

  static let windowKeys = Keys("Window") {
    Binding(.text("?"), hint: "keys", help: "Show the keys, or hide them.") { frame in
      frame.draft.text.isEmpty ? [.scene(.keysShown(!frame.state.showsKeys))] : nil
    }
    Binding(.ctrl("z"), brief: "undo", help: "Undo the newest change.") { _ in .undo }
    Binding.editing({ $0.draft }) { _, edit in [.scene(.typed(edit))] }
  }

  static let listKeys = Keys("Items") {
    Binding(.enter, hint: "add/open", help: "Add the typed name, or open the selected item.") {
      frame throws(KeyProblem) in
      let name = frame.draft.text
      if !name.isEmpty { return [.command(.item(.add(name: name))), .scene(.nameTaken)] }
      guard let item = frame.selected else { throw .unavailable("Type a name, or select an item.") }
      return [.scene(.opened(item))]
    }
    Binding(keys: [.up, .down], brief: "select", help: "Select an item.") { frame, key in
      let step = key == .up ? -1 : 1
      let row = frame.selectedRow.map { $0 + step } ?? 0
      return frame.rows.indices.contains(row) ? [.scene(.selected(frame.rows[row].id))] : nil
    }
    Binding(.ctrl("d"), hint: "done", help: "Finish the selected item.") {
      frame throws(KeyProblem) in
      guard let item = frame.selected else { throw .unavailable("Select an item.") }
      return [.command(.item(.finish(item)))]
    }
  }

  static func detailKeys(_ id: ItemID) -> Keys {
    Keys("Item") {
      Binding(.enter, hint: "rename", help: "Take the name.") { frame in
        [.command(.item(.rename(id, to: frame.draft.text))), .scene(.closed)]
      }
      Binding(.escape, hint: "back", help: "Go back.") { _ in [.scene(.closed)] }
    }
  }

  var screen: Screen {
    var canvas = Canvas(size)
    var room = canvas.bounds
    let isList = state.stack.entries.count == 1
    canvas.drawLine(isList ? "Items" : "Name of the item", style: .title, in: room.removeTop(1))
    let (text, line) = (draft.text, room.removeTop(1))
    canvas.drawLine("> \(text)", in: line)
    let hints = keys.hints(in: self, fitting: size.columns)
    hints.draw(in: room.removeBottom(1), on: &canvas)
    if let message = state.message {
      canvas.drawLine(message, style: .warning, in: room.removeBottom(1))
    }
    if state.showsKeys {
      let space = Screen.Size(columns: room.columns, rows: room.rows)
      for line in keys.briefHelp(in: self, fitting: space) {
        line.draw(in: room.removeTop(1), on: &canvas)
      }
    } else if isList {
      List(
        count: rows.count, state: ListState(selected: Int64(selectedRow ?? 0)),
        hasSelection: selectedRow != nil, emptyText: "Type a name and press enter."
      ) { row in
        let item = rows[row].entity
        return Screen.Line((item.isDone ? "done " : "") + item.name, item.isDone ? .faint : .plain)
      }
      .draw(in: room, on: &canvas)
    }
    let cells = TextWidth.of(String(decoding: text.utf8.prefix(Int(draft.cursor)), as: UTF8.self))
    let column = min(cells + 2, size.columns)
    return Screen(canvas, cursor: Screen.Cursor(row: line.row, column: column))
  }
}
