public import Retrace

/// The name of an entity on a command line, as in `TimeEntry=42`.
///
/// It has the recorded type of the entity or of its id, and the number of the id.
///
/// ```swift
/// var replayer = try Replayer<CounterApp>(storage)
/// if let name = EntityName("Count=0") {
///   _ = try replayer.forEachChange(of: name, through: replayer.last) { (change: EntityChange) in
///     print(change.envelope.sequence, change.change.kind)
///     return true
///   }
/// }
/// ```
public struct EntityName: Hashable, Sendable {
  /// The recorded name of the type of the entity or of its id.
  public var type: String
  /// The number of the id.
  public var id: Int64

  /// Creates a name.
  public init(type: String, id: Int64) {
    self.type = type
    self.id = id
  }

  /// Parses `TYPE=ID`; `nil` for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let id = Int64(parts[1]) else { return nil }
    self.init(type: String(parts[0]), id: id)
  }
}

extension EntityName {
  /// Returns the recorded names of the entities in the tables of a state, in order.
  ///
  /// - Complexity: O(tables).
  public static func typeNames<State: RecordedState>(in state: State) -> [String] {
    var composer = SchemaComposer()
    return TableDescription.all(of: state, State.stateSchema(in: &composer)).map(\.entity)
  }
}
