import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// A command about any entity but a time entry or an import.
public enum EntityCommand<ID: EntityID, Changes>: Recordable, Equatable
where Changes: EntityChanges {  // recorded: RecordCommand
  /// Create an entity.
  case create(
    Changes.Entity,
    rules: RuleSet = .latest  // recorded: default .first
  )
  /// Change fields of an entity, given the values that the user saw. A change that puts the rates
  /// of entries into another currency is refused unless `changesCurrency` is set.
  case change(
    ID, Changes,
    rules: RuleSet = .latest,  // recorded: default .first
    changesCurrency: Bool = false, reason: String?)
  /// Delete an entity. Its history stays, and references to it keep its name.
  case delete(ID, reason: String?)
  /// Make an entity an alias of another, so that references to it mean the other.
  case merge(
    ID, into: ID,
    rules: RuleSet = .latest,  // recorded: default .first
    reason: String?)
  /// Record the id that an entity has in another system.
  case link(ID, ExternalID)
}

/// A refusal of such a command.
public enum EntityRefusal: Recordable, Hashable, Error {  // recorded: RecordRefusal
  /// There is no such entity, or it is deleted.
  case unknown(type: String, id: Int64)
  /// The name is empty.
  case nameEmpty
  /// The name is longer than ``Name/bytesMax``.
  case nameTooLong(bytes: Int64)
  /// Another entity of the same kind and scope has the name.
  case nameTaken(Name)
  /// Fields have changed since the user saw them.
  case changedMeanwhile([String])
  /// Other entities refer to the entity, such as the projects of a workspace.
  case inUse(type: String, id: Int64)
  /// The value of a field is not allowed.
  case invalid(field: String)
  /// The entity cannot be merged: with itself, with an entity of another scope, or twice.
  case cannotMerge
  /// The id of the other system belongs to another entity.
  case externalIDTaken(ExternalID)
  /// The entities to be merged both have parts, such as the tasks of a project, with these names,
  /// at most ``namesMax``. The type is the recorded name of the ids of the parts.
  case shareNames(type: String, names: [Name])
  /// This number of entries would keep their rates unconverted in another currency, or in none.
  indirect case changesCurrency(entries: Int64, from: String, to: String?)
  /// The entity that an entry refers to is of another workspace than the entry.
  case inOtherWorkspace(type: String, id: Int64)
}

extension EntityRefusal {
  /// The most names in one refusal.
  public static var namesMax: Int { 1_000 }
}
