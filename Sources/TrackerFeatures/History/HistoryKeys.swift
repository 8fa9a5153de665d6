import Retrace
import TimeTracking

extension HistoryFrame {
  /// The keys of the history: of a question, of the selected change, then of the list.
  static let keys = questionKeys.within(changeKeys).within(listKeys)

  private static let questionKeys = KeyTable<HistoryFrame>("Confirm") {
    Binding(.enter, hint: "do it", help: "Do what is asked.") { frame in
      frame.question.map { [.restore(UInt64(clamping: $0.change), isRedo: $0.isRedo)] }
    }
    Binding(.escape, hint: "do not", help: "Do not do it.") { frame in
      frame.question == nil ? nil : [.screen(.history(.asked(nil)))]
    }
  }

  private static let changeKeys = KeyTable<HistoryFrame>("Selected change") {
    Binding(.enter, hint: "fields", help: "Show the fields before and after, or hide them.") {
      frame throws(KeyProblem) in
      guard frame.selected != nil else { return try frame.telling(.noChangeSelected) }
      return [.screen(.history(.opened(!frame.route.isOpen)))]
    }
    Binding(.text("z"), hint: "undo", help: "Undo the change; you are asked first.") {
      frame throws(KeyProblem) in
      try frame.asking(isRedo: false)
    }
    Binding(
      .text("Z"), hint: "restore", help: "Bring the undone change back; you are asked first."
    ) { frame throws(KeyProblem) in
      try frame.asking(isRedo: true)
    }
    Binding(
      .text("f"), hint: "only its entity", brief: "entity",
      help: "List the changes of the first thing that the change is about, or all again."
    ) { frame throws(KeyProblem) in
      if frame.route.entity != nil { return [.screen(.history(.restricted(nil)))] }
      guard let entity = frame.selected?.entities.first else {
        return try frame.telling(.noChangeSelected)
      }
      return [.screen(.history(.restricted(entity)))]
    }
  }

  private static let listKeys = KeyTable<HistoryFrame>("History") {
    Binding(
      keys: [.up, .down, .text("k"), .text("j")], label: "up, down", areAvailableTogether: true,
      hint: "select",
      help: "Select a change (also k, j)."
    ) { frame, key throws(KeyProblem) in
      if frame.shown.isEmpty { return try frame.telling(.noChanges) }
      return [key == .up || key == .text("k") ? frame.selectingAbove : frame.selectingBelow]
    }
    Binding(keys: [.pageDown], brief: "older", help: "Show older changes.") {
      frame, _ throws(KeyProblem) in
      guard let rest = frame.rest else { return try frame.telling(.noOlderChanges) }
      return [.screen(.history(.selected(nil, top: rest)))]
    }
    Binding(keys: [.pageUp], brief: "newer", help: "Show newer changes.") {
      frame, _ throws(KeyProblem) in
      guard frame.route.top != nil || frame.above > 0 else {
        return try frame.telling(.noNewerChanges)
      }
      return [.screen(.history(.selected(nil, top: frame.topAbove(by: frame.shown.count))))]
    }
    Binding(.home, brief: "newest", help: "Show the newest changes.") { _ in
      [.screen(.history(.selected(nil, top: nil)))]
    }
    Binding(
      .escape, hint: "back", help: "Show all changes again; else go back to the timer."
    ) { frame in
      frame.route.entity == nil
        ? [.scene(.popped(frame.id))] : [.screen(.history(.restricted(nil)))]
    }
    Binding(.text("q"), brief: "back", help: "Go back to the timer.") { frame in
      [.scene(.popped(frame.id))]
    }
  }

  /// Returns the steps that ask whether the selected change is undone or brought back.
  private func asking(isRedo: Bool) throws(KeyProblem) -> [KeyStep] {
    guard let change = selected else { return try telling(.noChangeSelected) }
    if change.restores != nil { return try telling(.changeIsRestore) }
    if !change.isOwn { return try telling(.changeOfOthers) }
    if change.isUndone != isRedo {
      return try telling(isRedo ? .changeNotUndone : .changeUndone)
    }
    let question = HistoryQuestion(change: change.sequence, isRedo: isRedo)
    return [.screen(.history(.asked(question)))]
  }

  /// Returns the first change of the list that begins some changes earlier; `nil` for the newest
  /// one.
  func topAbove(by count: Int) -> Int64? {
    guard let newer = page?.newer, count <= newer.count else { return nil }
    return newer[count - 1]
  }

  private var selectingAbove: KeyStep {
    let (changes, top) = (shown, route.top)
    guard let index = changes.firstIndex(where: { $0.sequence == route.selection }) else {
      return .screen(.history(.selected(changes.last?.sequence, top: top)))
    }
    if index > 0 { return .screen(.history(.selected(changes[index - 1].sequence, top: top))) }
    if above > 0, let page {
      return .screen(.history(.selected(page.changes[above - 1].sequence, top: top)))
    }
    guard let newer = page?.newer.first else {
      return .screen(.history(.selected(changes[0].sequence, top: top)))
    }
    return .screen(.history(.selected(newer, top: newer)))
  }

  private var selectingBelow: KeyStep {
    let (changes, top) = (shown, route.top)
    guard let index = changes.firstIndex(where: { $0.sequence == route.selection }) else {
      return .screen(.history(.selected(changes.first?.sequence, top: top)))
    }
    if index + 1 < changes.count {
      return .screen(.history(.selected(changes[index + 1].sequence, top: top)))
    }
    guard let rest else { return .screen(.history(.selected(route.selection, top: top))) }
    return .screen(.history(.selected(rest, top: topShowing(rest))))
  }
}

extension HistoryFrame {
  /// A click selects a change, and the wheel moves the selection.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let place = Screen.Cursor(row: mouse.row, column: mouse.column)
    switch mouse.action {
    case .pressed(.left):
      let layout = HistoryLayout(rect, details: detailCount)
      guard let row = list.index(at: place, in: layout.list), let change = rows[row].change else {
        return []
      }
      return [.screen(.history(.selected(change.sequence, top: route.top)))]
    case .scrolled(let direction) where direction == .up || direction == .down:
      return shown.isEmpty ? [] : [direction == .up ? selectingAbove : selectingBelow]
    default: return []
    }
  }
}
