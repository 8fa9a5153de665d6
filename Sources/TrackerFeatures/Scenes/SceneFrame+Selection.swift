import Retrace
import TimeTracking

extension SceneFrame {
  /// Returns the change of the selection of the timer after steps that begin an entry, or that save
  /// a group.
  ///
  /// Where an entry has begun, nothing is selected, so `e` edits that entry. A saved group has
  /// another key, so one of its entries is selected, and `e` edits the group again.
  func selection(after steps: [KeyStep]) -> [TimeTracker.Intent] {
    guard steps.contains(where: { $0.beginsEntry }) else { return selection(afterSaving: steps) }
    return scene.stack.entries.compactMap { entry in
      guard case .timer(let timer) = entry.route, timer.selection != nil || timer.group != nil
      else { return nil }
      let change = TimerAction.selected(nil, top: timer.top)
      return .scene(.scene(id, .screen(entry.id, .timer(change))))
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

  /// Whether it is a command that begins a new entry.
  fileprivate var beginsEntry: Bool {
    guard case .command(.entry(let command)) = self else { return false }
    return switch command {
    case .start, .add, .resume: true
    case .correct, .stop, .delete, .split, .join, .several: false
    }
  }
}
