import Retrace
import RetraceRecording
import TimeTracking
import TrackerFormats

/// A matcher of the rows of a file with the entries of their source, which counts the rows.
struct RowMatcher {
  private let scope: ImportScope
  private let source: SourceID?
  private let compared: ComparedFields
  /// Whether the ids belong to frames of Watson, or are their beginnings in its CSV.
  private let hasFrameIDs: Bool
  /// The interrupted import of the file, and the number of rows that it has in the log.
  private(set) var open: (id: ImportRunID, rows: Int64)?
  /// The finished imports of the source.
  private(set) var runs: [ImportRunID] = []
  /// The entries that finished imports have created, by their ids in the source.
  ///
  /// `hash` is the hash of the values of an entry; `nil` if the entry is deleted. A row with the
  /// same hash is known without reading the entry, which may be on any page of the store.
  private var known: [String: (entry: TimeEntryID, hash: Int?)] = [:]
  /// The known ids of frames of Watson, by the beginnings that `watson log --csv` has for ids.
  private var shortened: [String: [String]] = [:]
  /// The ids of the rows so far, each with the hash of its first row.
  private var ids = RowIDs()
  /// The entries that an interrupted run has created, by their ids in the source.
  private var resumed: [String: TimeEntryID] = [:]
  /// The digests of the entries that finished imports of all sources have created of rows without
  /// an id.
  private var digests = KnownRows()
  /// The hashes of the values of other entries of finished imports, which are known by their
  /// values.
  private var values = KnownRows()
  /// The entries without an id that an interrupted run has created, in the order of the file.
  private var resumedInOrder: [TimeEntryID] = []
  private var nextInOrder = 0
  /// The range of the days on which the rows so far begin, and their users.
  private var covered: (days: ClosedRange<CivilDate>, users: Set<Name>)?
  private var names: RowNames
  private var projects: RowProjects
  /// The counts of the rows so far.
  private(set) var counts = RowCounts()
  /// The rows so far that differ from their entries, up to a limit.
  private(set) var differing: [DifferingRow] = []

  /// Reads the entries that rows may be, and the entries of an interrupted import of the file.
  ///
  /// - Parameters:
  ///   - scope: The parameters of the import.
  ///   - run: The import, if it has begun.
  ///   - domain: The entities.
  /// - Complexity: O(entries) if the source is known, or if rows of other sources may be known;
  ///   O(imports) without a finished import.
  init(_ scope: ImportScope, _ run: ImportRunID? = nil, in domain: DomainState) {
    self.scope = scope
    compared = ComparedFields(scope.fields)
    hasFrameIDs = scope.system == Name("watson")
    names = RowNames(domain)
    source = domain.externalSources.rival(of: ExternalSource(name: scope.system))
    projects = RowProjects(domain)
    var run = run
    if let id = source {
      if let (open, entity) = domain.openImport(of: id), entity.digest == scope.digest {
        run = open
        self.open = (open, entity.rows)
      }
      runs = domain.finishedImports(of: id)
    }
    let active = domain.activeImports
    let needsEntries = source != nil || scope.identity.spansSources && !active.isEmpty
    guard needsEntries else { return }
    var moments: Set<Moment> = []
    var labeler = EntryLabeler(domain)
    domain.timeEntries.forEach { id, entry in
      guard let ownRun = entry.importRun else { return }
      if ownRun == run {
        moments.insert(entry.modified)
        addResumed(id, entry)
      } else if active.contains(ownRun) {
        addKnown(id, entry, &labeler)
      }
    }
    digests.sort()
    values.sort()
    if !moments.isEmpty { projects = RowProjects(domain, except: moments) }
  }

  /// Adds an entry of an interrupted run of the import.
  private mutating func addResumed(_ id: TimeEntryID, _ entry: TimeEntry) {
    let external = entry.externalIDs.first { $0.source == source }
    if let external, RowDigest(id: external.id) == nil {
      resumed[external.id] = id
    } else {
      resumedInOrder.append(id)
    }
  }

