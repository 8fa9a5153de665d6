public import Retrace
public import TimeTracking

/// The screen on which an entry is started, added or edited: a form of texts.
///
/// A form for an entry keeps the values that it was made from. So saving changes only the fields
/// whose texts the user changed, whatever happened to the entry meanwhile.
public struct EntryEditorRoute: Recordable, Hashable {
  /// The user of the entry.
  public var user: UserID
  /// The entry that is edited; `nil` for a new one.
  public var entry: TimeEntryID?
  /// The values that the form was made from; `nil` for a new entry.
  public var seen: SeenEntry?
  /// The description of the work.
  public var description: TextDraft = TextDraft()  // recorded: constant default
  /// The name of the project.
  public var project: TextDraft = TextDraft()  // recorded: constant default
  /// The names of tags, separated by commas; a name with a comma is in quotes.
  public var tags: TextDraft = TextDraft()  // recorded: constant default
  /// The start, such as `9:30` or `yesterday 17:00`.
  public var start: TextDraft = TextDraft()  // recorded: constant default
  /// The end.
  public var end: TextDraft = TextDraft()  // recorded: constant default
  /// The duration, such as `1:30` or `1.5h`.
  public var duration: TextDraft = TextDraft()  // recorded: constant default
  /// Whether it is billable; `nil` for the default of the project.
  public var isBillable: Bool?
  /// The focused field.
  public var field: EditorField = .description
  /// The number of requests for another suggestion since the last edit or change of the focus.
  public var suggestion: Int64 = 0

  /// Creates an empty form for a new entry.
  public init(user: UserID) { self.user = user }
}

/// A field of the form, in the order in which tab visits them.
public enum EditorField: Recordable, Hashable, CaseIterable {
  case description
  case project
  case tags
  case start
  case end
  case duration
  case billable
}

/// The values of an entry from which a form was made, and the texts that showed them.
public struct SeenEntry: Recordable, Hashable {
  /// The description, which is also its text.
  public var description: String
  /// The project.
  public var project: ProjectID?
  /// The text of the project.
  public var projectText: String
  /// The tags.
  public var tags: [TagID]
  /// The text of the tags.
  public var tagsText: String
  /// The start.
  public var start: Moment
  /// The text of the start.
  public var startText: String
  /// The end; `nil` if the entry was running.
  public var end: Moment?
  /// The text of the end.
  public var endText: String
  /// The text of the duration.
  public var durationText: String
  /// The recorded zone of the entry.
  public var zone: RecordedZone
  /// Whether it was billable.
  public var isBillable: Bool
}

/// An action of the form.
public enum EntryEditorAction: Recordable, Hashable {
  /// The text of a field was edited.
  case edited(EditorField, TextReplacement)
  /// Another suggestion was requested.
  case suggestionSkipped
  /// Another field got the focus.
  case focused(EditorField)
  /// The entry was set billable or not.
  case billable(Bool)
  /// The fields that the user has not changed got the present values of the entry.
  case refreshed(SeenEntry)
}

extension EntryEditorRoute {
  /// The text of a field; `nil` for billable.
  subscript(field: EditorField) -> TextDraft? {
    switch field {
    case .description: description
    case .project: project
    case .tags: tags
    case .start: start
    case .end: end
    case .duration: duration
    case .billable: nil
    }
  }

  /// Calls `body` with the text of a field in place.
  fileprivate mutating func modify(_ field: EditorField, _ body: (inout TextDraft) -> Void) {
    switch field {
    case .description: body(&description)
    case .project: body(&project)
    case .tags: body(&tags)
    case .start: body(&start)
    case .end: body(&end)
    case .duration: body(&duration)
    case .billable: break
    }
  }
}

extension SeenEntry {
  /// The text of a field; `nil` for billable.
  subscript(field: EditorField) -> String? {
    switch field {
    case .description: description
    case .project: projectText
    case .tags: tagsText
    case .start: startText
    case .end: endText
    case .duration: durationText
    case .billable: nil
    }
  }
}

/// The reducer of the form.
public struct EntryEditorReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Edits the form.
  ///
  /// - Complexity: O(bytes of the field); of all fields where they are refreshed.
  public func reduce(
    _ state: inout EntryEditorRoute, _ action: EntryEditorAction, at moment: Moment
  ) -> Effect<EntryEditorAction, Never> {
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
      for field in EditorField.allCases {
        guard let before = state.seen?[field], let now = seen[field] else { continue }
        state.modify(field) { draft in
          let isUnchanged = draft.text.utf8.elementsEqual(before.utf8)
          if isUnchanged, !before.utf8.elementsEqual(now.utf8) { draft = TextDraft(now) }
        }
      }
      if state.isBillable == state.seen?.isBillable { state.isBillable = seen.isBillable }
      state.seen = seen
    }
    return .none
  }
}

/// The screen on which an entry is started, added or edited.
public enum EntryEditorScreen: ScreenModule {
  /// The parameters.
  public typealias Route = EntryEditorRoute
  /// The actions.
  public typealias Action = EntryEditorAction

  /// The reducer.
  public static var reducer: EntryEditorReducer { EntryEditorReducer() }

  /// Returns `timer/USER/start` or `timer/USER/edit/ENTRY`.
  public static func link(of route: EntryEditorRoute) -> DeepLink {
    route.entry.map { DeepLink("timer", "\(route.user.value)", "edit", "\($0.value)") }
      ?? DeepLink("timer", "\(route.user.value)", "start")
  }

  /// Reads the link; the form is empty.
  public static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> EntryEditorRoute? {
    guard reader.take("timer"), let user: UserID = try? reader.id() else { return nil }
    var route = EntryEditorRoute(user: user)
    if reader.take("edit") {
      route.entry = try reader.id()
    } else if !reader.take("start") {
      return nil
    }
    return route
  }

  static func frame(of route: EntryEditorRoute, in context: FrameContext) -> AnyScreenFrame {
    AnyScreenFrame(EntryEditorFrame(route, in: context))
  }
}
