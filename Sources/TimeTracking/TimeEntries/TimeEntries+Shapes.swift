import RetraceArchitecture
public import RetraceAvro
import RetraceState

extension TimeEntries {
  /// Ends an entry at a moment within it, and inserts a copy that begins there.
  ///
  /// The first part of a running entry is as long as an entry that is stopped may be.
  static func split(
    _ id: TimeEntryID, at moment: Moment, _ policy: Policy,
    in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    let entry = try visible(id, in: editor)
    let isInside = entry.end.map { moment < $0 } ?? (moment <= editor.moment)
    guard entry.start < moment, isInside else { throw .outside(moment) }
    var first = entry
    first.end = moment
    try checkDuration(of: first, since: entry, policy, at: editor.moment)
    var rest = entry
    rest.start = moment
    rest.externalIDs = []
    editor.change(id, of: Self.self) { $0.end = moment }
    editor.insert(rest, of: Self.self)
  }

  /// Joins two entries: one gets the time, tags and texts of the other, which is deleted.
  ///
  /// The entry that began first is kept or, if both began together, the one with the lower id. An
  /// annotation of both is kept once. The entries must have no ``JoinObstacle``.
  static func join(
    _ one: TimeEntryID, _ other: TimeEntryID, _ policy: Policy, _ rules: RuleSet,
    in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    let (a, b) = (try visible(one, in: editor), try visible(other, in: editor))
    guard one != other else { throw .cannotJoin }
    if let obstacle = JoinObstacle(a, b) {
      throw rules == .first ? .cannotJoin : .apart(one, other, obstacle)
    }
    let isInOrder = (a.start, one) < (b.start, other)
    let (id, first) = isInOrder ? (one, a) : (other, b)
    let (goneID, gone) = isInOrder ? (other, b) : (one, a)
    var entry = first
    entry.end = first.end.flatMap { end in gone.end.map { max(end, $0) } }
    entry.project = first.project ?? gone.project
    entry.task = first.task ?? gone.task
    entry.tags = Set(first.tags + gone.tags).sorted()
    if first.description.utf8.isEmpty {
      entry.description = gone.description
    } else if !gone.description.utf8.isEmpty,
      !first.description.utf8.elementsEqual(gone.description.utf8)
    {
      entry.annotations.append(gone.description)
    }
    // The parts of an entry that was split have the same annotations.
    entry.annotations += gone.annotations.filter { annotation in
      !first.annotations.contains { $0.utf8.elementsEqual(annotation.utf8) }
    }
    let moment = editor.moment
    editor.change(goneID, of: Self.self) { $0.deleted = moment }
    try check(&entry, since: first, rules, in: editor)
    try place(&entry, id, since: first, policy, rules, in: &editor)
    editor.change(id, of: Self.self) { $0 = entry }
  }
}

/// A difference that keeps two entries from being joined.
public enum JoinObstacle: Recordable, Hashable {
  /// The users differ.
  case user
  /// The projects differ.
  case project
  /// The tasks differ.
  case task
  /// Only one of them is billable.
  case billable
  /// The rates differ.
  case rate
  /// Both are billable and the workspaces differ, so their currencies may differ.
  case workspace

  /// Finds the first obstacle; `nil` if the entries can be joined.
  ///
  /// An entry without a project or task takes it from the other. The joined entry has one rate, so
  /// both must be billed alike.
  public init?(_ one: TimeEntry, _ other: TimeEntry) {
    func differs<ID: Equatable>(_ one: ID?, _ other: ID?) -> Bool {
      one != other && one != nil && other != nil
    }
    if one.user != other.user {
      self = .user
    } else if differs(one.project, other.project) {
      self = .project
    } else if differs(one.task, other.task) {
      self = .task
    } else if one.isBillable != other.isBillable {
      self = .billable
    } else if one.isBillable, one.rate != other.rate {
      self = .rate
    } else if one.isBillable, one.workspace != other.workspace {
      self = .workspace
    } else {
      return nil
    }
  }
}
