import Retrace
import TimeTracking

/// The command palette as it is painted.
struct PaletteFrame: Sendable {
  private let palette: CommandPalette
  /// The listed actions.
  let actions: [PaletteAction]

  /// The most columns and rows of the box.
  private static var sizeMax: Screen.Size { Screen.Size(columns: 76, rows: 16) }

  /// Lists the actions.
  ///
  /// - Parameters:
  ///   - palette: What was typed and selected.
  ///   - scene: The scene.
  ///   - content: The frame of the shown screen.
  ///   - forgotten: The actions about a forgotten entry.
  ///   - memo: The memo of the frame before, which keeps what this one has read.
  ///   - domain: The entities.
  /// - Complexity: As the list of keys, plus O(bytes of the names of projects, clients, tags, users
  ///   and of the contents of the newest entries) if words are typed.
  init(
    _ palette: CommandPalette, of scene: Scene, _ content: AnyScreenFrame,
    forgotten: [BoundAction], _ memo: inout FrameMemo, in domain: DomainState
  ) {
    self.palette = palette
    var actions = PaletteActions(palette.text.text)
    actions.add(forgotten) { .forgotten($0) }
    let keys = content.actions { [actions] in actions.matches($0) }
    actions.add(keys) { .key($0) }
    let user = scene.stack.top.user
    if let user, domain.users.live(user) != nil {
      actions.addScreens(of: user, besides: scene.stack.top)
      actions.addEntries(of: user, &memo, in: domain)
      actions.addVerbs(of: user, on: scene.stack.top, in: domain)
      actions.addEntities(of: user, &memo, in: domain)
    }
    actions.addUsers(besides: user, in: domain)
    self.actions = actions.ranked
  }

  /// The text that is typed.
  var text: TextDraft { palette.text }

  /// The index of the selected row; `nil` if nothing matches.
  var selectedRow: Int? {
    actions.isEmpty ? nil : min(max(0, Int(clamping: palette.selected)), actions.count - 1)
  }

  /// Returns the rectangle of the box.
  func box(in rect: Rect) -> Rect {
    var box = rect
    box.columns = min(rect.columns, Self.sizeMax.columns)
    box.rows = min(rect.rows, Self.sizeMax.rows)
    box.column += (rect.columns - box.columns) / 2
    return box
  }

  /// The widget.
  var widget: Palette {
    let actions = actions
    return Palette(
      palette.text, count: actions.count, state: ListState(selected: Int64(selectedRow ?? 0)),
      placeholder: "Type words of an action, a screen, a project, an entry"
    ) { PaletteItem(actions[$0].title, key: actions[$0].keys) }
  }
}

extension SceneFrame {
  /// Returns the steps that choose an action of the palette: close it, and do what its key does.
  func choosing(_ row: Int) throws(KeyProblem) -> [KeyStep]? {
    guard let palette, palette.actions.indices.contains(row) else { return nil }
    let closing = KeyStep.scene(.paletteClosed)
    guard let edge else { return [closing] }
    switch palette.actions[row].meaning {
    case .steps(let steps): return [closing] + steps
    case .key(let key): return try content.steps(for: key, at: edge).map { [closing] + $0 }
    case .forgotten(let key):
      guard var asked = forgotten else { return nil }
      asked.edge = edge
      return try SceneKeys.forgotten.value(for: key, in: asked).map { [closing] + $0 }
    case .start(let id):
      let user = scene.stack.top.user
      let policy = user.flatMap { domain.preferences(of: $0)?.set.policy } ?? .refuse
      let resume = TimeEntryCommand.resume(id, at: nil, zone: edge.zone, policy: policy)
      return [closing, .command(.entry(resume))]
    case .words(let words): return [closing] + starting(words, at: edge)
    }
  }

  /// Returns the steps that start an entry of typed words, as the form of a new entry reads them.
  ///
  /// The form is opened if it would ask or refuse.
  private func starting(_ words: String, at edge: Edge) -> [KeyStep] {
    guard let user = scene.stack.top.user else { return [] }
    var form = EntryEditorRoute(user: user)
    form.set(.description, to: words)
    let opening = KeyStep.scene(
      .wentTo([.timer(TimerRoute(user: user)), .entryEditor(form)]))
    do throws(KeyObstacle) {
      let times = FormTimes(form, at: edge, in: domain)
      let notes = FormNotes(form, afterTimes: try times.leadingSpan()?.rest, in: domain)
      guard notes.names.isEmpty,
        let command = try FormCommand(form, in: domain, at: edge).command()
      else { return [opening] }
      return [.command(.entry(command))]
        + (command.noticeOfSaving(at: edge).map { [.scene(.told($0))] } ?? [])
    } catch {
      return [opening, .scene(.told(.obstacle(error)))]
    }
  }

  /// Returns the steps of an input of the mouse while the palette is open.
  func stepsOfPalette(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    guard let palette else { return [] }
    let place = Screen.Cursor(row: mouse.row, column: mouse.column)
    switch mouse.action {
    case .pressed(.left):
      let box = palette.box(in: rect)
      guard box.contains(place) else { return [.scene(.paletteClosed)] }
      guard let row = palette.widget.index(at: place, in: box) else { return [] }
      return (try? choosing(row)) ?? []
    case .scrolled(let direction) where direction == .up || direction == .down:
      return palette.moving(direction == .up ? .up : .down, rows: 1)
    default: return []
    }
  }
}

extension PaletteFrame {
  /// Returns the step that moves the selection as a key does; none if nothing matches.
  func moving(_ key: Key, rows: Int) -> [KeyStep] {
    guard let row = selectedRow else { return [] }
    let moved = ListStep(key, rows: rows).row(from: row, last: actions.count - 1)
    return moved == row ? [] : [.scene(.paletteSelected(Int64(moved)))]
  }
}

extension SceneKeys {
  /// The keys that the palette does not list: the one that opens it, and the one of the driver.
  static let keysOutsideOfPalette: Set<Key> = [.text(":"), .ctrl("p"), .ctrl("z")]

  /// The keys while the command palette is open.
  static let palette = KeyTable<SceneFrame>("Command palette") {
    Binding(.enter, hint: "do it", help: "Do what the selected action does.") {
      frame throws(KeyProblem) in
      guard let row = frame.palette?.selectedRow else {
        return try frame.telling(.noneSelected)
      }
      return try frame.choosing(row)
    }
    Binding(
      keys: [.up, .down, .pageUp, .pageDown], label: "up, down", hint: "select",
      help: "Select an action (also the page keys)."
    ) { frame, key in
      frame.palette?.moving(key, rows: 8)
    }
    Binding(.escape, .ctrl("p"), hint: "back", help: "Close the palette.") { _ in
      [.scene(.paletteClosed)]
    }
    Binding(
      .ctrl("c"), .ctrl("d"), hint: "leave", help: "Leave; the next app of this user opens here."
    ) { _ in
      [.leave]
    }
    Binding.editing({ $0.palette?.text }) { _, edit in [.scene(.paletteTyped(edit))] }
  }
}
