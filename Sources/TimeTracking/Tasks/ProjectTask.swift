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
  /// The estimated time.
  public var estimate: ElapsedTime? = nil
  /// Whether it is archived: kept, but no longer offered.
  public var isArchived: Bool = false
  /// The task that it is merged into, if any.
  public var mergedInto: TaskID? = nil
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates a task.
  public init(name: Name, project: ProjectID) {
    self.name = name
    self.project = project
  }

  /// Returns whether both are in the same project.
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
}

extension ProjectTask: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(project) || entity.has(mergedInto)
  }
}
