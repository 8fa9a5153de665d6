import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState

extension Keymap {
  /// What a key means on the welcome screen.
  func actions(
    for key: Key, _ welcome: WelcomeState, state: AppState, size: Screen.Size
  ) -> [SceneAction] {
    switch key {
    case .text("?") where welcome.name.isEmpty:
      return [.helpToggled]
    case .enter:
      if let user = welcome.selection { return [.welcome(.picked(user))] }
      return [.welcome(.nameConfirmed)]
    case .escape:
      let edits = [
        welcome.name.cursor < welcome.name.text.count ? TextEdit.moveToEnd : nil,
        welcome.name.isEmpty ? nil : .deleteBackward(Int64(welcome.name.text.count)),
      ].compactMap { $0 }
      if edits.isEmpty && welcome.selection != nil {
        return [.welcome(.selected(nil, firstRow: 0))]
      }
      return edits.map { .welcome(.nameEdited($0)) }
    case .up, .down, .pageUp, .pageDown:
      let users = WelcomeState.users(in: state)
      let rows = ListWindow.rows(in: size)
      guard let step = Self.step(of: key, rows: rows), !users.isEmpty else { return [] }
      let row = users.firstIndex { $0.id == welcome.selection }
      let next = Self.moved(
        from: row, by: step, count: users.count, firstRow: welcome.firstRow, rows: rows)
      return [.welcome(.selected(users[next.row].id, firstRow: next.firstRow))]
    default:
      return Self.edits(for: key, in: welcome.name).map { .welcome(.nameEdited($0)) }
    }
  }

  /// What a key means on the timer screen.
  func actions(
    for key: Key, _ timer: TimerRoute, canUndo: Bool, state: AppState, at moment: Moment,
    size: Screen.Size
  ) -> [SceneAction] {
    switch key {
    case .text("?"): return [.helpToggled]
    case .text("n"): return [.timer(.startEditOpened(nil))]
    case .text("s"): return [.timer(.stopped)]
    case .text("u"): return [.timer(.usersOpened)]
    case .text("d"): return timer.selection.map { [.timer(.deleted($0))] } ?? []
    case .text("z"): return canUndo ? [.deletionUndone] : []
    case .text("e"):
      guard let entry = timer.selection ?? state.timeline.running[timer.user] else { return [] }
      return [.timer(.startEditOpened(entry))]
    case .enter:
      guard let entry = timer.selection else { return [.timer(.startEditOpened(nil))] }
      return [.timer(.continued(entry, rules.recorded(at: moment)))]
    case .escape:
      return timer.selection == nil ? [] : [.timer(.selected(nil, firstRow: timer.firstRow))]
    case .up, .down, .pageUp, .pageDown:
      let list = TimerRoute.list(of: timer.user, in: state)
      let rows = ListWindow.rows(in: size)
      guard let step = Self.step(of: key, rows: rows), !list.isEmpty else { return [] }
      let row = list.firstIndex { $0.id == timer.selection }
      let next = Self.moved(
        from: row, by: step, count: list.count, firstRow: timer.firstRow, rows: rows)
      return [.timer(.selected(list[next.row].id, firstRow: next.firstRow))]
    default: return []
    }
  }

  /// What a key means on the screen that starts or edits an entry.
  func actions(
    for key: Key, _ draft: StartEditDraft, state: AppState, at moment: Moment
  ) -> [SceneAction] {
    switch key {
    case .escape: return [.wentBack]
    case .tab, .down: return [.startEdit(.focused(draft.field.moved(by: 1)))]
    case .backtab, .up: return [.startEdit(.focused(draft.field.moved(by: -1)))]
    case .enter: return [.startEdit(confirmation(of: draft, state: state, at: moment))]
    default: break
    }
    guard let field = draft[draft.field] else {
      if key == .text("?") { return [.helpToggled] }
      return key == .text(" ") ? [.startEdit(.billableToggled)] : []
    }
    if key == .text("?") && field.isEmpty { return [.helpToggled] }
    if key == .right, let completion = draft.completion(in: state.library) {
      return [.startEdit(.edited(.insert(completion)))]
    }
    return Self.edits(for: key, in: field).map { .startEdit(.edited($0)) }
  }

  /// Reads the start by the rules of the zone; the rest is the reducer's.
  private func confirmation(
    of draft: StartEditDraft, state: AppState, at moment: Moment
  ) -> StartEditAction {
    // A start that was not touched is not read: it may be of another zone.
    if let entry = draft.entry.flatMap({ state.timeline.entries[$0] }),
      entry.localStart.description == draft.start.text
    {
      return .confirmed(start: nil, zone: rules.recorded(at: moment))
    }
    do {
      let start = try draft.parsedStart(in: rules, now: moment)
      return .confirmed(start: start, zone: rules.recorded(at: start ?? moment))
    } catch {
      return .confirmRefused(error)
    }
  }
}
