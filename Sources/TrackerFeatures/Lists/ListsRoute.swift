public import Retrace
public import TimeTracking

/// The screen of the projects, clients, tags and tasks, and of a user's goals.
public struct ListsRoute: Recordable, Hashable {
  /// The user.
  public var user: UserID
  /// What is listed.
  public var kind: ListKind = .projects
  /// The words that listed names contain.
  public var search: TextDraft = TextDraft()  // recorded: constant default
  /// Whether typed text is a search.
  public var isSearching: Bool = false
  /// Whether archived ones are listed, too.
  public var showsArchived: Bool = false
  /// The number of the id of the selected one.
  public var selection: Int64?
  /// The numbers of the ids of those that will be merged, at most ``markedMax``.
  public var marked: [Int64] = []
  /// What will be done once the user confirms it.
  public var question: ListQuestion?
  /// The name that is typed for a new one, or for one that is renamed.
  public var naming: ListNaming?

  /// Creates a fresh screen.
  public init(user: UserID, kind: ListKind = .projects) { (self.user, self.kind) = (user, kind) }

  /// The most marks.
  public static var markedMax: Int { 64 }
}

/// A kind of entities that are listed.
public enum ListKind: Recordable, Hashable, CaseIterable {
  case projects
  case clients
  case tags
  case tasks
  case goals
}

/// A change that the user is asked about.
public enum ListQuestion: Recordable, Hashable {
  /// The marked ones are merged into another one.
  case merge(into: Int64)
  /// One is deleted to which a number of entries refer.
  case delete(Int64, entries: Int64)
}

/// A name that is typed.
public struct ListNaming: Recordable, Hashable {
  /// The number of the id of the one that is renamed; `nil` for a new one.
  public var id: Int64?
  /// The name when the typing began, of a goal with its target; `nil` for a new one.
  public var seen: Name?
  /// The typed name.
  public var name: TextDraft

  /// Creates a value.
  public init(id: Int64? = nil, seen: Name? = nil, name: TextDraft) {
    (self.id, self.seen, self.name) = (id, seen, name)
  }
}

/// An action of the lists.
public enum ListsAction: Recordable, Hashable {
  /// Another kind was chosen.
  case kindSelected(ListKind)
  /// Typed text became a search, or no longer is one.
  case searchFocused(Bool)
  /// The search was edited; nothing is selected then.
  case searched(TextReplacement)
  /// Archived ones were shown or hidden.
  case archivedShown(Bool)
  /// One was selected, or none.
  case selected(Int64?)
  /// One got a mark, or lost it.
  case markToggled(Int64)
  /// All marks were removed.
  case marksCleared
  /// The user is asked, or has answered.
  case asked(ListQuestion?)
  /// The typing of a name began or ended.
  case namingSet(ListNaming?)
  /// The typed name was edited.
  case named(TextReplacement)
}

/// The reducer of the lists.
public struct ListsReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Searches, selects, marks and asks.
  ///
  /// - Complexity: O(bytes of the edited text), O(marks).
  public func reduce(
    _ state: inout ListsRoute, _ action: ListsAction, at moment: Moment
  ) -> Effect<ListsAction, TrackerEnvironment> {
    // A question is about what was shown with it.
    state.question = nil
    switch action {
    case .kindSelected(let kind):
      var fresh = ListsRoute(user: state.user, kind: kind)
      fresh.showsArchived = state.showsArchived
      state = fresh
    case .searchFocused(let isSearching): state.isSearching = isSearching
    case .searched(let edit):
      state.search.apply(edit)
      state.selection = nil
    case .archivedShown(let shows): state.showsArchived = shows
    case .selected(let id): state.selection = id
    case .markToggled(let id):
      if let index = state.marked.firstIndex(of: id) {
        state.marked.remove(at: index)
      } else if state.marked.count < ListsRoute.markedMax {
        state.marked.append(id)
      }
    case .marksCleared: state.marked = []
    case .asked(let question): state.question = question
    case .namingSet(let naming): state.naming = naming
    case .named(let edit): state.naming?.name.apply(edit)
    }
    return .none
  }
}

/// The screen of the projects, clients, tags and tasks, and of a user's goals.
public enum ListsScreen: ScreenModule {
  /// The parameters.
  public typealias Route = ListsRoute
  /// The actions.
  public typealias Action = ListsAction

  /// The reducer.
  public static var reducer: ListsReducer { ListsReducer() }

  /// Returns `lists/USER/KIND`.
  public static func link(of route: ListsRoute) -> DeepLink {
    DeepLink("lists", "\(route.user.value)", route.kind.word)
  }

  /// Reads the link.
  public static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> ListsRoute? {
    guard reader.take("lists") else { return nil }
    let user: UserID = try reader.id()
    for kind in ListKind.allCases where reader.take(kind.word) {
      return ListsRoute(user: user, kind: kind)
    }
    throw reader.unknownComponent
  }

  static func frame(of route: ListsRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(ListsFrame(route, in: context))
  }
}

extension ListKind {
  /// The word of the kind in a path.
  var word: String {
    switch self {
    case .projects: "projects"
    case .clients: "clients"
    case .tags: "tags"
    case .tasks: "tasks"
    case .goals: "goals"
    }
  }

  /// The name of one of them.
  var noun: String { String(word.dropLast()) }

  /// The title.
  var title: String {
    switch self {
    case .projects: "Projects"
    case .clients: "Clients"
    case .tags: "Tags"
    case .tasks: "Tasks"
    case .goals: "Goals"
    }
  }
}

extension ListKind: FieldOfForm {}
