public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Tags.
public enum TagsAction: Recordable, Codable {
  /// A tag was added.
  case created(String)
  /// Another name.
  case renamed(TagID, String)
  /// Used once more.
  case used(TagID)
  /// The uses of another tag were added.
  case counted(TagID, with: TagID)
  /// What is searched for.
  case searched(String)
  /// Nothing is searched for.
  case cleared
}

/// A tag.
public struct Tag: TableEntity {
  /// The name.
  public var name: String
  /// How often it was used.
  public var uses: Int64
}

/// The tags.
public struct Tags: RecordedState {
  /// The tags.
  public var table: EntityTable<TagID, Tag> = EntityTable()
  /// What is searched for.
  public var query: String = ""
  /// How many actions named a tag that is not there.
  public var missing: Int64 = 0

  /// Makes an empty list.
  public init() {}
}

extension Tags {
  mutating func create(_ name: String) {
    table.insert(Tag(name: name, uses: 0))
  }

  @inline(__always)
  mutating func change(_ id: TagID, _ body: (inout Tag) -> Void) {
    if table.modify(id, { body(&$0) }) == nil { missing &+= 1 }
  }

  mutating func count(_ id: TagID, with other: TagID) {
    guard let uses = table.read(other, { $0.uses }) else { return missing &+= 1 }
    change(id) { $0.uses &+= uses }
  }
}

/// Reduces ``TagsAction``.
public struct TagsReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes the list.
  public func reduce(
    _ state: inout Tags, _ action: TagsAction, at moment: Moment
  ) -> Effect<TagsAction, Never> {
    switch action {
    case .created(let name): state.create(name)
    case .renamed(let id, let name): state.change(id) { $0.name = name }
    case .used(let id): state.change(id) { $0.uses &+= 1 }
    case .counted(let id, let other): state.count(id, with: other)
    case .searched(let text): state.query = text
    case .cleared: state.query = ""
    }
    return .none
  }
}