  /// Adds an entry that a finished import has created.
  ///
  /// A deleted entry is known, so that an import does not create it again. Entries of an import
  /// that was undone or cancelled are not known.
  private mutating func addKnown(
    _ id: TimeEntryID, _ entry: TimeEntry, _ labeler: inout EntryLabeler
  ) {
    let isDeleted = entry.deleted != nil
    for external in entry.externalIDs {
      guard let digest = RowDigest(id: external.id) else { continue }
      return digests.add(digest.bits, isDeleted: isDeleted)
    }
    if scope.identity != .digests,
      let external = entry.externalIDs.first(where: { $0.source == source })
    {
      let hash = isDeleted ? nil : compared.hash(of: entry, labeler.labels(of: entry))
      known[external.id] = (id, hash)
      if hasFrameIDs { shortened[Self.short(external.id), default: []].append(external.id) }
    } else if scope.identity == .digests || scope.identity == .sharedIDs {
      values.add(compared.values(of: entry, labeler.labels(of: entry)), isDeleted: isDeleted)
    }
  }

  /// Counts a row, and returns whether it is new.
  ///
  /// - Parameters:
  ///   - read: The next row of the file. Its names get the Unicode form of known entities and
  ///     earlier rows, and values that the file lacks come from its project. A new row without an
  ///     id gets a digest of its values as its id.
  ///   - compare: Returns the row with an entry; `nil` if there is no such entry.
  /// - Throws: ``Importer/Failure/differs(file:)`` if an interrupted run has created other rows.
  mutating func add(
    _ read: inout ReadRows.Row,
    compare: (ImportedRow, TimeEntryID) throws(Importer.Failure) -> ComparedRow?
  ) throws(Importer.Failure) -> Bool {
    names.resolve(&read.row)
    if !shortened.isEmpty { try findShortenedID(of: &read.row, compare: compare) }
    let digest = read.row.id == nil ? RowDigest(of: read.row, placedOn: read.placedDay) : nil
    let hasClient = read.row.client != nil
    projects.complete(&read.row, of: scope)
    if scope.findsMissing { cover(read.row) }
    var entry: TimeEntryID?
    if let id = read.row.id {
      entry = resumed.removeValue(forKey: id)
      let hash = compared.hash(of: read.row)
      let earlier = ids.insert(id, hash)
      if entry == nil, earlier != nil || known[id] != nil {
        try countKnown(read.row, id, hash, earlier: earlier, compare: compare)
        return false
      }
    }
    if entry == nil, let isDeleted = takeKnown(read, digest) {
      if isDeleted { counts.deleted += 1 } else { counts.known += 1 }
      return false
    }
    if digest != nil, nextInOrder < resumedInOrder.count {
      entry = resumedInOrder[nextInOrder]
      nextInOrder += 1
    }
    if read.row.start == read.row.end { counts.zeroDurations += 1 }
    if let entry {
      // Values that the file lacks are not compared, because they depend on the present projects.
      var given = Set(ImportField.allCases)
      if !hasClient { given.remove(.client) }
      if !scope.fields.contains(.billable) { given.remove(.billable) }
      guard
        try compare(projects.present(read.row), entry)?
          .isRecorded(as: given, hasRates: scope.hasRates) == true
      else {
        throw .differs(file: scope.file)
      }
      counts.resumed += 1
      return false
    }
    // An interrupted run has created entries of the first rows, so a new row comes after all of
    // them.
    try checkResumed()
    countNew(read.row, hasClient: hasClient)
    if let digest { read.row.id = digest.id }
    return true
  }

  /// Returns the beginning of the id of a frame of Watson that its CSV has.
  private static func short(_ id: String) -> String { String(id.prefix(7)) }

