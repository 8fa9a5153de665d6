package import Retrace
package import RetraceStorage
import RetraceSystem
import RetraceToolSupport

/// The player of a log: of `step`, or in the rail of an app.
///
/// It never writes. Every input is carried out on the frame that the user saw.
package struct Player<App: ReplayableApp>: ~Copyable {
  package var state: PlayerState
  var log: PlayerLog<App>

  /// Opens a log at a record; by default the last one.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - sequence: The record; the nearest one counts.
  ///   - limit: The most changes of a record, and values in each.
  ///   - zone: The time zone in which moments are shown and read.
  ///   - follows: Whether ``follow()`` is called after each commit.
  ///   - rail: What the player shows within an app; `nil` for a program of its own.
  /// - Throws: The errors of creating a `Replayer`.
  package init(
    _ storage: LogStorage, at sequence: UInt64? = nil, limit: Int = 100,
    zone: ZoneRules = LocalZone.shown, follows: Bool = false, rail: PlayerState.Rail? = nil
  ) throws(StoreError) {
    let log = try PlayerLog<App>(storage, limit: limit, zone: zone)
    let last = log.last
    state = PlayerState(selected: min(max(sequence ?? last, 1), last))
    state.follows = follows
    self.log = log
    guard let rail else { return }
    state.rail = rail
    state.rows = SplitState(weights: [2, 1])
    showSession(true)
  }

  /// The sequence of the last record.
  package var last: UInt64 { log.last }

  /// Whether a search, a filter or the counting of what was searched for goes on without a key.
  package var isWorking: Bool {
    state.search != nil || log.selected.map { !$0.isComplete(in: log.timeline) } ?? false
      || !state.matches.isComplete(through: log.last)
  }

  /// Returns the frame for a size.
  ///
  /// - Complexity: O(visible rows), and as `PlayerLog.details`.
  package mutating func frame(size: Screen.Size) -> PlayerFrame {
    let layout = PlayerLayout(state, size: size)
    let rows = visibleRows(layout.rowCount)
    let details = log.details(at: state.selected)
    var screen: Screen?
    let scene = state.rail == nil ? details.scene(state.scene) : railScene(in: details)
    if let scene, !layout.picture.isEmpty {
      screen = log.screen(
        of: scene,
        fitting: Screen.Size(columns: layout.picture.columns, rows: layout.picture.rows),
        at: state.time)
    }
    var selection: String?
    if let selected = log.selected {
      let share = selected.isComplete(in: log.timeline) ? "" : " so far"
      selection = "\(selected.count) row\(selected.count == 1 ? "" : "s")\(share)"
    }
    let matching = matchedPlace()
    return PlayerFrame(
      app: App.name, state: state, size: size, layout: layout, last: log.last,
      rows: rows.map { PlayerFrame.Row($0, log.summary(of: $0)) }, details: details,
      scene: scene, screen: screen, time: state.time.map { log.zone.local(at: $0) },
      local: details.moment.map { log.zone.local(at: $0) },
      selection: selection, matching: matching, isAtEnd: isAtEnd,
      lacksZone: screen != nil && log.lacksZone)
  }

  /// Which of the rows with the searched text is selected; `nil` without a text.
  private mutating func matchedPlace() -> String? {
    guard state.matches.search != nil else { return nil }
    let rows = state.matches.rows
    let count = "\(rows.count)\(state.matches.isComplete(through: log.last) ? "" : "+")"
    guard let row = log.row(at: state.selected) else { return count }
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row.first { low = middle + 1 } else { high = middle }
    }
    guard low < rows.count, rows[low] == row.first else {
      return "\(count) row\(rows.count == 1 ? "" : "s")"
    }
    return "\(low + 1) of \(count)"
  }

  /// Carries inputs out, each on the frame after the one before.
  ///
  /// - Parameters:
  ///   - input: What the user did.
  ///   - frame: The frame that the user saw.
  /// - Returns: Whether the input leaves the player.
  package mutating func take(_ input: Input, on frame: PlayerFrame) -> Bool {
    state.notice = nil
    switch frame.action(for: input) {
    case .success(.left)?: return true
    case .success(let action)?: perform(action, on: frame)
    case .failure(let problem)?: state.tell("\(problem)", isProblem: true)
    case nil:
      guard case .key(let key) = input else { break }
      let name = if case .paste = key.code { "A pasted text" } else { key.label }
      state.tell("\(name) does nothing here. \(frame.advice)", isProblem: true)
    }
    return false
  }

  /// Goes on with a search for some milliseconds.
  package mutating func work(milliseconds: Int = 30) {
    let deadline = MonotonicClock.deadline(inMilliseconds: milliseconds)
    log.search(until: deadline, now: MonotonicClock.nanoseconds)
    if state.followsRows { selectEnd() }
    // The first row that the filter finds takes the place of one that it leaves out.
    if log.selected != nil, let row = log.row(from: state.selected, by: 0),
      !row.contains(state.selected)
    {
      select(row.last)
    }
    while state.search != nil {
      goOnWithSearch()
      if MonotonicClock.nanoseconds() >= deadline { return }
    }
    while !state.matches.isComplete(through: log.last) {
      goOnWithCounting()
      if MonotonicClock.nanoseconds() >= deadline { return }
    }
  }

  /// Shows what was recorded since, and stays at the last row if it is selected.
  package mutating func follow() {
    let wasAtEnd = isAtEnd
    do throws(StoreError) {
      try log.extend()
    } catch {
      return state.tell("\(error.what) \(error.why)", isProblem: true)
    }
    // A filter finds new rows later.
    state.followsRows = log.selected != nil && (wasAtEnd || state.followsRows)
    if wasAtEnd { selectEnd() }
  }

  /// Whether the last record of the last row is selected.
  private var isAtEnd: Bool {
    mutating get {
      if let selected = log.selected, selected.next <= log.last { return false }
      return log.row(from: .max, by: 0)?.last == state.selected
    }
  }

  private mutating func selectEnd() {
    if let row = log.row(from: .max, by: 0) { select(row.last) }
  }

  private mutating func perform(_ action: PlayerAction, on frame: PlayerFrame) {
    // A search does not take the user away from where another key led.
    if action != .escaped { state.search = nil }
    state.followsRows = false
    switch action {
    case .rowsMoved(let count): moveRows(by: count, on: frame)
    case .pagesMoved(let count): moveRows(by: count * max(1, frame.rows.count - 1), on: frame)
    case .recordMoved(let isForward): moveRecord(isForward: isForward, on: frame)
    case .batchMoved(let isForward): moveBatch(isForward: isForward)
    case .changeMoved(let isForward): findChange(isForward: isForward)
    case .widened: showSession(state.filter.isEmpty)
    case .firstSelected: if let row = log.row(from: 1, by: 0) { select(row.last) }
    case .lastSelected: selectEnd()
    case .rowClicked(let sequence):
      state.focus = .timeline
      select(sequence)
    case .rowsScrolled(let count): scrollRows(by: count, on: frame)
    case .sceneChanged:
      let scenes = frame.details.scenes
      guard let index = frame.scene.flatMap({ scenes.firstIndex(of: $0) }) else { return }
      state.scene = scenes[(index + 1) % scenes.count]
    case .submitted: submit(on: frame)
    case .escaped where state.prompt == nil && state.search == nil:
      if state.matches.search != nil { return state.matches.search = nil }
      state.filter = ""
      log.select(nil, from: state.selected)
      state.matches.restart()
    case .found(let isForward): find(isForward: isForward)
    case .copied:
      state.copied = frame.focusedText
      if state.copied == nil { state.tell("There is nothing to copy.", isProblem: true) }
    default: state.perform(action, on: frame)
    }
  }
}
