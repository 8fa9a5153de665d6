import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a favourite.
public struct FavoriteID: EntityID { @usableFromInline var number: Int64 }

/// A template for entries that a user starts often.
///
/// Favourites are recorded and undone as other entities are, but no verb and no screen creates one.
public struct Favorite: TableEntity, NamedEntity {
  /// The name.
  public var name: Name
  /// The user.
  public var user: UserID
  /// The description of the work.
  public var description: String = ""
  /// The project, if any.
  public var project: ProjectID?
  /// The task of the project, if any.
  public var task: TaskID?
  /// The tags.
  public var tags: [TagID] = []
  /// Whether its entries are billable; `nil` for the default of the project.
  public var isBillable: Bool?
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates a favourite without a project and tags.
  public init(name: Name, user: UserID) {
    self.name = name
    self.user = user
  }

  /// Returns whether both are of the same user.
  public func isRival(of other: Favorite) -> Bool { user == other.user }

  /// Returns the draft of an entry.
  public func draft(in zone: RecordedZone) -> TimeEntryDraft {
    var draft = TimeEntryDraft(user: .id(user), description: description, zone: zone)
    draft.project = project.map { .id($0) }
    draft.task = task.map { .id($0) }
    draft.tags = tags.map { .id($0) }
    draft.isBillable = isBillable
    return draft
  }

  /// Merges the project and the task as one field.
  public mutating func takeJointFields(of server: Favorite, changedSince base: Favorite) {
    if (server.project, server.task) != (base.project, base.task) {
      (project, task) = (server.project, server.task)
    }
  }
}

/// The changes of the fields of a favourite.
public struct FavoriteChanges: EntityChanges {
  /// The entity.
  public typealias Entity = Favorite

  /// The change of `name`.
  public var name: Change<Name>?
  /// The change of `user`.
  public var user: Change<UserID>?
  /// The change of `description`.
  public var description: Change<String>?
  /// The change of `project`.
  public var project: Change<ProjectID?>?
  /// The change of `task`.
  public var task: Change<TaskID?>?
  /// The change of `tags`.
  public var tags: Change<[TagID]>?
  /// The change of `isBillable`.
  public var isBillable: Change<Bool?>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}

extension Favorite: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(user) || entity.has(project) || entity.has(task)
      || tags.contains { entity.has($0) }
  }
}
