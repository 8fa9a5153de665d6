import Retrace
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

extension Player {
  mutating func submit(on frame: PlayerFrame) {
    guard let prompt = state.prompt else { return }
    let text = state.draft.text
    switch prompt {
    case .search:
      state.prompt = nil
      if !text.utf8.isEmpty { state.pattern = text }
      find(isForward: true)
    case .filter:
      do throws(ToolFailure) {
        let filter = try text.utf8.isEmpty ? nil : RecordFilter(text, in: log.storage)
        log.select(filter, from: state.selected)
        (state.filter, state.prompt) = (text, nil)
      } catch {
        // The words of the option, without its name.
        state.tell(error.why.replacing("--filter: ", with: ""), isProblem: true)
      }
    case .jump:
      do throws(ToolFailure) {
        let target = try target(of: text)
        state.prompt = nil
        if let row = log.row(from: target, by: 0) {
          select(row.contains(target) ? target : row.last)
        }
      } catch {
        state.tell(error.why, isProblem: true)
      }
    }
  }

  /// Returns the record that a number or an instant leads to.
  private mutating func target(of text: String) throws(ToolFailure) -> UInt64 {
    let end = try HistoryEnd(text, option: "It", first: 0)
    if case .sequence(let sequence) = end, sequence > log.last {
      throw .noRecord(sequence, last: log.last, option: "")
    }
    let storage = log.storage
    let past = try orFail(
      try storage.withReadView { view throws(StoreError) in try end.past(in: view) })
    if let note = past.note { state.tell(note) }
    return max(1, min(past.last, log.last))
  }

  mutating func find(isForward: Bool) {
    guard !state.pattern.utf8.isEmpty else {
      return state.tell("Nothing was searched for yet: press /.", isProblem: true)
    }
    guard let row = log.row(at: state.selected) else { return }
    state.search = PlayerState.Search(
      isForward: isForward, next: isForward ? row.last + 1 : row.first - 1, left: log.last)
  }

  /// Looks at the next row for the text.
  mutating func goOnWithSearch() {
    guard var search = state.search else { return }
    if search.next < 1 || search.next > log.last { search.next = search.isForward ? 1 : log.last }
    guard search.left > 0, let row = log.row(at: search.next) else {
      state.search = nil
      return state.tell("No row has the text \(state.pattern).", isProblem: true)
    }
    search.next = search.isForward ? row.last + 1 : row.first - 1
    search.left -= min(search.left, row.last - row.first + 1)
    state.search = search
    let isShown = log.selected.map { row.record.map($0.filter.accepts) ?? false } ?? true
    guard isShown, log.summary(of: row).text.containsIgnoringCase(state.pattern) else { return }
    let isBehind = search.isForward ? row.first <= state.selected : row.last >= state.selected
    state.search = nil
    if isBehind {
      state.tell("The search went on at the \(search.isForward ? "first" : "last") record.")
    }
    select(row.last)
  }
}

extension String {
  /// Returns whether the text has another one, whatever the case of ASCII letters.
  ///
  /// - Complexity: O(bytes of both, multiplied).
  fileprivate func containsIgnoringCase(_ part: String) -> Bool {
    func lowered(_ text: String) -> [UInt8] {
      text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
    let (bytes, part) = (lowered(self), lowered(part))
    guard bytes.count >= part.count else { return false }
    return (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
  }
}
