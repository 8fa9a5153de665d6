import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// What the player reads: the timeline of a log, and the states at its records.
struct PlayerLog<App: ReplayableApp>: ~Copyable {
  let storage: LogStorage
  /// The time zone in which moments are shown and read.
  let zone: ZoneRules
  private(set) var timeline: Timeline
  /// The rows that a filter selects; `nil` without a filter.
  private(set) var selected: SelectedRows?
  private var replayer: Replayer<App>
  private var reader: RecordReader
  private let differ: StateDiffer<App.State>
  private let names: RecordNames<App.State>
  /// What was shown last, and the state whose screens were shown.
  private var known: (details: PlayerDetails, state: App.State, moment: Moment)?
  /// The zone in which the user saw the last shown screen, and its rules, if this system has them.
  private var seenZone: (id: String, rules: ZoneRules?)?

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - limit: The most changes of a record, and values in each.
  ///   - zone: The time zone in which moments are shown and read.
  init(_ storage: LogStorage, limit: Int, zone: ZoneRules) throws(StoreError) {
    let replayer = try Replayer<App>(storage)
    var differ = try StateDiffer(like: replayer.state, detail: .values, limit: limit)
    differ.moments = .local(zone)
    let names = try RecordNames(replayer.state)
    self.storage = storage
    self.zone = zone
    timeline = Timeline(storage, last: replayer.last, zone: zone)
    reader = RecordReader(storage)
    (self.differ, self.names) = (differ, names)
    self.replayer = replayer
  }

  var last: UInt64 { timeline.last }

  /// Takes the records into account that were recorded since.
  ///
  /// - Throws: The errors of `Replayer.extend`.
  mutating func extend() throws(StoreError) {
    try replayer.extend()
    timeline.extend(to: replayer.last)
    known = nil
  }

  /// Shows only the rows that a filter selects; all rows without one.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - start: The record at which the search begins.
  ///   - lowest: A record before which the filter selects none.
  mutating func select(
    _ filter: RecordFilter?, from start: UInt64, notBefore lowest: UInt64 = 1
  ) {
    selected = filter.map { SelectedRows($0, from: max(1, min(start, last)), notBefore: lowest) }
  }

  // MARK: - Rows

  /// Returns the row with a record, whatever is selected.
  mutating func row(at sequence: UInt64) -> TimelineRow? { timeline.row(at: sequence) }

  /// Returns the row some rows after the row of a record, or the nearest one, among the selected
  /// rows.
  ///
  /// The result is `nil` if there are no rows.
  ///
  /// - Complexity: O(distance) rows without a filter.
  mutating func row(from sequence: UInt64, by distance: Int) -> TimelineRow? {
    if let selected {
      guard selected.count > 0 else { return nil }
      let index = selected.count(through: sequence) - 1 + distance
      return timeline.row(at: selected[min(max(index, 0), selected.count - 1)])
    }
    guard var row = timeline.row(at: min(max(sequence, 1), max(last, 1))) else { return nil }
    for _ in 0..<abs(distance) {
      guard let next = distance < 0 ? timeline.row(before: row) : timeline.row(after: row) else {
        break
      }
      row = next
    }
    return row
  }

  /// Returns the selected rows from the row of a record on.
  mutating func rows(from sequence: UInt64, count: Int) -> [TimelineRow] {
    var rows: [TimelineRow] = []
    if let selected {
      let start = max(0, selected.count(through: sequence) - 1)
      for index in start..<max(start, min(selected.count, start + count)) {
        if let row = timeline.row(at: selected[index]) { rows.append(row) }
      }
      return rows
    }
    var next = timeline.row(at: min(max(sequence, 1), max(last, 1)))
    while let row = next, rows.count < count {
      rows.append(row)
      next = timeline.row(after: row)
    }
    return rows
  }

  /// Returns what a row says, with names in place of ids.
  func summary(of row: TimelineRow) -> RecordSummary { names.summary(of: row, in: zone) }

  /// Looks at more rows for the filter, until a moment or the end.
  mutating func search(until deadline: Int64, now: () -> Int64) {
    // Taken out, so that what was found is not copied.
    guard var selected = self.selected.take() else { return }
    while !selected.isComplete(in: timeline) {
      selected.search(in: &timeline)
      if now() >= deadline { break }
    }
    self.selected = selected
  }

  /// Returns the record at which a batch ends, after a record or before it.
  mutating func batchEnd(_ sequence: UInt64, isForward: Bool) throws(StoreError) -> UInt64 {
    if isForward {
      return try sequence < last ? replayer.batchEnd(atOrAfter: sequence + 1) : sequence
    }
    return try sequence > 1 ? max(1, replayer.batchEnd(atOrBefore: sequence - 1)) : sequence
  }
}

extension PlayerLog {
  /// Returns what is shown for a record.
  ///
  /// The difference of the last record of a row is the difference of the whole row.
  ///
  /// - Complexity: As `Replayer.seek`, unless it was shown last.
  mutating func details(at sequence: UInt64) -> PlayerDetails {
    if let known, known.details.sequence == sequence { return known.details }
    var details = PlayerDetails(sequence: sequence)
    guard var row = timeline.row(at: sequence) else { return details }
    if sequence != row.last { row = timeline.single(sequence) ?? row }
    var difference: StateDifference?
    do throws(StoreError) {
      try replayer.seek(to: row.first - 1)
      let before = replayer.state
      try replayer.seek(to: sequence)
      let differ = differ
      difference = try replayer.read { after throws(StoreError) in
        try differ.difference(from: before, to: copy after)
      }
      names.use(replayer.state, at: sequence)
      details.moment = try replayer.moment()
      details.batchEnd = try replayer.batchEnd(atOrBefore: sequence)
      try replayer.seek(to: details.batchEnd)
      details.scenes = App.scenes(in: replayer.state).map(\.value)
    } catch {
      details.problem = "\(error.what) \(error.why)"
    }
    let user = row.record.flatMap { try? reader.user(of: $0.envelope.session) }
    details.add(row, text: summary(of: row).text, user: user ?? "")
    if let difference { details.add(difference, names) }
    let moment = try? replayer.moment()
    known =
      details.problem == nil ? (details, replayer.state, moment ?? Moment(microseconds: 0)) : nil
    return details
  }

  /// Whether this system lacks the zone in which the user saw the last shown screen.
  var lacksZone: Bool { seenZone.map { $0.rules == nil } ?? false }

  /// Returns the screen of a scene for the record that was shown last, in the size in which the
  /// user saw it, if it has room; `nil` if there is no such scene.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - room: The size of the pane.
  ///   - time: The moment at which the screen is drawn; `nil` for the one of the record.
  mutating func screen(of scene: Int64, fitting room: Screen.Size, at time: Moment?) -> Screen? {
    guard let known, known.details.scenes.contains(scene) else { return nil }
    let id = SceneID(value: scene)
    let seen = App.seen(of: id, in: known.state)
    if let seen, seen.zone != seenZone?.id {
      seenZone = (seen.zone, seen.rules(in: storage))
    }
    let fits = seen.map { $0.size.columns <= room.columns && $0.size.rows <= room.rows } ?? false
    return App.screen(
      of: id, in: known.state, at: time ?? known.moment,
      size: fits ? seen?.size ?? room : room, zone: seen == nil ? nil : seenZone?.rules)
  }
}
