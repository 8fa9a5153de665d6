import Retrace
import TimeTracking

extension SceneFrame {
  /// Returns the change after steps that begin an entry: on the timer, nothing is selected.
  ///
  /// So `e` on the timer edits the entry that has begun.
  func deselection(after steps: [KeyStep]) -> [TimeTracker.Intent] {
    guard steps.contains(where: { $0.beginsEntry }) else { return [] }
    return scene.stack.entries.compactMap { entry in
      guard case .timer(let timer) = entry.route, timer.selection != nil || timer.group != nil
      else { return nil }
      let change = TimerAction.selected(nil, top: timer.top)
      return .scene(.scene(id, .screen(entry.id, .timer(change))))
    }
  }
}

extension KeyStep {
  /// Whether it is a command that begins a new entry.
  fileprivate var beginsEntry: Bool {
    guard case .command(.entry(let command)) = self else { return false }
    return switch command {
    case .start, .add, .resume: true
    case .correct, .stop, .delete, .split, .join, .several: false
    }
  }
}