  /// Gives a row of Watson the id of its entry if one of both is the beginning of the other.
  ///
  /// Ids of other frames may begin so, too. So the row must have the start or the end of the entry.
  private func findShortenedID(
    of row: inout ImportedRow,
    compare: (ImportedRow, TimeEntryID) throws(Importer.Failure) -> ComparedRow?
  ) throws(Importer.Failure) {
    guard let id = row.id else { return }
    let short = Self.short(id)
    guard id == short || known[id] == nil else { return }
    for other in shortened[short] ?? [] where id == short || other == short {
      guard let entry = known[other]?.entry, let compared = try compare(row, entry),
        compared.entry.start == row.start || compared.entry.end == row.end
      else { continue }
      row.id = other
      return
    }
  }

  /// Counts a new row, and what may be wrong with its project.
  private mutating func countNew(_ row: ImportedRow, hasClient: Bool) {
    if let name = row.project {
      if projects.isAmbiguous(row, of: scope.fields) { counts.ambiguousProjects.insert(name) }
      if projects.isElsewhere(name) { counts.projectsElsewhere.insert(name) }
    }
    if !hasClient, let client = projects.deletedClient(of: row) {
      counts.deletedClients.insert(client)
    }
    counts.created += 1
  }

  /// Counts a row that has the id of an entry or of an earlier row.
  private mutating func countKnown(
    _ row: ImportedRow, _ id: String, _ hash: Int, earlier: Int?,
    compare: (ImportedRow, TimeEntryID) throws(Importer.Failure) -> ComparedRow?
  ) throws(Importer.Failure) {
    if let earlier, earlier != hash {
      counts.clashing += 1
      counts.clashingTime = counts.clashingTime.adding(row.end.elapsed(since: row.start))
      return
    }
    var comparison: ComparedRow?
    if earlier == nil, let known = known[id], known.hash != hash {
      comparison = try compare(projects.present(row), known.entry)
    }
    countKnown(comparison)
  }

  /// Takes an entry that has the values of a row.
  ///
  /// - Returns: Whether the entry is deleted; `nil` without an entry.
  private mutating func takeKnown(_ read: ReadRows.Row, _ digest: RowDigest?) -> Bool? {
    if let digest, let isDeleted = digests.take(digest.bits) { return isDeleted }
    guard !values.isEmpty, digest != nil || read.sharedID != nil else { return nil }
    let hasMadeUpTimes = read.placedDay != nil || read.sharedID?.hasMadeUpTimes == true
    return values.take(
      compared.values(of: projects.present(read.row), hasMadeUpTimes: hasMadeUpTimes))
  }

  /// Gives rows that share the beginning of an id the numbers of the entries that they resemble.
  ///
  /// Without known entries, the rows keep their numbers, which follow their order.
  ///
  /// - Parameters:
  ///   - rows: The rows of the whole file.
  ///   - compare: As in ``add(_:compare:)``.
  /// - Complexity: O(rows), and for the rows and entries with one beginning the product of their
  ///   numbers.
  mutating func number(
    _ rows: inout [ReadRows.Row],
    compare: (ImportedRow, TimeEntryID) throws(Importer.Failure) -> ComparedRow?
  ) throws(Importer.Failure) {
    guard !known.isEmpty || !resumed.isEmpty else { return }
    var wanted: Set<SharedID> = []
    for read in rows {
      guard let shared = read.sharedID else { continue }
      let first = shared.id(1)
      let isOne = read.row.id == first && entry(of: shared.id(2)) == nil
      let isSame = known[first]?.hash == compared.hash(of: completed(read.row))
      if !isOne || entry(of: first) != nil && !isSame { wanted.insert(shared) }
    }
    guard !wanted.isEmpty else { return }
    var groups: [SharedID: [Int]] = [:]
    for index in rows.indices {
      guard let shared = rows[index].sharedID, wanted.contains(shared) else { continue }
      groups[shared, default: []].append(index)
    }
    for (shared, members) in groups {
      try number(members, of: &rows, sharing: shared, compare: compare)
    }
  }

