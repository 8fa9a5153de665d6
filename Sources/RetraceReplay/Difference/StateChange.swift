import RetraceAvro
public import RetraceSchema

/// What became of one entity of a table, or of all that lies in no table, between two states.
public struct StateChange: Hashable, Sendable {
  /// What became of it.
  public enum Kind: String, Hashable, Sendable {
    /// It was not there before.
    case created
    /// It was there and is another.
    case changed
    /// It is there no more.
    case removed
  }

  /// The entity; `nil` for what lies in no table.
  public var entity: Entity?
  /// What became of it.
  public var kind: Kind
  /// The places that differ, by their paths below the entity, or below the state.
  public var fields: [ValueDifference]

  /// An entity and where it lies.
  public struct Entity: Hashable, Sendable {
    /// The name of its type, as it is recorded.
    public var name: String
    /// Its number.
    public var id: Int64
    /// The path of its table in the state, such as `timeline.entries`.
    public var table: String

    /// Makes a description.
    public init(name: String, id: Int64, table: String) {
      self.name = name
      self.id = id
      self.table = table
    }

    /// The path of the entity, such as `timeline.entries[42]`.
    public var path: String { "\(table)[\(id)]" }
  }

  /// Makes a change.
  public init(entity: Entity?, kind: Kind, fields: [ValueDifference]) {
    self.entity = entity
    self.kind = kind
    self.fields = fields
  }
}

/// What differs between two states, up to a limit.
public struct StateDifference: Hashable, Sendable {
  /// What differs outside of tables, then the tables in order, each by the ids of its entities.
  public var changes: [StateChange]
  /// Whether there is more than was wanted.
  public var isCut: Bool

  /// Makes a difference.
  public init(changes: [StateChange] = [], isCut: Bool = false) {
    self.changes = changes
    self.isCut = isCut
  }

  /// Whether the states are the same.
  public var isEmpty: Bool { changes.isEmpty }
}
