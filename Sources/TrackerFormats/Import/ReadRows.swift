public import CivilTime
import RetraceState
public import TimeTracking

/// The rows that a reader has found in a file.
public struct ReadRows: Sendable {
  /// A row, and information about it that its entry does not have.
  public struct Row: Sendable {
    /// The row.
    public var row: ImportedRow
    /// The numbers of its times that clocks show twice.
    public var repeated: RepeatedTimes
    /// The currency of its rate, if the file has it.
    public var currency: String?
    /// The beginning of its id, if several rows may have it.
    public var sharedID: SharedID?
    /// Its day, if the file has a duration and no time of day, so that the times were made up.
    public var placedDay: CivilDate?
  }

  /// The rows, in the order of the file.
  public var rows: [Row] = []
  /// The rejected rows, in the order of the file.
  public var rejections: [RowRejection] = []
  /// The ids of running entries in the file, which are not rows.
  public var running: [String] = []
  /// Notes for the user on what the file has and a row has not.
  public var notes: [String] = []
  /// The number of rows and running entries so far that share an id.
  private var numbers: [SharedID: Int] = [:]

  /// Creates a value without rows.
  public init() {}

  /// Appends a row, or its rejection.
  ///
  /// - Parameters:
  ///   - day: The day on which the entry begins, or the day before or after it, if known.
  ///   - currency: The currency of its rate, if the file has it.
  ///   - sharedID: The beginning of its id, if several rows may have it; then its id is set.
  ///   - row: Returns the row, and counts its times that clocks show twice.
  public mutating func append(
    on day: CivilDate? = nil, currency: String? = nil, sharing sharedID: SharedID? = nil,
    _ row: (inout RepeatedTimes) throws(RowRejection) -> ImportedRow
  ) {
    do throws(RowRejection) {
      var repeated = RepeatedTimes()
      var row = try row(&repeated)
      if let sharedID { row.id = nextID(sharedID) }
      rows.append(Row(row: row, repeated: repeated, currency: currency, sharedID: sharedID))
    } catch {
      var rejection = error
      rejection.day = rejection.day ?? day
      rejections.append(rejection)
    }
  }

  /// Appends a running entry, which is not a row, whose id begins as the ids of rows do.
  public mutating func appendRunning(_ sharedID: SharedID) { running.append(nextID(sharedID)) }

  private mutating func nextID(_ sharedID: SharedID) -> String {
    let number = (numbers[sharedID] ?? 0) + 1
    numbers[sharedID] = number
    return sharedID.id(number)
  }

  /// Removes all rows, rejections, running entries and notes, and keeps the storage.
  public mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    rejections.removeAll(keepingCapacity: true)
    running.removeAll(keepingCapacity: true)
    notes.removeAll(keepingCapacity: true)
  }
}

/// The numbers of times that clocks show twice, by which of the two moments was used.
public struct RepeatedTimes: Hashable, Sendable {
  /// The number of times for which the earlier moment was used.
  public var earlier = 0
  /// The number of times for which the later moment was used.
  public var later = 0

  /// Creates numbers of zero.
  public init() {}

  /// Adds other times.
  public mutating func add(_ other: RepeatedTimes) {
    earlier += other.earlier
    later += other.later
  }
}

extension ImportedRow {
  /// Adds an annotation that the file does not have, unless the entry would become too long.
  ///
  /// - Complexity: O(annotations).
  mutating func annotate(_ text: String) {
    let bytes = (annotations + [text]).reduce(description.utf8.count) { $0 + $1.utf8.count }
    guard bytes <= TimeEntry.textBytesMax, annotations.count < TimeEntry.listMax else { return }
    annotations.append(text)
  }

  /// Returns the row if the domain accepts it.
  ///
  /// - Parameters:
  ///   - line: The line of the file.
  ///   - shown: Returns the name of a field in the file, and its value.
  /// - Throws: The rejection of the first field that the domain refuses.
  func checked(
    line: Int, _ shown: (ImportField) -> (column: String?, value: String)
  ) throws(RowRejection) -> ImportedRow {
    func check(
      _ isFine: Bool, _ field: ImportField, _ reason: RowRejection.Reason
    ) throws(RowRejection) {
      guard !isFine else { return }
      let (column, value) = shown(field)
      throw RowRejection(
        line: line, column: column, value: String(value.prefix(200)), reason: reason,
        time: start <= end ? end.elapsed(since: start) : nil)
    }
    try check(start <= end, .end, .negativeDuration)
    try check(end.elapsed(since: start) <= TimeEntry.durationMax, .end, .durationTooLong)
    let isInRange = TimeEntry.moments.contains(start) && TimeEntry.moments.contains(end)
    try check(isInRange, .start, .yearOutOfRange(DateFormat.years))
    let bytes = annotations.reduce(description.utf8.count) { $0 + $1.utf8.count }
    let textTooLong = RowRejection.Reason.textTooLong(limit: TimeEntry.textBytesMax)
    try check(bytes <= TimeEntry.textBytesMax, .description, textTooLong)
    let nameTooLong = RowRejection.Reason.textTooLong(limit: Name.bytesMax)
    try check(id?.utf8.count ?? 0 <= Name.bytesMax, .id, nameTooLong)
    try check(project?.text.utf8.count ?? 0 <= Name.bytesMax, .project, nameTooLong)
    let limit = TimeEntry.listMax
    try check(tags.count <= limit, .tags, .tooManyTags(limit: limit))
    try check(tags.allSatisfy { $0.text.utf8.count <= Name.bytesMax }, .tags, nameTooLong)
    return self
  }
}

extension ZoneRules {
  /// Returns the moment of a local time in a file; `nil` if clocks skip it.
  ///
  /// Of two moments, it is the first one that is not before the start, or else the later one.
  ///
  /// - Parameters:
  ///   - local: The local time.
  ///   - start: The start of the entry, if the time is an end.
  ///   - repeated: Counts a time that clocks show twice.
  func moment(
    of local: LocalTime, notBefore start: Moment?, repeated: inout RepeatedTimes
  ) -> Moment? {
    switch resolve(local) {
    case .existing(let moment, _): return moment
    case .skipped: return nil
    case .ambiguous(let earlier, let later, _):
      guard let start, earlier < start else {
        repeated.earlier += 1
        return earlier
      }
      repeated.later += 1
      return later
    }
  }
}
