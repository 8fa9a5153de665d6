import RetraceArchitecture
public import RetraceAvro
public import RetraceScreen
public import RetraceState

/// An entry that is being written: all fields as text with their cursors.
public struct StartEditDraft: Recordable, Hashable {
  /// A field of the screen, in the order in which Tab visits them.
  public enum Field: Recordable, Hashable, CaseIterable {
    /// What is done; `@name` gives a project, `#name` a tag.
    case description
    /// The name of the project.
    case project
    /// The names of tags, separated by commas.
    case tags
    /// The start by the local clock; empty means now.
    case start
    /// The duration; empty means running.
    case duration
    /// Billable or not.
    case billable
  }

  /// Whose entry it is.
  public var user: UserID
  /// The entry that is changed; `nil` for a new one.
  public var entry: TimeEntryID?
  /// What is done.
  public var description: TextField
  /// The name of the project.
  public var project: TextField
  /// The names of tags, separated by commas.
  public var tags: TextField
  /// The start by the local clock, as `2026-11-21 09:30:00` or `09:30`.
  public var start: TextField
  /// The duration, as `1:30`, `1:30:00` or minutes.
  public var duration: TextField
  /// Whether it is billable.
  public var isBillable: Bool
  /// The field that takes the keys.
  public var field: Field

  /// Makes a fresh draft.
  public init(user: UserID, entry: TimeEntryID? = nil) {
    self.user = user
    self.entry = entry
    description = TextField()
    project = TextField()
    tags = TextField()
    start = TextField()
    duration = TextField()
    isBillable = false
    field = .description
  }
}

/// What happened on the screen that starts or edits an entry.
public enum StartEditAction: Recordable, Equatable {
  /// The focused field was edited.
  case edited(TextEdit)
  /// Another field took the keys.
  case focused(StartEditDraft.Field)
  /// Billable became not billable, or the other way round.
  case billableToggled
  /// The draft was confirmed.
  ///
  /// `start` is the moment that the text of the start means in the zone of the machine, `nil` when
  /// the text is empty; `zone` is that zone at the start.
  case confirmed(start: Moment?, zone: RecordedZone)
  /// The draft was confirmed and cannot be read.
  case confirmRefused(Refusal)
}

extension StartEditDraft {
  /// The text of a field; the flag of billable has none.
  public subscript(field: Field) -> TextField? {
    switch field {
    case .description: description
    case .project: project
    case .tags: tags
    case .start: start
    case .duration: duration
    case .billable: nil
    }
  }

  /// Changes the text of the focused field in place.
  mutating func edit(_ edit: TextEdit) {
    switch field {
    case .description: description.apply(edit)
    case .project: project.apply(edit)
    case .tags: tags.apply(edit)
    case .start: start.apply(edit)
    case .duration: duration.apply(edit)
    case .billable: break
    }
  }
}