  /// Gives some rows that share the beginning of an id the numbers of the entries that they
  /// resemble, and the other ones free numbers.
  ///
  /// Durations that are only in another order keep the made-up times of their entries.
  private mutating func number(
    _ members: [Int], of rows: inout [ReadRows.Row], sharing shared: SharedID,
    compare: (ImportedRow, TimeEntryID) throws(Importer.Failure) -> ComparedRow?
  ) throws(Importer.Failure) {
    var free: [(number: Int, entry: TimeEntryID)] = []
    var (number, misses) = (1, 0)
    while misses <= members.count {
      if let id = entry(of: shared.id(number)) { free.append((number, id)) } else { misses += 1 }
      number += 1
    }
    let used = Set(free.map(\.number))
    var (rest, equal) = (members, [(index: Int, entry: TimeEntry)]())
    for likeness in RowLikeness.allCases {
      var others: [Int] = []
      for index in rest {
        let row = projects.present(completed(rows[index].row))
        var place: Int?
        for candidate in free.indices where place == nil {
          guard let compared = try compare(row, free[candidate].entry) else { continue }
          guard likeness.holds(for: compared, shared, in: scope.fields) else { continue }
          place = candidate
          if likeness == .values { equal.append((index, compared.entry)) }
        }
        if let place {
          rows[index].row.id = shared.id(free.remove(at: place).number)
        } else {
          others.append(index)
        }
      }
      rest = others
    }
    if shared.hasMadeUpTimes, free.isEmpty, equal.count == members.count,
      equal.map(\.entry.start).min() == members.map({ rows[$0].row.start }).min()
    {
      for (index, entry) in equal {
        rows[index].row.start = entry.start
        rows[index].row.end = entry.end ?? entry.start
      }
    }
    number = 1
    for index in rest {
      while used.contains(number) { number += 1 }
      rows[index].row.id = shared.id(number)
      number += 1
    }
  }

  /// Returns the entry with an id in the source.
  private func entry(of id: String) -> TimeEntryID? { known[id]?.entry ?? resumed[id] }

  /// Returns a row as ``add(_:compare:)`` compares it.
  private mutating func completed(_ row: ImportedRow) -> ImportedRow {
    var row = row
    names.resolve(&row)
    projects.complete(&row, of: scope)
    return row
  }

  private mutating func cover(_ row: ImportedRow) {
    let day = LocalTime(row.start, offsetSeconds: row.zone.offsetSeconds).date
    guard let days = covered?.days else { return covered = (day...day, [row.user]) }
    if !days.contains(day) {
      covered?.days = min(days.lowerBound, day)...max(days.upperBound, day)
    }
    covered?.users.insert(row.user)
  }

  /// Returns the entries of the source that have no row in the file.
  ///
  /// Only entries of the users of the rows are returned, and only those that begin between the
  /// first and the last day of the rows.
  ///
  /// - Parameters:
  ///   - running: The ids of the running entries in the file.
  ///   - days: The days of rejected rows. Entries that begin on such a day, or on a day beside it,
  ///     are left out.
  ///   - domain: The entities.
  /// - Complexity: O(entries of the source).
  func missing(
    besides running: [String], except days: Set<CivilDate>, in domain: DomainState
  ) -> [TimeEntryID] {
    guard let covered else { return [] }
    let running = Set(running)
    return known.filter { id, known in
      guard known.hash != nil, !ids.contains(id), !running.contains(id),
        let entry = domain.timeEntries[known.entry],
        let user = domain.users.read(entry.user, { $0.name })
      else { return false }
      let day = entry.localStart.date
      return covered.users.contains(user) && covered.days.contains(day)
        && !(-1...1).contains { days.contains(day.adding(days: $0)) }
    }.map(\.value.entry).sorted()
  }

