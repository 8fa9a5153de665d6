import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a task.
public struct TaskID: EntityID { @usableFromInline var number: Int64 }

/// A part of a project.
public struct ProjectTask: TableEntity, MergeableEntity {
  /// The type of the id.
  public typealias ID = TaskID

  /// The name.
  public var name: Name
  /// The project.
  public var project: ProjectID
  /// The time that it is expected to take.
  public var estimate: ElapsedTime? = nil
  /// Whether it is out of use, and not offered any more.
  public var isArchived: Bool = false
  /// The one that this is an alias of.
  public var mergedInto: TaskID? = nil
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// When it was changed last.
  public var modified: Moment = Moment(microseconds: 0)
  /// When it was deleted.
  public var deleted: Moment?

  /// Makes a task.
  public init(name: Name, project: ProjectID) {
    self.name = name
    self.project = project
  }

  /// Returns whether both are in the same place.
  public func isRival(of other: ProjectTask) -> Bool { project == other.project }
}

/// The changes of the fields of a task.
public struct ProjectTaskChanges: EntityChanges {
  /// The entity.
  public typealias Entity = ProjectTask

  /// The change of `name`.
  public var name: Change<Name>?
  /// The change of `project`.
  public var project: Change<ProjectID>?
  /// The change of `estimate`.
  public var estimate: Change<ElapsedTime?>?
  /// The change of `isArchived`.
  public var isArchived: Change<Bool>?
  /// The change of `mergedInto`.
  public var mergedInto: Change<TaskID?>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?

  /// Makes a value without changes.
  public init() {}
}
