import Retrace
import TimeTracking

extension ListsFrame {
  /// The keys of the lists: of a question, of a field, of the selected item, then of the list.
  static let keys = questionKeys.within(namingKeys).within(searchKeys).within(itemKeys)
    .within(listKeys)

  private static let questionKeys = KeyTable<ListsFrame>("Confirm") {
    Binding(.enter, hint: "do it", help: "Do what is asked.") { frame in frame.answering }
    Binding(.escape, hint: "do not", help: "Do not do it.") { frame in
      frame.route.question == nil ? nil : [.screen(.lists(.asked(nil)))]
    }
  }

  private static let namingKeys = KeyTable<ListsFrame>("Name") {
    Binding(.enter, hint: "save", help: "Save the name.") { frame throws(KeyProblem) in
      guard let naming = frame.route.naming else { return nil }
      do throws(KeyObstacle) {
        let leaving = KeyStep.screen(.lists(.namingSet(nil)))
        return try frame.command(of: naming).map { [.command($0), leaving] } ?? [leaving]
      } catch {
        return try frame.telling(error)
      }
    }
    Binding(.escape, hint: "back", help: "Leave the name as it is.") { frame in
      frame.route.naming == nil ? nil : [.screen(.lists(.namingSet(nil)))]
    }
    Binding.editing({ $0.route.naming?.name }, passing: [.text("?")]) { _, edit in
      [.screen(.lists(.named(edit)))]
    }
  }

  private static let searchKeys = KeyTable<ListsFrame>("Search") {
    Binding(.enter, hint: "to the list", help: "Go on to what was found.") { frame in
      guard frame.isInSearch else { return nil }
      let leaving = KeyStep.screen(.lists(.searchFocused(false)))
      guard frame.selectedRow == nil, let first = frame.items.found.first else { return [leaving] }
      return [leaving, .screen(.lists(.selected(first.id)))]
    }
    Binding(.escape, hint: "show all", help: "Clear the search, and leave it.") { frame in
      guard frame.isInSearch else { return nil }
      return frame.clearingSearch + [.screen(.lists(.searchFocused(false)))]
    }
    Binding.editing({ $0.isInSearch ? $0.route.search : nil }, passing: [.text("?")]) { _, edit in
      [.screen(.lists(.searched(edit)))]
    }
  }

  private static let itemKeys = KeyTable<ListsFrame>("Selected one") {
    Binding(.enter, .text("e"), hint: "edit", help: "Edit the selected one (also e).") {
      frame throws(KeyProblem) in
      if frame.route.isTyping { return nil }
      guard let item = frame.selected else { return try frame.tellingNoSelection() }
      return frame.editing(item)
    }
    Binding(
      .text("m"), hint: "merge into…",
      help: "Mark the selected one, then merge the marked ones into another one."
    ) { frame throws(KeyProblem) in
      if frame.route.isTyping { return nil }
      guard let item = frame.selected else { return try frame.tellingNoSelection() }
      if frame.route.kind == .goals { return try frame.telling(.goalsCannotMerge) }
      if frame.route.marked.isEmpty { return [.screen(.lists(.markToggled(item.id)))] }
      if frame.route.marked.contains(item.id) { return try frame.telling(.mergesIntoItself) }
      return [.screen(.lists(.asked(.merge(into: item.id))))]
    }
    Binding(.text(" "), brief: "mark", help: "Mark the selected one, or remove its mark.") {
      frame throws(KeyProblem) in
      if frame.route.isTyping { return nil }
      guard let item = frame.selected else { return try frame.tellingNoSelection() }
      if frame.route.kind == .goals { return try frame.telling(.goalsCannotMerge) }
      let isFull = frame.route.marked.count >= ListsRoute.markedMax
      if isFull, !frame.route.marked.contains(item.id) {
        return try frame.telling(.tooManyMarks(Int64(ListsRoute.markedMax)))
      }
      return [.screen(.lists(.markToggled(item.id)))]
    }
    Binding(.text("a"), hint: "archive", help: "Archive the selected one, or take it back.") {
      frame throws(KeyProblem) in
      if frame.route.isTyping { return nil }
      guard let item = frame.selected else { return try frame.tellingNoSelection() }
      guard let command = frame.entities.archiving(item.id, !item.isArchived) else { return nil }
      let isGone = !item.isArchived && !frame.route.showsArchived
      return [.command(command)] + (isGone ? [frame.selecting(frame.neighbor)] : [])
    }
    Binding(
      .text("d"), .delete, hint: "delete",
      help: "Delete the selected one; you are asked first if entries have it."
    ) { frame throws(KeyProblem) in
      if frame.route.isTyping { return nil }
      guard let item = frame.selected else { return try frame.tellingNoSelection() }
      // To count the entries takes long, and a frame only asks whether the key does anything.
      guard frame.edge != nil else { return [] }
      let count = frame.entities.entries(of: item.id)
      guard count == 0 else {
        return [.screen(.lists(.asked(.delete(item.id, entries: Int64(count)))))]
      }
      return [.command(frame.entities.deleting(item.id)), frame.selecting(frame.neighbor)]
    }
  }

