import Retrace
import RetraceStorage
import RetraceToolSupport

/// The rows of a log, of which only those around a place are read.
///
/// Records that typed one text are one row, so the number of rows is not known; rows are found by
/// the sequences of their records. No row goes beyond a multiple of ``joinedMax``, so a row depends
/// only on records near it.
struct Timeline {
  /// The most records of a row.
  static var joinedMax: UInt64 { 4_096 }
  /// The records that are read together.
  private static var pageSize: UInt64 { 256 }
  /// The pages that are kept.
  private static var pagesMax: Int { 24 }

  /// The sequence of the last record.
  private(set) var last: UInt64
  private let storage: LogStorage
  private let zone: ZoneRules
  private var codecs = PayloadCodecs()
  private var clocks = RecordClocks()
  /// The rows that begin in each page, and the pages in the order of their use.
  private var pages: [UInt64: [TimelineRow]] = [:]
  private var used: [UInt64] = []

  /// Creates the timeline of a log.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - last: The sequence of the last record.
  ///   - zone: The time zone in which moments are shown.
  init(_ storage: LogStorage, last: UInt64, zone: ZoneRules) {
    self.storage = storage
    self.last = last
    self.zone = zone
  }

  /// Takes the records up to a later one into account.
  mutating func extend(to last: UInt64) {
    guard last > self.last else { return }
    self.last = last
    // The last row may go on.
    (pages, used) = ([:], [])
  }

  /// Returns the row with a record; `nil` if the log has no such record.
  ///
  /// - Complexity: O(records of a page) if it was not read before.
  mutating func row(at sequence: UInt64) -> TimelineRow? {
    guard 1...max(last, 1) ~= sequence, last > 0 else { return nil }
    var page = (sequence - 1) / Self.pageSize
    while true {
      let rows = rows(ofPage: page)
      // The first row that begins after the record.
      var (low, high) = (0, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if rows[middle].first <= sequence { low = middle + 1 } else { high = middle }
      }
      if low > 0 { return rows[low - 1] }
      guard page > 0 else { return nil }
      page -= 1
    }
  }

  /// Returns the row after another; `nil` after the last one.
  mutating func row(after row: TimelineRow) -> TimelineRow? { self.row(at: row.last + 1) }

  /// Returns the row before another; `nil` before the first one.
  mutating func row(before row: TimelineRow) -> TimelineRow? { self.row(at: row.first - 1) }

  /// Returns a record as a row of its own; `nil` if it cannot be read.
  mutating func single(_ sequence: UInt64) -> TimelineRow? {
    var rows: [TimelineRow] = []
    var moment: Moment?
    _ = read(from: sequence, through: sequence, into: &rows, after: &moment)
    return rows.first
  }

  private mutating func rows(ofPage page: UInt64) -> [TimelineRow] {
    if let known = pages[page] {
      if used.last != page {
        used.removeAll { $0 == page }
        used.append(page)
      }
      return known
    }
    let rows = read(page: page)
    pages[page] = rows
    used.append(page)
    if used.count > Self.pagesMax { pages[used.removeFirst()] = nil }
    return rows
  }

  private mutating func read(page: UInt64) -> [TimelineRow] {
    let first = page * Self.pageSize + 1
    let end = min(last, first + Self.pageSize - 1)
    var rows: [TimelineRow] = []
    var moment: Moment?
    // The record before tells whether the first one continues its row.
    var next = max(1, first - 1)
    while next <= end, let failure = read(from: next, through: end, into: &rows, after: &moment) {
      let damaged = max(next, (rows.last?.last ?? 0) + 1)
      if damaged > first, let row = rows.last, row.record == nil {
        rows[rows.count - 1].last = damaged
      } else {
        rows.append(
          TimelineRow(
            first: damaged, last: damaged, record: nil, problem: "\(failure.what) \(failure.why)"))
      }
      next = damaged + 1
    }
    rows.removeAll { $0.first < first }
    next = end + 1
    // The last row may go on in later pages.
    while next <= last, rows.last?.record != nil, next % Self.joinedMax != 1 {
      let count = rows.count
      let through = min(last, next + 31)
      guard self.read(from: next, through: through, into: &rows, after: &moment) == nil,
        rows.count == count
      else {
        rows.removeLast(rows.count - count)
        break
      }
      next = through + 1
    }
    return rows
  }

  /// Reads records, and adds each to the last row or as a row of its own.
  ///
  /// - Returns: The error of the first record that cannot be read.
  private mutating func read(
    from first: UInt64, through end: UInt64, into rows: inout [TimelineRow],
    after moment: inout Moment?
  ) -> StoreError? {
    do throws(StoreError) {
      try storage.withReadView { (view) throws(StoreError) in
        try view.forEachRecord(from: first, through: end) {
          (envelope, payload) throws(StoreError) in
          let clock = try clocks.remark(on: envelope, in: view)
          let record = try RecordDescription(envelope, payload, clock: clock, &codecs, in: view)
          defer { moment = envelope.moment }
          if let row = rows.last, envelope.sequence % Self.joinedMax != 1,
            let joined = row.record?.joined(with: record)
          {
            rows[rows.count - 1].record = joined
            rows[rows.count - 1].last = envelope.sequence
            return
          }
          rows.append(
            TimelineRow(
              first: envelope.sequence, last: envelope.sequence, record: record,
              local: zone.local(at: envelope.moment),
              elapsed: moment.map { envelope.moment.microseconds &- $0.microseconds }))
        }
      }
      return nil
    } catch {
      return error
    }
  }
}
