import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// The id of a user.
public struct UserID: EntityID { @usableFromInline var number: Int64 }

/// The id of a workspace.
public struct WorkspaceID: EntityID { @usableFromInline var number: Int64 }

/// The id of a project.
public struct ProjectID: EntityID { @usableFromInline var number: Int64 }

/// The id of a tag.
public struct TagID: EntityID { @usableFromInline var number: Int64 }

/// The id of a time entry.
public struct TimeEntryID: EntityID { @usableFromInline var number: Int64 }
