import Retrace
import RetraceStorage
import RetraceToolSupport

extension Player {
  /// Shows the records of the session alone, or all records.
  mutating func showSession(_ isAlone: Bool) {
    guard isAlone, let session = state.rail?.session, let text = state.rail?.sessionFilter,
      let filter = try? RecordFilter(text, in: log.storage)
    else {
      state.filter = ""
      log.select(nil, from: state.selected)
      return state.matches.restart()
    }
    state.filter = text
    log.select(filter, from: state.selected, notBefore: session)
    state.matches.restart()
  }

  /// Returns the scene of the app if it was open.
  func railScene(in details: PlayerDetails) -> Int64? {
    state.rail.flatMap { details.scenes.contains($0.scene) ? $0.scene : nil }
  }

  /// Begins the search for the next change by a command, or the one before.
  mutating func findChange(isForward: Bool) {
    let selected = state.selected
    var start = selected
    if !isForward {
      // The change before is that of an earlier batch.
      guard let end = try? log.batchEnd(selected, isForward: false) else { return }
      start = end < selected ? end : 0
    }
    state.search = PlayerState.Search(
      goal: .change, isForward: isForward, next: isForward ? selected + 1 : start,
      left: isForward ? log.last - min(log.last, selected) : start)
  }

  /// Looks at the next row for a change.
  mutating func goOnToChange(_ search: PlayerState.Search) {
    guard search.left > 0, let row = log.row(at: search.next) else {
      state.search = nil
      return state.tell("There is no \(search.isForward ? "later" : "earlier") change.")
    }
    var next = search
    next.next = search.isForward ? row.last + 1 : row.first - 1
    next.left -= min(search.left, row.last - row.first + 1)
    state.search = next
    guard row.record?.envelope.kind == .command, isShown(row),
      log.summary(of: row).mark != .failed
    else { return }
    state.search = nil
    // The screen is shown after the last record of a batch.
    select((try? log.batchEnd(row.last, isForward: true)) ?? row.last)
  }
}
