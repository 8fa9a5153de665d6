import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// The id of a user.
public struct UserID: EntityID {
  /// The number of the user.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "UserID" }
}

/// The id of a workspace.
public struct WorkspaceID: EntityID {
  /// The number of the workspace.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "WorkspaceID" }
}

/// The id of a project.
public struct ProjectID: EntityID {
  /// The number of the project.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "ProjectID" }
}

/// The id of a tag.
public struct TagID: EntityID {
  /// The number of the tag.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "TagID" }
}

/// The id of a time entry.
public struct TimeEntryID: EntityID {
  /// The number of the time entry.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "TimeEntryID" }
}
