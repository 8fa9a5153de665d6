import Retrace
import RetraceRecording
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The reader of the pages of the log that the history shows.
///
/// It walks from the newest change back, because what is undone and what things were called follows
/// from the later changes. It remembers the walk in steps, and the next page goes on from there.
/// A change of an entity begins the walk anew.
final class HistoryReader: Sendable {
  /// The most changes that are visited for a page.
  private static var visitsMax: Int { 20_000 }
  /// The changes between two steps that are remembered.
  private static var step: Int { 64 }

  /// A log up to a record.
  struct Log {
    var storage: LogStorage
    /// The last record.
    var last: UInt64
    /// The user whose changes can be taken back.
    var login: String
    /// The present.
    var now: Moment
  }

  private let walk = Lock<HistoryWalk?>(nil)
  private let last = Lock<Last?>(nil)
  private let planned = Lock<Planned?>(nil)

  private struct Last: Sendable {
    var query: HistoryQuery
    var facts: Int64
    var zone: ZoneRules
    var page: HistoryPage
  }

  /// What the undo or redo of a question would do.
  private struct Planned: Sendable {
    var question: HistoryQuestion
    var facts: Int64
    var zone: ZoneRules
    var lines: [HistoryPage.Line]
  }

  /// Returns a page.
  ///
  /// - Parameters:
  ///   - query: The page.
  ///   - state: The state after the last record.
  ///   - rules: The rules of the zone in which times are shown.
  ///   - log: The log.
  /// - Complexity: As ``changes(_:in:_:of:)``, and as `LogStorage.tryRestore` for a new question.
  /// - Throws: The errors of reading the log.
  func page(
    _ query: HistoryQuery, in state: TrackerState, _ rules: ZoneRules, of log: Log
  ) throws(StoreError) -> HistoryPage {
    var changes = query
    changes.question = nil
    var page = try self.changes(changes, in: state, rules, of: log)
    if let question = query.question {
      page.plan = try plan(of: question, in: state, rules, of: log)
    }
    return page
  }

  /// Returns what the undo or redo of a question would do, in the words of `track history` and of
  /// the verbs that take changes back.
  private func plan(
    of question: HistoryQuestion, in state: TrackerState, _ rules: ZoneRules,
    of log: Log
  ) throws(StoreError) -> [HistoryPage.Line] {
    let facts = TimeTracker.editCount(in: state)
    if let planned = planned.withLock({ $0 }), planned.question == question,
      planned.facts == facts, planned.zone == rules
    {
      return planned.lines
    }
    var lines: [HistoryPage.Line] = []
    do throws(CommandError<TimeTracker>) {
      let tried = try log.storage.tryRestore(
        of: UInt64(clamping: question.change), by: log.login, isRedo: question.isRedo,
        taking: false, through: log.last, on: state, at: log.now)
      if let changes = tried.changes {
        lines = HistoryPage.lines(on: changes, isRedo: question.isRedo, rules)
      }
    } catch {
      guard case .refused(let refusal, _) = error else {
        if case .store(let failure) = error { throw failure }
        return []
      }
      let text = refusal.text(in: state.domain, zone: rules)
      lines = [HistoryPage.Line("It would be refused: \(text.reason)", isWarning: true)]
    }
    let kept = Planned(question: question, facts: facts, zone: rules, lines: lines)
    planned.withLock { $0 = kept }
    return lines
  }

  /// Returns the changes of a page.
  ///
  /// - Complexity: O(1) for the page of the frame before. Else O(bytes of the records from the
  ///   nearest remembered step to the end of the page); the first time, and after each change, from
  ///   the end of the log. After 20,000 changes it returns what it has found, and goes on with the
  ///   next frame.
  /// - Throws: The errors of reading the log.
  private func changes(
    _ query: HistoryQuery, in state: TrackerState, _ rules: ZoneRules, of log: Log
  ) throws(StoreError) -> HistoryPage {
    let facts = TimeTracker.editCount(in: state)
    if let last = last.withLock({ $0 }), last.query == query, last.facts == facts,
      last.zone == rules
    {
      return last.page
    }
    let domain = state.domain
    let page = try log.storage.withReadView { view throws(StoreError) in
      let plan = try view.plan(for: TimeTracker.self)
      var walk = self.walk.withLock { $0 }
      if walk?.facts != facts || walk?.entity != query.entity || walk?.rules != rules {
        walk = nil
      }
      var current =
        walk
        ?? HistoryWalk(
          facts: facts, entity: query.entity, rules, from: ChangeReader(plan, withClocks: true),
          domain,
          through: min(view.head.sequence, log.last))
      let page = try current.page(
        query, login: log.login, visits: Self.visitsMax, step: Self.step, in: view)
      let kept = current
      self.walk.withLock { $0 = kept }
      return page
    }
    // The next frame goes on with a page that is not full.
    guard page.changes.count == query.count || page.rest == nil else { return page }
    last.withLock { $0 = Last(query: query, facts: facts, zone: rules, page: page) }
    return page
  }
}

/// A walk through the changes of a log, newest first.
private struct HistoryWalk: Sendable {
  /// A place of the walk.
  private struct Place: Sendable {
    var reader: ChangeReader
    /// The state right after the next change.
    var past: DomainState
    /// The last record that was not read.
    var through: UInt64
    /// The number of listed changes that were read.
    var count = 0
  }

