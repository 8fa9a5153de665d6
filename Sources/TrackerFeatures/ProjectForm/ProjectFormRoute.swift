public import Retrace
public import TimeTracking

/// The screen on which a project is made or changed: a form of texts.
///
/// A form for a project keeps the values that it was made from. So saving changes only the fields
/// that the user changed, whatever happened to the project meanwhile.
public struct ProjectFormRoute: Recordable, Hashable {
  /// The user, in whose workspace a new project is made.
  public var user: UserID
  /// The project that is edited; `nil` for a new one.
  public var project: ProjectID?
  /// The values that the form was made from; `nil` for a new project.
  public var seen: SeenProject?
  /// The name.
  public var name: TextDraft = TextDraft()  // recorded: constant default
  /// The name of the client.
  public var client: TextDraft = TextDraft()  // recorded: constant default
  /// The price of an hour, such as `85.50`.
  public var rate: TextDraft = TextDraft()  // recorded: constant default
  /// The estimated time, such as `40h`.
  public var estimate: TextDraft = TextDraft()  // recorded: constant default
  /// The color: a name, or #rrggbb.
  public var color: TextDraft = TextDraft()  // recorded: constant default
  /// Whether new entries are billable; `nil` unless the user said so.
  public var isBillable: Bool?
  /// The focused field.
  public var field: ProjectField = .name
  /// The number of requests for another client since the last edit or change of the focus.
  public var suggestion: Int64 = 0

  /// Creates an empty form for a new project.
  public init(user: UserID) { self.user = user }
}

/// A field of the form, in the order in which tab visits them.
public enum ProjectField: Recordable, Hashable, CaseIterable {
  case name
  case client
  case rate
  case estimate
  case color
  case billable
}

/// The values of a project from which a form was made, and the texts that showed them.
public struct SeenProject: Recordable, Hashable {
  /// The name, which is also its text.
  public var name: Name
  /// The client.
  public var client: ClientID?
  /// The text of the client.
  public var clientText: String
  /// The rate, in hundredths of the currency.
  public var rate: Int64?
  /// The text of the rate.
  public var rateText: String
  /// The estimated time.
  public var estimate: ElapsedTime?
  /// The text of the estimated time.
  public var estimateText: String
  /// The color.
  public var color: Int32
  /// The text of the color.
  public var colorText: String
  /// Whether new entries are billable.
  public var isBillable: Bool
}

/// An action of the form.
public enum ProjectFormAction: Recordable, Hashable {
  /// The text of a field was edited.
  case edited(ProjectField, TextReplacement)
  /// Another suggestion was requested.
  case suggestionSkipped
  /// Another field got the focus.
  case focused(ProjectField)
  /// New entries were set billable or not.
  case billable(Bool)
  /// The fields that the user has not changed got the present values of the project.
  case refreshed(SeenProject)
}

extension ProjectFormRoute {
  /// The text of a field; `nil` for billable.
  subscript(field: ProjectField) -> TextDraft? {
    switch field {
    case .name: name
    case .client: client
    case .rate: rate
    case .estimate: estimate
    case .color: color
    case .billable: nil
    }
  }

  /// Calls `body` with the text of a field in place.
  fileprivate mutating func modify(_ field: ProjectField, _ body: (inout TextDraft) -> Void) {
    switch field {
    case .name: body(&name)
    case .client: body(&client)
    case .rate: body(&rate)
    case .estimate: body(&estimate)
    case .color: body(&color)
    case .billable: break
    }
  }
}

extension SeenProject {
  /// The text of a field; `nil` for billable.
  subscript(field: ProjectField) -> String? {
    switch field {
    case .name: name.text
    case .client: clientText
    case .rate: rateText
    case .estimate: estimateText
    case .color: colorText
    case .billable: nil
    }
  }
}

/// The reducer of the form.
public struct ProjectFormReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Edits the form.
  ///
  /// - Complexity: O(bytes of the field); of all fields where they are refreshed.
  public func reduce(
    _ state: inout ProjectFormRoute, _ action: ProjectFormAction, at moment: Moment
  ) -> Effect<ProjectFormAction, TrackerEnvironment> {
    switch action {
    case .edited(let field, let edit):
      state.modify(field) { $0.apply(edit) }
      state.suggestion = 0
    case .suggestionSkipped: state.suggestion &+= 1
    case .focused(let field):
      state.field = field
      state.suggestion = 0
    case .billable(let isBillable): state.isBillable = isBillable
    case .refreshed(let seen):
      for field in ProjectField.allCases {
        guard let before = state.seen?[field], let now = seen[field] else { continue }
        state.modify(field) { draft in
          let isUnchanged = draft.text.utf8.elementsEqual(before.utf8)
          if isUnchanged, !before.utf8.elementsEqual(now.utf8) { draft = TextDraft(now) }
        }
      }
      state.seen = seen
    }
    return .none
  }
}

/// The screen on which a project is made or changed.
public enum ProjectFormScreen: ScreenModule {
  /// The parameters.
  public typealias Route = ProjectFormRoute
  /// The actions.
  public typealias Action = ProjectFormAction

  /// The reducer.
  public static var reducer: ProjectFormReducer { ProjectFormReducer() }

  /// Returns `lists/USER/projects/new` or `lists/USER/projects/PROJECT`.
  public static func link(of route: ProjectFormRoute) -> DeepLink {
    DeepLink(
      "lists", "\(route.user.value)", "projects",
      route.project.map { "\($0.value)" } ?? "new")
  }

  /// Reads the link; the form is empty.
  public static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> ProjectFormRoute? {
    guard reader.take("lists"), let user: UserID = try? reader.id(), reader.take("projects"),
      !reader.isAtEnd
    else { return nil }
    var route = ProjectFormRoute(user: user)
    if !reader.take("new") { route.project = try reader.id() }
    return route
  }

  static func frame(of route: ProjectFormRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(ProjectFormFrame(route, in: context))
  }
}
