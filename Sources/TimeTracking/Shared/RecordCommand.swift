import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// A command about an entity of which everything may be changed: all but time entries and imports.
public enum RecordCommand<ID: EntityID, Changes: EntityChanges>: Recordable, Equatable {
  /// Create an entity.
  case create(Changes.Entity)
  /// Change fields of an entity, from the values that the user saw.
  case change(ID, Changes, reason: String?)
  /// Delete an entity; its history stays, and so does its name where it is used.
  case delete(ID, reason: String?)
  /// Make an entity an alias of another: what refers to it then means the other.
  case merge(ID, into: ID, reason: String?)
  /// Record the id that an entity has in another system.
  case link(ID, ExternalID)
}

/// The reasons for which such a command is refused.
public enum RecordRefusal: Recordable, Hashable, Error {
  /// There is no such entity, or it is deleted.
  case unknown(type: String, id: Int64)
  /// The name is empty.
  case nameEmpty
  /// The name is longer than ``Name/bytesMax``.
  case nameTooLong(bytes: Int64)
  /// Another entity of the same kind and place has the name.
  case nameTaken(Name)
  /// Fields were changed by somebody else since the user saw them.
  case changedMeanwhile([String])
  /// The entity is still used by others, such as a workspace with projects.
  case inUse(type: String, id: Int64)
  /// A value is outside what is allowed; the text names the field.
  case invalid(field: String)
  /// The entity cannot be merged: with itself, with one of another place, or twice.
  case cannotMerge
  /// The id of the other system belongs to another entity.
  case externalIDTaken(ExternalID)
}
