import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a time entry.
public struct EntryID: EntityID, Codable {
  /// The number of the entry.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "EntryID" }
}

/// The id of a project.
public struct ProjectID: EntityID, Codable {
  /// The number of the project.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "ProjectID" }
}

/// The id of a tag.
public struct TagID: EntityID, Codable {
  /// The number of the tag.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "TagID" }
}

/// The id of a client.
public struct ClientID: EntityID, Codable {
  /// The number of the client.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "ClientID" }
}

/// A time entry of the workload.
public struct Entry: TableEntity {
  /// What was done.
  public var description: String
  /// The project, if it has one.
  public var project: ProjectID?
  /// The number of a task, if it has one.
  public var task: Int64?
  /// The tags, in the order given.
  public var tags: [TagID]
  /// When it began.
  public var start: Moment
  /// How long it took; `nil` while it runs.
  public var duration: ElapsedTime?
  /// Whether it is billable.
  public var isBillable: Bool
  /// A colour.
  public var color: Int32
  /// How many changes it has seen.
  public var revision: Int32

  /// The start in microseconds.
  public var sortKey: Int64 { start.microseconds }
}

/// What an entry begins with.
public struct EntryDraft: Recordable, Codable {
  /// What is done.
  public var description: String
  /// The project, if it has one.
  public var project: ProjectID?
  /// The number of a task, if it has one.
  public var task: Int64?
  /// The tags, in any order.
  public var tags: [TagID]
  /// When it began; without one at the moment of the action.
  public var start: Moment?
  /// Whether it is billable.
  public var isBillable: Bool
}

extension EntryDraft {
  /// Makes a draft, for other modules.
  ///
  /// It is in an extension, so that the struct keeps its memberwise initialiser.
  public init(
    of description: String, project: ProjectID? = nil, task: Int64? = nil, tags: [TagID] = [],
    start: Moment? = nil, isBillable: Bool = false
  ) {
    self.init(
      description: description, project: project, task: task, tags: tags, start: start,
      isBillable: isBillable)
  }
}

/// New values of some fields of an entry; `nil` leaves a field as it is.
public struct EntryPatch: Recordable, Codable {
  /// Another description.
  public var description: String?
  /// Another project.
  public var project: ProjectID?
  /// Other tags.
  public var tags: [TagID]?
  /// Another start.
  public var start: Moment?
  /// Another duration.
  public var duration: ElapsedTime?
  /// Billable or not.
  public var isBillable: Bool?
}

extension EntryPatch {
  /// Makes a patch, for other modules.
  ///
  /// It is in an extension, so that the struct keeps its memberwise initialiser.
  public init(
    to description: String?, project: ProjectID? = nil, tags: [TagID]? = nil,
    start: Moment? = nil, duration: ElapsedTime? = nil, isBillable: Bool? = nil
  ) {
    self.init(
      description: description, project: project, tags: tags, start: start, duration: duration,
      isBillable: isBillable)
  }
}
