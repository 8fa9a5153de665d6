import Retrace
import TimeTracking

/// An action of the menu of an item of a calendar.
enum CalendarMenuItem: Hashable, Sendable {
  case edit
  case save
  case discard
  case resume
  case stop
  case delete
  case copy
  case start

  /// What the action is called.
  var label: String {
    switch self {
    case .edit: "Edit"
    case .save: "Save"
    case .discard: "Discard"
    case .resume: "Continue"
    case .stop: "Stop"
    case .delete: "Delete"
    case .copy: "Copy as entry"
    case .start: "Start from event"
    }
  }

  /// The name of the key that does the same; empty for none.
  var key: String {
    switch self {
    case .edit: "e"
    case .save: ""
    case .discard: "x"
    case .resume, .start: "c"
    case .stop: "s"
    case .delete: "d"
    case .copy: "a"
    }
  }
}

extension CalendarFrame {
  /// The actions of the selected item; empty without one.
  var menuItems: [CalendarMenuItem] {
    if event != nil { return [.copy, .start] }
    if let entry {
      return entry.entry.isRunning
        ? [.edit, .save, .discard, .stop] : [.edit, .save, .discard, .resume, .delete]
    }
    return shown.draft == nil ? [] : [.edit, .save, .discard]
  }

  /// The open menu; `nil` if it is closed, or if nothing is selected.
  var menu: Menu? {
    guard let selected = route.menu, !menuItems.isEmpty else { return nil }
    let hasDraft = shown.draft != nil
    let items = menuItems.map { item in
      let isEnabled = item == .save || item == .discard ? hasDraft : true
      return MenuItem(item.label, key: item.key, isEnabled: isEnabled)
    }
    return Menu(items, state: ListState(selected: selected))
  }

  /// Returns the place of the menu: beside the selected item.
  ///
  /// - Parameter rect: The rectangle of the grid.
  func menuRect(in rect: Rect) -> Rect? {
    guard let menu else { return nil }
    var anchor =
      grid.selectedRect(in: rect) ?? Rect(column: rect.column, row: rect.row, columns: 1, rows: 1)
    // The first line of a long item stays visible.
    anchor.rows = min(anchor.rows, 1)
    return menu.rect(at: anchor, in: rect)
  }

  /// Returns the steps of an action of the menu.
  func steps(of item: CalendarMenuItem) throws(KeyProblem) -> [KeyStep] {
    guard menuItems.contains(item) else {
      return try telling(menuItems.isEmpty ? .noItemSelected : .notOfItem)
    }
    switch item {
    case .edit: return editing
    case .save: return try saving()
    case .discard:
      guard shown.draft != nil else { return try telling(.nothingToSave) }
      return [.screen(.calendar(.draftEnded))]
    case .resume:
      guard let entry else { return [] }
      let zone = edge?.zone ?? entry.entry.zone
      let resume = TimeEntryCommand.resume(entry.id, at: nil, zone: zone, policy: policy)
      return [.command(.entry(resume))] + closingMenu
    case .stop: return stopping
    case .delete:
      guard let entry else { return [] }
      return [
        .command(.entry(.delete(entry.id, reason: nil))),
        .screen(.calendar(.deleted(entry.id))),
      ]
    case .copy, .start: return taking(item)
    }
  }

  /// The user's policy for overlaps.
  var policy: Policy { domain.preferences(of: route.user)?.set.policy ?? .refuse }

  private var closingMenu: [KeyStep] {
    route.menu == nil ? [] : [.screen(.calendar(.menuMoved(nil)))]
  }

  /// The steps that open the form of the selected item, with the times that are not saved.
  private var editing: [KeyStep] {
    let draft = shown.draft
    var form: EntryEditorRoute
    if let entry {
      guard let made = EntryEditorRoute([entry], in: domain, by: edge?.rules) else { return [] }
      form = made
    } else {
      form = EntryEditorRoute(user: route.user)
    }
    if let draft, let rules = edge?.rules {
      form.set(.start, to: rules.local(at: draft.start).description)
      if let end = draft.end { form.set(.end, to: rules.local(at: end).description) }
    }
    return (draft == nil ? closingMenu : [.screen(.calendar(.draftEnded))])
      + [.scene(.pushed(.entryEditor(form)))]
  }

  /// The steps that stop the running entry, after its start was saved if that was moved.
  private var stopping: [KeyStep] {
    let stop = TimeEntryCommand.stop(route.user, at: nil, policy: policy)
    guard let save = savingCommand else { return [.command(.entry(stop))] + closingMenu }
    return [.command(.entry(.several([save, stop]))), .screen(.calendar(.draftEnded))]
  }

  /// Returns the steps that make an entry of the selected event.
  private func taking(_ item: CalendarMenuItem) -> [KeyStep] {
    guard let event else { return [] }
    let zone = edge?.rules.recorded(at: event.start) ?? .utc
    var draft = TimeEntryDraft(user: .id(route.user), description: event.title, zone: zone)
    guard item == .start else {
      let add = TimeEntryCommand.add(
        draft, start: event.start, end: event.end, policy: policy)
      return [.command(.entry(add))] + closingMenu
    }
    // An event that has not begun is started now.
    let now = edge?.now ?? event.start
    let start = event.start <= now ? event.start : nil
    if start == nil { draft.zone = edge?.zone ?? zone }
    return [.command(.entry(.start(draft, at: start, policy: policy)))] + closingMenu
  }
}