  /// The number of undoable facts in the state from which the walk began.
  let facts: Int64
  let entity: RestoredEntity?
  let rules: ZoneRules
  private var places: [Place]
  /// The sequences of the listed changes that were read.
  private var sequences: [Int64] = []
  /// The page that is not full yet, with the place from which the next frame goes on.
  private var partial: Partial?

  private struct Partial: Sendable {
    var query: HistoryQuery
    var page: HistoryPage
    var place: Place
    /// The number of listed changes before the page, if its first one was found.
    var first: Int?
  }

  init(
    facts: Int64, entity: RestoredEntity?, _ rules: ZoneRules, from reader: ChangeReader,
    _ domain: DomainState,
    through last: UInt64
  ) {
    (self.facts, self.entity, self.rules) = (facts, entity, rules)
    places = [Place(reader: reader, past: domain, through: last)]
  }

  mutating func page(
    _ query: HistoryQuery, login: String, visits: Int, step: Int, in view: borrowing ReadView
  ) throws(StoreError) -> HistoryPage {
    // The first listed change of the page, if it was read before.
    let known = query.top.map { top in sequences.firstIndex { $0 <= top } } ?? 0
    let start = known ?? sequences.count
    var place = places.last { $0.count <= start } ?? places[0]
    var (page, wanted) = (HistoryPage(), known)
    if let partial, partial.query == query {
      (page, place, wanted) = (partial.page, partial.place, partial.first)
    }
    (partial, page.rest) = (nil, nil)
    var visited = 0
    var names = ChangeNames(place.past)
    var current = place
    try place.reader.forEachChange(in: view, through: place.through) { (change, reader) in
      visited += 1
      let isListed =
        entity.map { entity in
          change.edits.contains { RestoredEntity($0) == entity }
        } ?? true
      let sequence = Int64(clamping: change.sequence)
      if isListed {
        if wanted == nil, query.top.map({ sequence <= $0 }) ?? true { wanted = current.count }
        let isOnPage = wanted.map { current.count >= $0 } ?? false
        if page.changes.count == query.count {
          page.rest = sequence
          return false
        }
        if isOnPage {
          let text = RecordedChangeText(change, in: current.past, rules, &names)
          page.changes.append(HistoryChange(text, login: login))
        }
        if current.count == sequences.count { sequences.append(sequence) }
        current.count += 1
      }
      for edit in change.edits.reversed() { edit.inverted.apply(to: &current.past) }
      if change.edits.contains(where: ChangeNames.areChanged) {
        names = ChangeNames(current.past)
      }
      let isEnd = visited >= visits && page.changes.count < query.count
      if isEnd || current.count >= (places.last?.count ?? 0) + step {
        (current.reader, current.through) = (reader, change.sequence - 1)
        places.append(current)
      }
      if isEnd {
        page.rest = sequence - 1
        partial = Partial(query: query, page: page, place: current, first: wanted)
      }
      return !isEnd
    }
    if let first = wanted { page.newer = Array(sequences.prefix(first).suffix(256).reversed()) }
    return page
  }
}

extension HistoryPage {
  /// Returns the lines about an undo or a redo that is not done yet.
  fileprivate static func lines(
    on changes: EntryChanges, isRedo: Bool, _ rules: ZoneRules
  ) -> [Line] {
    let remarks = RestoreRemarks(changes, isRedo: isRedo, isTaking: false)
    let reopened = remarks.reopened(by: rules).map { period in
      Line("It opens a closed period again: \(period).", isWarning: true)
    }
    var lines = reopened + remarks.notes.map { Line("\($0).", isWarning: true) }
    if changes.isVoid { lines.append(Line("Nothing else would change.", isWarning: true)) }
    var names = ChangeNames(changes.state)
    let change = RecordedChange(
      sequence: 0, moment: Moment(microseconds: 0), login: "", origin: .undo,
      edits: changes.edits, isRedo: isRedo, isTakenBack: false, isTakenBackInPart: false)
    let rows =
      changes.edits.isEmpty ? [] : RecordedChangeText(change, in: changes.state, rules, &names).rows
    return lines + rows.map { Line("\($0.verb) \($0.text)", isWarning: false) }
  }
}

extension HistoryChange {
  /// Creates the change with the texts that `track history` prints.
  fileprivate init(_ text: RecordedChangeText, login: String) {
    let change = text.change
    self.init(sequence: Int64(clamping: change.sequence), local: text.local)
    restores = change.restores.map { Int64(clamping: $0) }
    isUndone = change.isTakenBack
    isOwn = change.login == login
    name = text.name
    let origin =
      switch change.origin {
      case .commandLine: "command line"
      case .scene: "app"
      case .importing: "import"
      case .undo: change.isRedo ? "redo" : "undo"
      case .effect: "effect"
      case .program: "program"
      }
    author = change.login.isEmpty ? origin : "\(change.login), \(origin)"
    mark = text.mark
    remark = change.clock?.text ?? ""
    lines = text.rows.map { Line(verb: $0.verb, text: $0.text) }
    fields = text.fields.map { entity, field in
      Field(
        entity: entity, name: field.word, before: field.values.before, after: field.values.after)
    }
    var seen: Set<RestoredEntity> = []
    entities = change.edits.compactMap { RestoredEntity($0) }.filter { seen.insert($0).inserted }
  }
}
