import Retrace
public import TimeTracking
public import TrackerFormats

/// A row whose entry has other values, because the row was corrected or the entry was changed.
///
/// The import leaves the entry as it is.
public struct DifferingRow: Sendable {
  /// The id of the entry.
  public let id: TimeEntryID
  /// The row, with the present names of entities that were merged or renamed since.
  public internal(set) var row: ImportedRow
  /// The entry.
  public let entry: TimeEntry
  /// The names of what the entry refers to.
  public let labels: EntryLabels
  /// The name of the project of the row; empty if the row has none.
  ///
  /// ``namingProject(in:)`` replaces an ambiguous name by `client/project`.
  public internal(set) var project: String
  /// The fields that differ.
  public internal(set) var fields: Set<ImportField>
  /// Whether the entry would get another project.
  public var movesProject: Bool { !fields.isDisjoint(with: [.client, .project]) }
  /// Whether the file has billability.
  public let hasBillable: Bool
  /// Whether the file has rates.
  public let hasRates: Bool
  /// Whether the entry was changed after its import was finished.
  public var isEdited: Bool
  let references: EntryReferences
  /// The moment at which the import of the entry was finished; `nil` if no differing name may have
  /// changed since.
  let namesChangedSince: Moment?
}

/// A row and the entry that was created from it.
struct ComparedRow {
  let row: ImportedRow
  let id: TimeEntryID
  let entry: TimeEntry
  let labels: EntryLabels
  /// Whether the entry was changed after its import was finished.
  let isEdited: Bool
  let references: EntryReferences
  /// The moment at which the import was finished; `nil` if no client, project, task or tag of the
  /// entry was changed since.
  let namesChangedSince: Moment?

  /// Reads an entry, if it exists.
  ///
  /// The client of the given row has its present name. This initializer also gives the row the
  /// present names of other merged entities.
  init?(_ row: ImportedRow, beside id: TimeEntryID, in domain: DomainState) {
    guard let entry = domain.timeEntries[id] else { return nil }
    (self.id, self.entry) = (id, entry)
    labels = domain.labels(of: entry)
    let references = EntryReferences(of: entry, in: domain)
    self.references = references
    var row = row
    row = references.withPresentNames(row, by: references.names(in: domain), labels)
    self.row = row
    let run = entry.importRun.flatMap { domain.importRuns[$0] }
    isEdited = run.map { entry.modified > $0.modified } ?? true
    let areChanged = run.map { references.areChanged(since: $0.modified, in: domain) } ?? false
    namesChangedSince = areChanged ? run?.modified : nil
  }

  /// Returns whether the entry still has the values of the row.
  ///
  /// - Parameters:
  ///   - given: The fields that the file has.
  ///   - hasRates: Whether the file has rates.
  func isRecorded(as given: Set<ImportField>, hasRates: Bool) -> Bool {
    differences(in: given).isEmpty && row.zone == entry.zone
      && row.annotations == entry.annotations
      && (row.rate == entry.rate || !hasRates)
  }

  /// Returns the given fields whose values differ.
  func differences(in given: Set<ImportField>) -> Set<ImportField> {
    func differs(_ name: Name?, _ label: String?) -> Bool { name != label.map { Name($0) } }
    var fields: Set<ImportField> = []
    if row.start != entry.start { fields.insert(.start) }
    if row.end != entry.end { fields.insert(.end) }
    if row.isBillable != entry.isBillable { fields.insert(.billable) }
    if !row.description.utf8.elementsEqual(entry.description.utf8) { fields.insert(.description) }
    if differs(row.user, labels.user) { fields.insert(.user) }
    return fields.intersection(given).union(
      DifferingRow.names(of: row, otherThan: labels, in: given))
  }
}

extension DifferingRow {
  init(
    _ compared: ComparedRow, fields: Set<ImportField>, hasBillable: Bool, hasRates: Bool
  ) {
    (self.hasBillable, self.hasRates) = (hasBillable, hasRates)
    (id, row, entry) = (compared.id, compared.row, compared.entry)
    labels = compared.labels
    project = row.project?.text ?? ""
    (self.fields, isEdited) = (fields, compared.isEdited)
    references = compared.references
    let hasNames = !fields.isDisjoint(with: Self.nameFields)
    namesChangedSince = hasNames ? compared.namesChangedSince : nil
  }

  private static let nameFields: Set<ImportField> = [.client, .project, .task, .tags]

  /// Returns the given fields that are names and differ between a row and an entry.
  fileprivate static func names(
    of row: ImportedRow, otherThan labels: EntryLabels, in given: Set<ImportField>
  ) -> Set<ImportField> {
    var fields: Set<ImportField> = []
    if row.project != labels.project.map({ Name($0) }) { fields.insert(.project) }
    // A row without a project has no client to compare.
    if row.project != nil, row.client != labels.client.map({ Name($0) }) { fields.insert(.client) }
    fields.formIntersection(given)
    // An edit that changes the project of an entry clears its task.
    let losesTask = !fields.isEmpty && row.task != nil
    if losesTask || row.task != labels.task.map({ Name($0) }) { fields.insert(.task) }
    if Set(row.tags) != Set(labels.tags.map { Name($0) }) { fields.insert(.tags) }
    return fields.intersection(given)
  }

  /// Returns the row with the name of its project for the command line: `client/project` if the
  /// name alone is ambiguous.
  ///
  /// - Complexity: O(projects) if the project differs.
  public func namingProject(in domain: DomainState) -> DifferingRow {
    guard movesProject else { return self }
    var row = self
    row.project = domain.projectName(of: row.row)
    return row
  }

  /// Returns the row with the present names of renamed entities; `nil` if it then no longer
  /// differs.
  func renamed(by names: EntityNames) -> DifferingRow? {
    guard namesChangedSince != nil else { return self }
    var renamed = self
    renamed.row = references.withPresentNames(row, by: names, labels)
    let others = Self.nameFields.subtracting(
      Self.names(of: renamed.row, otherThan: labels, in: fields))
    renamed.fields.subtract(others)
    renamed.project = renamed.row.project?.text ?? ""
    return renamed.fields.isEmpty ? nil : renamed
  }
}

extension DomainState {
  /// Returns the name of the project of a row, `client/project` if the name alone is ambiguous;
  /// empty if the row has no project.
  fileprivate func projectName(of row: ImportedRow) -> String {
    guard let name = row.project?.text else { return "" }
    let long = "\(row.client?.text ?? "")/\(name)"
    let (named, meant) = (projects(named: name), projects(named: long))
    if named.count == 1 && named == meant { return name }
    return row.client == nil && named.isEmpty ? name : long
  }
}