  private static let listKeys = KeyTable<ListsFrame>("Lists") {
    Binding(.text("n"), hint: "new", help: "Make a new one.") { frame in
      frame.route.isTyping ? nil : frame.making
    }
    Binding(.text("/"), hint: "search", help: "Search by words of the name.") { frame in
      frame.route.isTyping ? nil : [.screen(.lists(.searchFocused(true)))]
    }
    Binding(
      keys: [.up, .down, .text("k"), .text("j"), .pageUp, .pageDown, .home, .end],
      label: "up, down", areAvailableTogether: true, hint: "select",
      help: "Select one of the list (also k, j, page keys, home, end)."
    ) { frame, key throws(KeyProblem) in
      if frame.route.naming != nil { return nil }
      if frame.route.isTyping, case .text = key.code { return nil }
      guard let last = frame.items.found.indices.last else { return try frame.telling(.noneListed) }
      let row =
        switch key {
        case .home: 0
        case .end: last
        case .text("k"): ListStep(.up, rows: 1).row(from: frame.selectedRow, last: last)
        case .text("j"): ListStep(.down, rows: 1).row(from: frame.selectedRow, last: last)
        default: ListStep(key, rows: frame.rowsShown).row(from: frame.selectedRow, last: last)
        }
      return [frame.selecting(frame.items.found[row].id)]
    }
    Binding(.tab, .right, hint: "next list", brief: "next", help: "Show the next list.") { frame in
      if frame.route.naming != nil { return nil }
      return [.screen(.lists(.kindSelected(frame.route.kind.moved(by: 1))))]
    }
    Binding(.backtab, .left, brief: "previous", help: "Show the previous list.") { frame in
      if frame.route.naming != nil { return nil }
      return [.screen(.lists(.kindSelected(frame.route.kind.moved(by: -1))))]
    }
    Binding(.text("A"), brief: "archived", help: "Show or hide the archived ones.") { frame in
      guard !frame.route.isTyping else { return nil }
      return [.screen(.lists(.archivedShown(!frame.route.showsArchived)))]
    }
    Binding(.text("z"), brief: "undo", help: "Undo your newest change.") { frame in
      frame.route.isTyping ? nil : [.undo]
    }
    Binding(.text("Z"), brief: "redo", help: "Bring back what was undone last.") { frame in
      frame.route.isTyping ? nil : [.redo]
    }
    Binding(
      .escape, .text("q"), hint: "back",
      help: "Remove the marks, then the search; else go back to the timer (also q)."
    ) { frame in
      if frame.route.isTyping { return nil }
      if !frame.route.marked.isEmpty { return [.screen(.lists(.marksCleared))] }
      if !frame.route.search.text.isEmpty { return frame.clearingSearch }
      return [.scene(.popped(frame.id))]
    }
  }

  private var isInSearch: Bool { route.isSearching && route.naming == nil }

  /// Says why a key for the selected item does nothing.
  private func tellingNoSelection() throws(KeyProblem) -> [KeyStep] {
    try telling(items.found.isEmpty ? .noneListed : .noneSelected)
  }

  func selecting(_ id: Int64?) -> KeyStep { .screen(.lists(.selected(id))) }

  private var clearingSearch: [KeyStep] {
    route.search.text.isEmpty ? [] : [.screen(.lists(.searched(route.search.replacing(with: ""))))]
  }

  /// The steps that do what is asked; `nil` without a question.
  private var answering: [KeyStep]? {
    switch route.question {
    case nil: return nil
    case .delete(let id, entries: _):
      return [
        .screen(.lists(.asked(nil))), .command(entities.deleting(id)), selecting(neighbor),
      ]
    case .merge(into: let target):
      let commands = route.marked.compactMap { entities.merging($0, into: target) }
      return [.screen(.lists(.asked(nil)))] + commands.map { .command($0) }
        + [.screen(.lists(.marksCleared)), selecting(target)]
    }
  }

  /// Returns the steps that open an item for editing.
  func editing(_ item: ListItems.Item) -> [KeyStep] {
    let id = ProjectID(value: item.id)
    if route.kind == .projects, let project = domain.projects[id] {
      return [.scene(.pushed(.projectForm(ProjectFormRoute(route.user, id, project, in: domain))))]
    }
    let goal = route.kind == .goals ? domain.goals[GoalID(value: item.id)] : nil
    let text = goal.map { GoalText.text(of: $0, in: domain, items.longNames) } ?? item.name.text
    let naming = ListNaming(id: item.id, seen: Name(text), name: TextDraft(text))
    return [.screen(.lists(.namingSet(naming)))]
  }

  /// The steps that begin a new one.
  private var making: [KeyStep] {
    var text = ""
    switch route.kind {
    case .projects:
      return [.scene(.pushed(.projectForm(ProjectFormRoute(newFor: route.user, in: domain))))]
    case .tasks:
      // A new task is often one of the project of the selected one.
      let task = selected.flatMap { domain.tasks[TaskID(value: $0.id)] }
      let project = task.flatMap { domain.projects.resolve($0.project) }
      text = project.flatMap { domain.shownName(of: $0, items.longNames) }.map { "\($0)/" } ?? ""
    case .clients, .tags, .goals: break
    }
    return [.screen(.lists(.namingSet(ListNaming(name: TextDraft(text)))))]
  }
}
