import Retrace

/// What the user sees: keys are interpreted on it, and the screen is made from it.
struct StarterFrame: StandardFrame {
  let context: FrameContext<StarterApp>

  var rows: EntityRows<ItemID, Item> { EntityRows(state.domain.items, selected: state.selection) }
  /// The name that is being typed.
  var draft: TextDraft { state.stack.top.draft }
  var isList: Bool { state.stack.entries.count == 1 }
  var frameState: FrameState { state.frame }
  var title: String { isList ? "Items" : "Name of the item" }

  /// The table of the keys of the place that is shown.
  var keys: Keys {
    if case .item(let id, _) = state.stack.top {
      Self.detailKeys(id).within(Self.windowKeys)
    } else {
      Self.listKeys.within(Self.windowKeys)
    }
  }

  static let windowKeys = Keys("Window") {
    Binding.keyList { !$0.draft.text.isEmpty }
    Binding(.ctrl("z"), brief: "undo", help: "Undo the newest change.") { _ in .undo }
    Binding.editing({ $0.draft }) { _, edit in [.scene(.typed(edit))] }
  }

  static let listKeys = Keys("Items") {
    Binding(.enter, hint: "add/open", help: "Add the typed name, or open the selected item.") {
      frame throws(KeyProblem) in
      let name = frame.draft.text
      if !name.isEmpty { return [.command(.item(.add(name: name))), .scene(.nameTaken)] }
      return [.scene(.opened(try frame.rows.selected(else: "Type a name, or select an item.").id))]
    }
    Binding.selecting({ $0.rows }, help: "Select an item.") { [.scene(.selected($0))] }
    Binding(.ctrl("d"), hint: "done", help: "Finish the selected item.") {
      frame throws(KeyProblem) in
      [.command(.item(.finish(try frame.rows.selected(else: "Select an item.").id)))]
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

  func drawBody(in room: Rect, on canvas: inout Canvas) -> Screen.Cursor? {
    var room = room
    let (text, line) = (draft.text, room.removeTop(1))
    canvas.drawLine("> \(text)", in: line)
    if isList {
      rows.list(emptyText: "Type a name and press enter.") { item in
        Screen.Line((item.isDone ? "done " : "") + item.name, item.isDone ? .faint : .plain)
      }
      .draw(in: room, on: &canvas)
    }
    let cells = TextWidth.of(String(decoding: text.utf8.prefix(Int(draft.cursor)), as: UTF8.self))
    return Screen.Cursor(row: line.row, column: min(cells + 2, size.columns))
  }
}
