import Retrace
import RetraceStorage
import RetraceSystem
import RetraceToolSupport

extension Player {
  mutating func submit(on frame: PlayerFrame) {
    guard let prompt = state.prompt else { return }
    let text = state.draft.text
    // A time of day is on the day that is shown.
    var typed = ExpressionContext(
      zone: log.zone, now: Moment(microseconds: WallClock.now()), firstWeekday: 1)
    if let day = log.row(at: state.selected)?.local?.date { typed = typed.on(day) }
    switch prompt {
    case .search:
      state.prompt = nil
      if !text.utf8.isEmpty { state.matches.search = TextSearch(text) }
      find(isForward: true)
    case .filter:
      do throws(ToolFailure) {
        let filter = try text.utf8.isEmpty ? nil : RecordFilter(text, in: log.storage, at: typed)
        log.select(filter, from: state.selected)
        (state.filter, state.prompt) = (text, nil)
        state.matches.restart()
      } catch {
        // The words of the option, without its name.
        state.tell(error.why.replacing("--filter: ", with: ""), isProblem: true)
      }
    case .jump:
      do throws(ToolFailure) {
        let found = try target(of: text, in: typed)
        state.prompt = nil
        if state.rail != nil, let row = log.row(at: found.record), !isShown(row) {
          showSession(false)
        }
        if let row = log.row(from: found.record, by: 0) {
          select(row.contains(found.record) ? found.record : row.last)
          // A filter may lead to another record.
          state.time = state.selected == found.record ? found.time : nil
        }
        let row = log.row(at: found.record)
        if let selected = log.selected, row?.record.map(selected.filter.accepts) != true {
          state.tell("The filter leaves record \(found.record) out; escape shows all records.")
        }
      } catch {
        state.tell(error.why, isProblem: true)
      }
    }
  }

  /// Returns the record that a number or a time leads to, and the time.
  private mutating func target(
    of text: String, in context: ExpressionContext
  ) throws(ToolFailure) -> (record: UInt64, time: Moment?) {
    let end: HistoryEnd
    do throws(ToolFailure) {
      end = try HistoryEnd(text, option: "Go to", first: 0, in: context)
    } catch {
      throw .usage("\(error.why) The number of a record leads there, too.", advice: error.advice)
    }
    if case .sequence(let sequence) = end, sequence > log.last {
      throw .noRecord(sequence, last: log.last, option: "")
    }
    let storage = log.storage
    let past = try orFail(
      try storage.withReadView { view throws(StoreError) in try end.past(in: view) })
    if let note = past.note { state.tell(note) }
    if past.last == 0, log.last > 0 {
      state.tell("Nothing was recorded until then. This is the first record.")
    }
    var time: Moment?
    if case .moment(let moment) = end, past.last > 0 { time = moment }
    return (max(1, min(past.last, log.last)), time)
  }

  mutating func find(isForward: Bool) {
    guard state.matches.search != nil else {
      return state.tell("Nothing was searched for yet: press /.", isProblem: true)
    }
    guard let row = log.row(at: state.selected) else { return }
    state.search = PlayerState.Search(
      goal: .text, isForward: isForward, next: isForward ? row.last + 1 : row.first - 1,
      left: log.last)
  }

  /// Looks at the next row for the text.
  mutating func goOnWithSearch() {
    if let search = state.search, search.goal == .change { return goOnToChange(search) }
    guard var search = state.search, let text = state.matches.search else {
      return state.search = nil
    }
    if search.next < 1 || search.next > log.last { search.next = search.isForward ? 1 : log.last }
    guard search.left > 0, let row = log.row(at: search.next) else {
      state.search = nil
      return state.tell("No row has the text \(text.text).", isProblem: true)
    }
    search.next = search.isForward ? row.last + 1 : row.first - 1
    search.left -= min(search.left, row.last - row.first + 1)
    state.search = search
    guard matches(row, text) else { return }
    let isBehind = search.isForward ? row.first <= state.selected : row.last >= state.selected
    state.search = nil
    if isBehind {
      state.tell("The search went on at the \(search.isForward ? "first" : "last") record.")
    }
    select(row.last)
  }

  /// Counts the next row, if it has the text.
  mutating func goOnWithCounting() {
    guard let text = state.matches.search, let row = log.row(at: state.matches.next) else {
      // No row is left.
      return state.matches.next = .max
    }
    state.matches.next = row.last + 1
    if matches(row, text), state.matches.rows.last != row.first {
      state.matches.rows.append(row.first)
    }
  }

  /// Returns whether a row is shown and has a text.
  private mutating func matches(_ row: TimelineRow, _ text: TextSearch) -> Bool {
    isShown(row) && text.occurs(in: log.summary(of: row).text)
  }

  /// Returns whether the filter selects a row.
  func isShown(_ row: TimelineRow) -> Bool {
    log.selected.map { row.record.map($0.filter.accepts) ?? false } ?? true
  }
}
