import Retrace
public import TimeTracking
public import TrackerFormats

/// A row whose entry has other values, because the row was corrected or the entry was changed.
///
/// The import leaves the entry as it is.
public struct DifferingRow: Sendable {
  /// The id of the entry.
  public let id: TimeEntryID
  /// The row, with the present names of what was merged or renamed since.
  public internal(set) var row: ImportedRow
  /// The entry.
  public let entry: TimeEntry
  /// The names of what the entry refers to.
  public let labels: EntryLabels
  /// The name of the project of the row, as ``namingProject(in:)`` has found it; empty if the row
  /// has none.
  public internal(set) var project: String
  /// The fields that differ.
  public internal(set) var fields: Set<ImportField>
  /// Whether the entry gets another project.
  public var movesProject: Bool { !fields.isDisjoint(with: [.client, .project]) }
  /// Whether the file says what is billable.
  public let hasBillable: Bool
  /// Whether the file says the rates of entries.
  public let hasRates: Bool
  /// Whether the entry was changed after its import was finished.
  public var isEdited: Bool
  let references: EntryReferences
  /// When the import of the entry was finished, if names differ that may have changed since.
  let namesChangedSince: Moment?
}

/// A row beside the entry that it was recorded as.
struct ComparedRow {
  let row: ImportedRow
  let id: TimeEntryID
  let entry: TimeEntry
  let labels: EntryLabels
  /// Whether the entry was changed after its import was finished.
  let isEdited: Bool
  let references: EntryReferences
  /// When the import was finished, if the project, the task or a tag was changed since.
  let namesChangedSince: Moment?

  /// Reads an entry, if it exists.
  ///
  /// The row, whose client has its present name, also gets the present names of other merged
  /// entities.
  init?(_ row: ImportedRow, beside id: TimeEntryID, in domain: DomainState) {
    guard let entry = domain.timeEntries[id] else { return nil }
    (self.id, self.entry) = (id, entry)
    labels = domain.labels(of: entry)
    let references = EntryReferences(of: entry, in: domain)
    self.references = references
    var row = row
    row = references.rename(row, by: references.names(in: domain), labels)
    self.row = row
    let run = entry.importRun.flatMap { domain.importRuns[$0] }
    isEdited = run.map { entry.modified > $0.modified } ?? true
    let areChanged = run.map { references.areChanged(since: $0.modified, in: domain) } ?? false
    namesChangedSince = areChanged ? run?.modified : nil
  }

  /// Returns whether the entry is what the row was recorded as, with what some fields gave.
  ///
  /// - Parameters:
  ///   - given: The fields.
  ///   - hasRates: Whether the file says the rates of entries.
  func isRecorded(as given: Set<ImportField>, hasRates: Bool) -> Bool {
    differences(in: given).isEmpty && row.zone == entry.zone
      && row.annotations == entry.annotations
      && (row.rate == entry.rate || !hasRates)
  }

  /// Returns the fields of some whose values differ.
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

  /// Returns the fields of names, among some, in which a row differs from an entry.
  fileprivate static func names(
    of row: ImportedRow, otherThan labels: EntryLabels, in given: Set<ImportField>
  ) -> Set<ImportField> {
    var fields: Set<ImportField> = []
    if row.project != labels.project.map({ Name($0) }) { fields.insert(.project) }
    // A row without a project says nothing of a client.
    if row.project != nil, row.client != labels.client.map({ Name($0) }) { fields.insert(.client) }
    fields.formIntersection(given)
    // An entry loses its task with its project.
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

  /// Returns the row with the present names of what had other names; `nil` if it does not differ
  /// then.
  func renamed(by names: EntityNames) -> DifferingRow? {
    guard namesChangedSince != nil else { return self }
    var renamed = self
    renamed.row = references.rename(row, by: names, labels)
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
