import Retrace
import RetraceBundle

/// The replay of the log in a bundle.
struct PageReplay<App: ReplayableApp> {
  /// The most changes that a step shows, and values in each.
  private static var changesMax: Int { 200 }
  /// The most rows in one answer.
  private static var rowsMax: Int { 1_000 }

  let log: PageLog
  let comparison: StateComparison<App.State>
  private let names: StateNames<App.State>
  /// The latest state that was met, which has the names of most entities.
  private var namedState = App.initialState
  private var namedSequence: UInt64 = 0
  var folds: PageFolds<App>
  var timeline = PageTimeline()
  private var verdict: PageVerdict<App>
  private var run: PageRun?

  init(_ bytes: [UInt8]) throws(PageFailure) {
    log = try PageLog(bytes, of: App.name)
    folds = try PageFolds(log)
    verdict = PageVerdict(log)
    do throws(AvroError) {
      comparison = try StateComparison(like: App.initialState, limit: Self.changesMax)
      names = try StateNames(like: App.initialState)
    } catch {
      throw PageFailure("the state has no valid schema: \(error.description)")
    }
  }

  /// What the bundle is.
  var header: JSONValue {
    let header = log.bundle.header
    return [
      "app": .string(SafeText.line(header.app)), "build": .string(App.build),
      "records": .integer(Int64(clamping: log.last)),
      "bytes": .integer(Int64(log.bundle.byteCount)),
      "contents": .string(header.contents.symbol),
      "message": .string(SafeText.block(header.message)),
      "allowed": .array(header.allowed.map { .string(SafeText.line($0)) }),
      "zones": .array(log.bundle.zoneNames.map { .string(SafeText.line($0)) }),
    ]
  }

  /// Answers a request; see ``PageProgram``.
  mutating func answer(_ request: JSONValue) throws(PageFailure) -> JSONValue {
    if let records = request.count("verify") {
      _ = verdict.goOn(records: records, in: log, with: &folds)
      return verdict.json
    }
    if let records = request.count("index") {
      let isComplete = try timeline.goOn(records: records, in: log)
      return Self.progress(timeline.starts.count, isComplete)
    }
    if let text = request["select"]?.stringValue {
      let kinds = request["kinds"]?.arrayValue ?? []
      timeline.select(text, kinds: kinds.compactMap { $0.stringValue })
      return Self.progress(timeline.shownCount, timeline.selection == nil)
    }
    if let rows = request.count("search") {
      let isComplete = try timeline.search(
        rows: Int(clamping: rows), in: log, naming: naming())
      return Self.progress(timeline.shownCount, isComplete)
    }
    if let place = request.count("rows"), let count = request.count("count") {
      return try rows(from: place, count: count)
    }
    if let text = request["time"]?.stringValue {
      return .integer(Int64(clamping: try sequence(at: text, near: try record("near", request))))
    }
    if request["place"] != nil {
      let sequence = try record("place", request)
      guard let index = timeline.index(of: sequence) else { return .null }
      let records = timeline.records(of: index)
      return [
        "place": .integer(Int64(timeline.place(ofRow: index))),
        "first": .integer(Int64(clamping: records.lowerBound)),
        "last": .integer(Int64(clamping: min(records.upperBound, log.last))),
      ]
    }
    if request["step"] != nil {
      let last = try record("step", request)
      let first = request["first"] == nil ? last : try record("first", request)
      guard first <= last else { throw PageFailure("record \(first) is after record \(last)") }
      return try details(of: first, through: last)
    }
    if request["screen"] != nil {
      return try screen(
        of: request["scene"]?.integerValue.map { SceneID(value: $0) },
        at: try record("screen", request),
        theme: request["theme"]?.stringValue == "dark" ? .dark : .light)
    }
    if request["state"] != nil { return try state(at: try record("state", request)) }
    if request["batch"] != nil { return try batch(of: try record("batch", request)) }
    if let breaks = request["breaks"]?.arrayValue { return try start(breaks, request) }
    if let records = request.count("run") { return try goOn(records) }
    throw PageFailure("the page asks for something that its module does not know")
  }

