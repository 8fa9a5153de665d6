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
  /// Whether it is billable; `nil` unless the user said so.
  ///
  /// Then a new entry is billable as its project is, and a recorded one as it was or as another
  /// project is. Older logs have the value of the recorded entry here.
  public var isBillable: Bool?
  /// The focused field.
  public var field: EditorField = .description
  /// The number of requests for another suggestion since the last edit or change of the focus; only
  /// older logs have them.
  public var suggestion: Int64 = 0
  /// The suggestion that the user chose in the list; `nil` for none.
  public var choice: Int64? = nil
  /// Whether the list of suggestions is closed until the focused text is edited.
  public var isListClosed: Bool = false
  /// The task that was taken over with the project.
  public var task: TaskID? = nil
  /// The other entries that are edited with the first one, as a group.
  public var others: [TimeEntryID] = []
  /// The names that saving would create, which the user has been asked about.
  public var asked: NewNames? = nil

  /// The most entries that are edited as a group.
  static var entriesMax: Int { 256 }

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
  /// The task.
  public var task: TaskID? = nil
  /// The fields in which the entries of a group differed; their texts are empty.
  public var mixed: [EditorField] = []
}

/// What saving a form does with names that the user may not expect: it creates them, or keeps one
/// as text.
public struct NewNames: Recordable, Hashable {
  /// The project.
  public var project: Name?
  /// The task of a known project.
  public var task: Name?
  /// The project of the task.
  public var taskProject: ProjectID?
  /// The tags.
  public var tags: [Name] = []
  /// The first project or tag with its sign that the user typed into the description of a recorded
  /// entry, where it is text.
  public var text: Name? = nil

  /// Whether there are none.
  var isEmpty: Bool { !areMade && text == nil }

  /// Whether saving makes one.
  var areMade: Bool { project != nil || task != nil || !tags.isEmpty }
}

/// An action of the form.
public enum EntryEditorAction: Recordable, Hashable {
  /// The text of a field was edited.
  case edited(EditorField, TextReplacement)
  /// Another suggestion was requested; only older logs have it. ``suggestionSelected(_:)`` has
  /// taken its place.
  case suggestionSkipped
  /// Another field got the focus.
  case focused(EditorField)
  /// The entry was set billable or not.
  case billable(Bool)
  /// The fields that the user has not changed got the present values of the entry.
  case refreshed(SeenEntry)
  /// A suggestion was chosen in the list, or none.
  case suggestionSelected(Int64?)
  /// The list of suggestions was closed.
  case listClosed
  /// The task of the project was taken over, or removed.
  case taskTaken(TaskID?)
  /// The user was asked whether to create names.
  case asked(NewNames)
}

extension EntryEditorRoute {
  /// Returns the workspace in which names are looked up.
  func workspace(in domain: DomainState) -> WorkspaceID? {
    if let entry { return domain.timeEntries[entry]?.workspace }
    return domain.users[user]?.workspace
  }

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

  /// Replaces the text of a field.
  mutating func set(_ field: EditorField, to text: String) {
    modify(field) { $0 = TextDraft(text) }
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
  /// Whether a form shows that the entry is billable; `nil` where the entries of a group differ.
  var shownBillable: Bool? { mixed.contains(.billable) ? nil : isBillable }

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
  ) -> Effect<EntryEditorAction, TrackerEnvironment> {
    switch action {
    case .edited(let field, let edit):
      state.modify(field) { $0.apply(edit) }
      state.suggestion = 0
      // The task belongs to the project of the text.
      if field == .project { state.task = nil }
      if field == state.field {
        state.choice = nil
        state.isListClosed = false
      }
    case .suggestionSkipped: state.suggestion &+= 1
    case .focused(let field):
      state.field = field
      state.suggestion = 0
      state.choice = nil
    case .suggestionSelected(let choice): state.choice = choice
    case .listClosed:
      state.choice = nil
      state.isListClosed = true
    case .taskTaken(let task): state.task = task
    case .asked(let names):
      state.asked = names
      // The list may be over the question.
      state.choice = nil
      state.isListClosed = true
    case .billable(let isBillable): state.isBillable = isBillable
    case .refreshed(let seen):
      for field in EditorField.allCases {
        guard let before = state.seen?[field], let now = seen[field] else { continue }
        state.modify(field) { draft in
          let isUnchanged = draft.text.utf8.elementsEqual(before.utf8)
          if isUnchanged, !before.utf8.elementsEqual(now.utf8) { draft = TextDraft(now) }
        }
      }
      if state.isBillable == state.seen?.shownBillable { state.isBillable = nil }
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

  /// Returns `timer/USER/start` or `timer/USER/edit/ENTRY`, with `?other=ENTRY` for each further
  /// entry of a group.
  public static func link(of route: EntryEditorRoute) -> DeepLink {
    guard let entry = route.entry else {
      return DeepLink("timer", "\(route.user.value)", "start")
    }
    var link = DeepLink("timer", "\(route.user.value)", "edit", "\(entry.value)")
    link.items = route.others.map { DeepLink.Item("other", "\($0.value)") }
    return link
  }

  /// Returns `timer/USER/start?description=…&project=…&tag=…&start=…&billable=…`, with the values
  /// that the form of a new entry has, as another program may write it.
  public static func filledLink(of route: EntryEditorRoute) -> DeepLink {
    var link = link(of: route)
    guard route.entry == nil else { return link }
    func add(_ name: String, _ text: String) {
      if !text.isEmpty { link.items.append(DeepLink.Item(name, text)) }
    }
    add("description", route.description.text)
    add("project", route.project.text)
    for tag in TagNames.parse(route.tags.text).names { add("tag", Name(tag).text) }
    add("start", route.start.text)
    if let isBillable = route.isBillable { add("billable", "\(isBillable)") }
    return link
  }

  /// Reads the link; the form has the values of the link, or else is empty.
  ///
  /// - Throws: `invalidItem` for a value that could not be typed: a text of several lines, an
  ///   empty name, or a start that is no time.
  public static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> EntryEditorRoute? {
    guard reader.take("timer"), let user: UserID = try? reader.id() else { return nil }
    var route = EntryEditorRoute(user: user)
    if reader.take("edit") {
      route.entry = try reader.id()
      for text in reader.items("other") {
        guard let number = Int64(text), "\(number)" == text else {
          throw .invalidItem("other", value: text)
        }
        route.others.append(TimeEntryID(value: number))
      }
      guard route.others.count < EntryEditorRoute.entriesMax else {
        throw .repeatedItem("other")
      }
    } else if reader.take("start") {
      try route.readItems(&reader)
    } else {
      return nil
    }
    return route
  }

  static func frame(of route: EntryEditorRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(EntryEditorFrame(route, in: context))
  }
}
