import Retrace
import TimeTracking

extension SceneFrame {
  /// Returns the change of the selection of the timer after steps that begin an entry, or that save
  /// a group.
  ///
  /// Where an entry has begun, nothing is selected, so `e` edits that entry. A saved group has
  /// another key, so one of its entries is selected, and `e` edits the group again.
  func selection(after steps: [KeyStep]) -> [TimeTracker.Intent] {
    guard steps.contains(where: { $0.beginsEntry }) else {
      return selection(afterSaving: steps) + selection(afterMaking: steps)
    }
    return scene.stack.entries.compactMap { entry in
      guard case .timer(let timer) = entry.route, timer.selection != nil || timer.group != nil
      else { return nil }
      let change = TimerAction.selected(nil, top: timer.top)
      return .scene(.scene(id, .screen(entry.id, .timer(change))))
    }
  }

  /// Returns the selection of what a list or its form makes, so that the next key edits it.
  ///
  /// If another process makes one first, that one is selected.
  private func selection(afterMaking steps: [KeyStep]) -> [TimeTracker.Intent] {
    guard let made = steps.lazy.compactMap({ $0.made(in: domain) }).last else { return [] }
    return scene.stack.entries.compactMap { entry in
      guard case .lists(let list) = entry.route, list.kind == made.kind else { return nil }
      return .scene(.scene(id, .screen(entry.id, .lists(.selected(made.id)))))
    }
  }

  private func selection(afterSaving steps: [KeyStep]) -> [TimeTracker.Intent] {
    let entries = scene.stack.entries
    guard steps.contains(where: { $0.isCommand }), case .entryEditor(let form) = scene.stack.top,
      let edited = form.entry, let below = entries.dropLast().last,
      case .timer(let timer) = below.route, timer.group != nil
    else { return [] }
    let change = TimerAction.selected(edited, top: timer.top)
    return [.scene(.scene(id, .screen(below.id, .timer(change))))]
  }
}

extension KeyStep {
  /// Whether it is a command.
  var isCommand: Bool { if case .command = self { true } else { false } }

  /// Returns the list of what a command makes, and the number of its id; `nil` for other steps.
  fileprivate func made(in domain: DomainState) -> (kind: ListKind, id: Int64)? {
    guard case .command(let command) = self else { return nil }
    switch command {
    case .project(.create): return (.projects, domain.projects.nextID.value)
    case .client(.create): return (.clients, domain.clients.nextID.value)
    case .tag(.create): return (.tags, domain.tags.nextID.value)
    case .task(.create): return (.tasks, domain.tasks.nextID.value)
    case .goal(.create): return (.goals, domain.goals.nextID.value)
    default: return nil
    }
  }

  /// Whether it is a command that begins a new entry.
  fileprivate var beginsEntry: Bool {
    guard case .command(.entry(let command)) = self else { return false }
    return switch command {
    case .start, .add, .resume: true
    case .correct, .stop, .delete, .split, .join, .several: false
    }
  }
}
