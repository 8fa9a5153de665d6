public import RetraceSchema

/// The change of one entity of a table, or of everything outside tables, between two states.
public struct StateChange: Hashable, Sendable {
  /// The kind of a change.
  public enum Kind: String, Hashable, Sendable {
    /// It exists only in the new state.
    case created
    /// It exists in both states and differs.
    case changed
    /// It exists only in the old state.
    case removed
  }

  /// The entity; `nil` for everything outside tables.
  public var entity: Entity?
  /// The kind of the change.
  public var kind: Kind
  /// The places that differ, by their paths within the entity or the state.
  public var fields: [ValueDifference]

  /// An entity and its place in the state.
  public struct Entity: Hashable, Sendable {
    /// The recorded name of its type.
    public var name: String
    /// The integer value of its id.
    public var id: Int64
    /// The path of its table in the state, such as `timeline.entries`.
    public var table: String

    /// Creates a description.
    public init(name: String, id: Int64, table: String) {
      self.name = name
      self.id = id
      self.table = table
    }

    /// The path of the entity, such as `timeline.entries[42]`.
    public var path: String { "\(table)[\(id)]" }
  }

  /// Creates a change.
  public init(entity: Entity?, kind: Kind, fields: [ValueDifference]) {
    self.entity = entity
    self.kind = kind
    self.fields = fields
  }
}

/// The differences between two states, up to a limit.
public struct StateDifference: Hashable, Sendable {
  /// The change outside tables, then the changes of each table, sorted by the ids of the entities.
  public var changes: [StateChange]
  /// Whether changes, or values in them, were omitted because of the limit.
  public var isTruncated: Bool

  /// Creates a difference.
  public init(changes: [StateChange] = [], isTruncated: Bool = false) {
    self.changes = changes
    self.isTruncated = isTruncated
  }

  /// Whether the states are the same.
  public var isEmpty: Bool { changes.isEmpty }
}
