public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Projects.
public enum ProjectsAction: Recordable, Codable {
  /// A project was added.
  case created(name: String, color: Int32)
  /// Another name.
  case renamed(ProjectID, String)
  /// Another colour.
  case recolored(ProjectID, Int32)
  /// The project was archived.
  case archived(ProjectID)
  /// The project was restored.
  case restored(ProjectID)
  /// Made a favourite, or no longer one.
  case favored(ProjectID)
  /// Another order of the list.
  case sorted(by: SortOrder)
}

/// The orders of a list.
public enum SortOrder: Recordable, Codable {
  /// By name.
  case name
  /// By the last use.
  case recent
  /// By colour.
  case color
}

/// A project.
public struct Project: TableEntity {
  /// The name.
  public var name: String
  /// The colour.
  public var color: Int32
  /// Whether the project is archived.
  public var isArchived: Bool
  /// Whether it is a favourite.
  public var isFavorite: Bool
}

/// The projects.
public struct Projects: RecordedState {
  /// The projects.
  public var table: EntityTable<ProjectID, Project> = EntityTable()
  /// The order of the list.
  public var order: SortOrder = .name
  /// How many actions named a project that is not there.
  public var missing: Int64 = 0

  /// Makes an empty list.
  public init() {}
}

extension Projects {
  mutating func create(_ name: String, _ color: Int32) {
    table.insert(Project(name: name, color: color, isArchived: false, isFavorite: false))
  }

  @inline(__always)
  mutating func change(_ id: ProjectID, _ body: (inout Project) -> Void) {
    if table.modify(id, { body(&$0) }) == nil { missing &+= 1 }
  }
}

/// Reduces ``ProjectsAction``.
public struct ProjectsReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes the list.
  public func reduce(
    _ state: inout Projects, _ action: ProjectsAction, at moment: Moment
  ) -> Effect<ProjectsAction, Never> {
    switch action {
    case .created(let name, let color): state.create(name, color)
    case .renamed(let id, let name): state.change(id) { $0.name = name }
    case .recolored(let id, let color): state.change(id) { $0.color = color }
    case .archived(let id): state.change(id) { $0.isArchived = true }
    case .restored(let id): state.change(id) { $0.isArchived = false }
    case .favored(let id): state.change(id) { $0.isFavorite.toggle() }
    case .sorted(let order): state.order = order
    }
    return .none
  }
}
