import Retrace
import RetraceBundle

/// The rows of a log: a record each, or records that typed one text.
struct PageTimeline {
  /// What is looked for in the rows.
  struct Selection {
    var search: TextSearch
    /// The kinds of records that are shown; all if it is empty.
    var kinds: [String]
    /// The indices of the rows that were found so far.
    var found: [Int] = []
    /// The row to look at next.
    var next = 0
  }

  /// No row goes beyond a multiple of it, so that a row depends only on records near it.
  private static var joinedMax: UInt64 { 4_096 }

  /// The first record of each row that is known: a ``PageLog`` has no larger sequences.
  private(set) var starts: [UInt32] = []
  private(set) var selection: Selection?
  private var codecs = PayloadCodecs()
  /// The last row that is known, which may go on.
  private var open: DecodedRecord?
  private var next: UInt64 = 1
  /// The zone and the rules of each session that was met.
  private var zones: [UInt64: ZoneRules] = [:]

  /// Finds the rows of further records.
  ///
  /// - Returns: Whether all are known.
  mutating func goOn(records: UInt64, in log: PageLog) throws(PageFailure) -> Bool {
    let end = min(log.last, next + records)
    // All at once, because memory is never given back; a record has more than a byte.
    if starts.isEmpty {
      starts.reserveCapacity(Int(min(log.last, UInt64(log.bundle.byteCount))))
    }
    try log.forEachRecord(from: next, through: end) { (record) throws(PageFailure) in
      let decoded = try decode(record, in: log)
      next = record.sequence + 1
      if record.sequence % Self.joinedMax != 1, let joined = open?.joined(with: decoded) {
        open = joined
        return true
      }
      starts.append(UInt32(record.sequence))
      open = decoded
      return true
    }
    return next > log.last
  }

  /// Returns the index of the row with a record; `nil` if it is not known.
  func index(of sequence: UInt64) -> Int? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if UInt64(starts[middle]) <= sequence { low = middle + 1 } else { high = middle }
    }
    return sequence < next && low > 0 ? low - 1 : nil
  }

  /// Returns the first and the last record of a row.
  func records(of row: Int) -> ClosedRange<UInt64> {
    let start = UInt64(starts[row])
    let end = row + 1 < starts.count ? UInt64(starts[row + 1]) : max(next, start + 1)
    return start...end - 1
  }

  // MARK: - Selection

  /// Begins to look for rows; an empty text and no kinds show all rows.
  mutating func select(_ text: String, kinds: [String]) {
    selection =
      text.utf8.isEmpty && kinds.isEmpty
      ? nil : Selection(search: TextSearch(text), kinds: kinds)
  }

  /// Looks at further rows.
  ///
  /// - Returns: Whether all known rows were looked at.
  mutating func search(
    rows: Int, in log: PageLog, naming name: (String, Int64) -> String?
  ) throws(PageFailure) -> Bool {
    guard var selection else { return true }
    let end = min(starts.count, selection.next + rows)
    while selection.next < end {
      let row = try row(selection.next, in: log, naming: name)
      let isKind = selection.kinds.isEmpty || row.marks.contains { selection.kinds.contains($0) }
      if isKind, selection.search.occurs(in: row.text) { selection.found.append(selection.next) }
      selection.next += 1
    }
    self.selection = selection
    return selection.next == starts.count
  }

  /// The number of rows that are shown.
  var shownCount: Int { selection?.found.count ?? starts.count }

  /// Returns the place of a row among those that are shown: of the last one up to it.
  func place(ofRow index: Int) -> Int {
    guard let found = selection?.found else { return index }
    var (low, high) = (0, found.count)
    while low < high {
      let middle = (low + high) / 2
      if found[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// Returns the index of the row at a place among those that are shown.
  func row(atPlace place: Int) -> Int { selection?.found[place] ?? place }
}

extension PageTimeline {
  /// What a row shows.
  struct Row {
    var first: UInt64
    var last: UInt64
    var record: DecodedRecord
    var text: String
    /// What the record is, by the names that a selection uses.
    var marks: [String]
    /// The local time.
    var time: LocalTime
  }

  /// Returns a row, read from the log.
  mutating func row(
    _ index: Int, in log: PageLog, naming name: (String, Int64) -> String?
  ) throws(PageFailure) -> Row {
    try row(of: records(of: index), in: log, naming: name)
  }

  /// Returns some records as a row.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - log: The log.
  ///   - name: Returns the name for an id, from the recorded name of its type and its number.
  mutating func row(
    of records: ClosedRange<UInt64>, in log: PageLog, naming name: (String, Int64) -> String?
  ) throws(PageFailure) -> Row {
    var joined: DecodedRecord?
    try log.forEachRecord(from: records.lowerBound, through: records.upperBound) {
      (record) throws(PageFailure) in
      let decoded = try decode(record, in: log)
      joined = joined?.joined(with: decoded) ?? joined ?? decoded
      return true
    }
    guard let joined else { throw PageFailure("there is no record \(records.lowerBound)") }
    let zone = zone(of: joined.envelope.session, in: log)
    let time = zone.local(at: joined.envelope.moment)
    let summary = joined.summary(naming: name) { moment in
      let other = zone.local(at: moment)
      return other.date == time.date ? other.clockWithSeconds : other.description
    }
    var marks = [joined.envelope.kind.symbol]
    switch summary.mark {
    case .failed?: marks.append("failed")
    case .undo?, .redo?: marks.append("undo")
    case .effect?, nil: break
    }
    if joined.envelope.hasEffect { marks.append("effect") }
    if joined.envelope.cause != nil { marks.append("answer") }
    return Row(
      first: records.lowerBound, last: joined.lastSequence, record: joined,
      text: SafeText.line(summary.text, bytesMax: 2_000), marks: marks, time: time)
  }

  /// Returns the rules of the time zone of a session; UTC if the bundle does not have them.
  mutating func zone(of session: UInt64, in log: PageLog) -> ZoneRules {
    if let known = zones[session] { return known }
    let opened = try? log.withRecord(at: session) { (record) throws(PageFailure) in
      do throws(AvroError) {
        return try record.systemPayload(as: SessionOpened.self)
      } catch {
        throw PageFailure(error.description)
      }
    }
    let zone = opened.flatMap { log.zone($0.zone) } ?? .utc
    zones[session] = zone
    return zone
  }

  /// Returns an action or a command as a call; `nil` for another record.
  mutating func call(at sequence: UInt64, in log: PageLog) throws(PageFailure) -> String? {
    var call: String?
    try log.forEachRecord(from: sequence, through: sequence) { (record) throws(PageFailure) in
      guard record.kind == .action || record.kind == .command else { return false }
      call = try decode(record, in: log).text(MomentFormat.readable.json)
      return false
    }
    return call
  }

  private mutating func decode(
    _ record: borrowing RecordCursor, in log: PageLog
  ) throws(PageFailure) -> DecodedRecord {
    let envelope = record.envelope
    do throws(AvroError) {
      let codec: SchemaCodec
      if envelope.kind == .action {
        guard let known = codecs.codec(envelope.schema, { log.schema($0) }) else {
          throw AvroError(.schema, at: 0, "its schema is missing")
        }
        codec = known
      } else {
        codec = try codecs.codec(of: envelope.kind, inVersion: record.header.version)
      }
      let value: AvroValue = try codec.decode(record.payload)
      return DecodedRecord(
        envelope, value, codec,
        embedded: codecs.embedded(envelope.kind, record.payload) { log.schema($0) })
    } catch {
      throw PageFailure(
        "the log is damaged from record \(envelope.sequence) on: \(error.description)")
    }
  }
}