  /// Returns a function that returns the name for an id, as the latest state that was met has it.
  mutating func naming() -> (String, Int64) -> String? {
    let fold = folds.fold
    if fold.sequence > namedSequence { (namedState, namedSequence) = (fold.state, fold.sequence) }
    let (names, state) = (names, namedState)
    return { type, id in names.name(of: id, ofType: type, in: state) }
  }

  private static func progress(_ count: Int, _ isComplete: Bool) -> JSONValue {
    ["count": .integer(Int64(count)), "isComplete": .bool(isComplete)]
  }

  /// Returns the record that a member of a request names.
  private func record(_ name: String, _ request: JSONValue) throws(PageFailure) -> UInt64 {
    guard let sequence = request.count(name), 1...max(1, log.last) ~= sequence, log.last > 0 else {
      throw PageFailure("the log has the records 1 to \(log.last)")
    }
    return sequence
  }

  private mutating func rows(from place: UInt64, count: UInt64) throws(PageFailure) -> JSONValue {
    let shown = UInt64(timeline.shownCount)
    let start = Int(min(place, shown))
    let end = Int(min(shown, UInt64(start) + min(count, UInt64(Self.rowsMax))))
    var rows: [JSONValue] = []
    let name = naming()
    for place in start..<end {
      let row = try timeline.row(timeline.row(atPlace: place), in: log, naming: name)
      rows.append(
        [
          "first": .integer(Int64(clamping: row.first)),
          "last": .integer(Int64(clamping: row.last)),
          "session": .integer(Int64(clamping: row.record.envelope.session)),
          "date": .string(row.time.date.description), "clock": .string(row.time.clockWithSeconds),
          "text": .string(row.text), "marks": .array(row.marks.map { .string($0) }),
          "cause": row.record.envelope.cause.map { .integer(Int64(clamping: $0)) } ?? .null,
        ])
    }
    return .array(rows)
  }

  /// Begins a run to the next or the previous record at which a condition holds.
  private mutating func start(
    _ breaks: [JSONValue], _ request: JSONValue
  ) throws(PageFailure) -> JSONValue {
    let conditions = breaks.compactMap { PageBreak($0) }
    guard let first = request.count("from"), conditions.count == breaks.count else {
      throw PageFailure("a condition has no text")
    }
    run = PageRun(
      conditions, from: first, isBackwards: request["isBackwards"] == true,
      scene: request["scene"]?.integerValue.map { SceneID(value: $0) })
    return ["isComplete": false]
  }

  private mutating func goOn(_ records: UInt64) throws(PageFailure) -> JSONValue {
    guard var run else { throw PageFailure("there is no run") }
    try run.goOn(records: records, in: log, with: &self)
    self.run = run
    return [
      "isComplete": .bool(run.isComplete(in: log)), "next": .integer(Int64(clamping: run.next)),
      "stop": run.stop.map { stop in
        [
          "record": .integer(Int64(clamping: stop.record)),
          "condition": .integer(Int64(stop.condition)),
          "text": .string(SafeText.line(stop.text, bytesMax: 500)),
        ]
      } ?? .null,
    ]
  }

  /// Returns the last record up to a time; the first one if there is none.
  ///
  /// - Complexity: O(records).
  private mutating func sequence(
    at text: String, near sequence: UInt64
  ) throws(PageFailure) -> UInt64 {
    let (session, now) = try log.withRecord(at: sequence) { (record) throws(PageFailure) in
      (record.session, record.moment)
    }
    let context = ExpressionContext(
      zone: timeline.zone(of: session, in: log), now: now, firstWeekday: 1)
    let day = context.zone.local(at: now).date
    let moment: Moment
    if let instant = Moment(timestamp: text) {
      moment = instant
    } else {
      do throws(ExpressionError) {
        moment = try TimeExpression(text, in: context.on(day)).moment
      } catch {
        throw PageFailure(error.description)
      }
    }
    var found: UInt64 = 1
    try log.forEachRecord(from: 1, through: log.last) { (record) throws(PageFailure) in
      // The first record with a later time ends what was recorded by then.
      guard record.moment <= moment else { return false }
      found = record.sequence
      return true
    }
    return found
  }
}

extension JSONValue {
  /// Returns a member that is a number from 0 on; `nil` if there is no such member.
  fileprivate func count(_ name: String) -> UInt64? {
    self[name]?.integerValue.flatMap { UInt64(exactly: $0) }
  }
}