  /// Counts a known row as unchanged, differing or deleted.
  ///
  /// - Parameter compared: The row with its entry; `nil` if they need no comparison.
  private mutating func countKnown(_ compared: ComparedRow?) {
    guard let compared else { return counts.known += 1 }
    guard compared.entry.deleted == nil else { return counts.deleted += 1 }
    let differences = compared.differences(in: scope.fields)
    guard !differences.isEmpty else { return counts.known += 1 }
    counts.differing += 1
    guard differing.count < scope.differingMax else { return }
    differing.append(
      DifferingRow(
        compared, fields: differences, hasBillable: scope.fields.contains(.billable),
        hasRates: scope.hasRates))
  }

  /// Checks that there was a row for each entry of an interrupted run.
  func checkResumed() throws(Importer.Failure) {
    guard resumed.isEmpty, nextInOrder == resumedInOrder.count else {
      throw .differs(file: scope.file)
    }
  }

  /// Checks that the commands of the import would be accepted.
  ///
  /// An import without a new row has none.
  ///
  /// - Throws: The refusal of the first or the last command of the import.
  func check(in domain: DomainState) throws(Importer.Failure) {
    try checkResumed()
    guard open != nil || counts.created > 0 else { return }
    do throws(ImportRefusal) {
      try domain.checkImport(of: scope.digest, from: source)
    } catch {
      throw .command(.refused(.importRun(error), after: 0))
    }
  }

  /// Takes over the counts of an older matcher, and counts rows as known that another process has
  /// imported since.
  ///
  /// - Parameters:
  ///   - rows: The rows that the older matcher found to be new, and that are not written.
  ///   - old: The older matcher.
  /// - Returns: The rows that are still new.
  mutating func recount(_ rows: [ImportedRow], after old: RowMatcher) -> [ImportedRow] {
    digests.takeAll(takenFrom: old.digests)
    values.takeAll(takenFrom: old.values)
    counts = old.counts
    var others: [ImportedRow] = []
    for row in rows {
      let isImported =
        if let digest = row.id.flatMap({ RowDigest(id: $0) }) {
          digests.take(digest.bits) != nil
        } else {
          row.id.flatMap { known[$0] } != nil
        }
      guard isImported else {
        others.append(row)
        continue
      }
      counts.known += 1
      counts.created -= 1
      if row.start == row.end { counts.zeroDurations -= 1 }
    }
    (ids, differing, names, covered) = (old.ids, old.differing, old.names, old.covered)
    return others
  }
}

/// How much a row resembles an entry whose id begins as its own.
private enum RowLikeness: CaseIterable {
  /// All values are equal.
  case values
  /// The lengths are equal.
  case length
  /// All values but the times are equal.
  case text
  /// Both have a length, or neither has.
  case kind

  /// Returns whether a row resembles an entry so much.
  func holds(for compared: ComparedRow, _ shared: SharedID, in given: Set<ImportField>) -> Bool {
    let times: Set<ImportField> = [.start, .end]
    let (row, entry) = (compared.row, compared.entry)
    let length = row.end.elapsed(since: row.start)
    func differences() -> Set<ImportField> { compared.differences(in: given) }
    let isSameKind = (entry.duration == .zero) == (length == .zero)
    return switch self {
    case .values where shared.hasMadeUpTimes:
      entry.duration == length && differences().isSubset(of: times)
    case .values: differences().isEmpty
    case .length: entry.duration == length
    case .text: isSameKind && differences().isSubset(of: times)
    case .kind: isSameKind
    }
  }
}

/// The fields in which rows are compared with entries.
private struct ComparedFields {
  private let start, end, description, client, project, task, tags, isBillable: Bool

  /// Reads a set once, because a lookup of each field for each row costs more than hashing the row.
  init(_ fields: Set<ImportField>) {
    start = fields.contains(.start)
    end = fields.contains(.end)
    description = fields.contains(.description)
    client = fields.contains(.client)
    project = fields.contains(.project)
    task = fields.contains(.task)
    tags = fields.contains(.tags)
    isBillable = fields.contains(.billable)
  }

  /// Returns a hash of the values of an entry.
  func hash(of entry: TimeEntry, _ labels: EntryLabels) -> Int {
    hash(
      start: entry.start, end: entry.end, entry.description, labels.client, labels.project,
      labels.task, labels.tags, isBillable: entry.isBillable)
  }

  /// Returns a hash of the values of a row.
  func hash(of row: ImportedRow) -> Int {
    hash(
      start: row.start, end: row.end, row.description, row.client?.text, row.project?.text,
      row.task?.text, row.tags.map(\.text), isBillable: row.isBillable)
  }

  /// Returns a hash of the user and the values of an entry, whatever the case of its names.
  func values(of entry: TimeEntry, _ labels: EntryLabels) -> UInt64 {
    let isKlog = entry.externalIDs.contains { $0.id.contains(" duration") }
    let times = self.times(entry.start, entry.end, entry.zone, areMadeUp: isKlog)
    let hash = self.hash(
      start: times.start, end: times.end, entry.description, labels.client?.lowercased(),
      labels.project?.lowercased(), labels.task?.lowercased(),
      labels.tags.map { $0.lowercased() }, isBillable: entry.isBillable,
      user: labels.user.lowercased())
    return UInt64(bitPattern: Int64(hash))
  }

  /// Returns a hash of the user and the values of a row, whatever the case of its names.
  func values(of row: ImportedRow, hasMadeUpTimes: Bool) -> UInt64 {
    let times = self.times(row.start, row.end, row.zone, areMadeUp: hasMadeUpTimes)
    let hash = self.hash(
      start: times.start, end: times.end, row.description, row.client?.key, row.project?.key,
      row.task?.key, row.tags.map(\.key), isBillable: row.isBillable, user: row.user.key)
    return UInt64(bitPattern: Int64(hash))
  }

  /// Returns the times; if they were made up, those from the beginning of their day.
  private func times(
    _ start: Moment, _ end: Moment?, _ zone: RecordedZone, areMadeUp: Bool
  ) -> (start: Moment, end: Moment?) {
    guard areMadeUp, let end else { return (start, end) }
    let day = LocalTime(start, offsetSeconds: zone.offsetSeconds).date.daysSince1970
    let first = Moment(microseconds: Int64(day) * 86_400_000_000)
    return (first, first.adding(end.elapsed(since: start)))
  }

  /// Returns a hash of the values of the fields; the tags may have any order.
  private func hash(
    start: Moment, end: Moment?, _ description: String, _ client: String?, _ project: String?,
    _ task: String?, _ tags: [String], isBillable: Bool, user: String? = nil
  ) -> Int {
    var hasher = Hasher()
    if let user { hasher.combine(user) }
    if self.start { hasher.combine(start) }
    if self.end { hasher.combine(end) }
    if self.description { hasher.combine(description) }
    if self.client { hasher.combine(client) }
    if self.project { hasher.combine(project) }
    if self.task { hasher.combine(task) }
    if self.tags { hasher.combine(Set(tags)) }
    if self.isBillable { hasher.combine(isBillable) }
    return hasher.finalize()
  }
}

extension DomainState {
  /// The imports that are finished and not undone.
  ///
  /// - Complexity: O(imports).
  fileprivate var activeImports: Set<ImportRunID> {
    var runs: Set<ImportRunID> = []
    importRuns.forEach { id, run in
      if run.isActive { runs.insert(id) }
    }
    return runs
  }

  /// Returns the imports of a source that are finished and not undone.
  ///
  /// - Complexity: O(imports).
  func finishedImports(of source: SourceID) -> [ImportRunID] {
    var runs: [ImportRunID] = []
    importRuns.forEach { id, run in
      if run.isActive, run.source == source { runs.append(id) }
    }
    return runs
  }
}
