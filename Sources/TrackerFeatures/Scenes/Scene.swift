public import Retrace
public import TimeTracking

/// A window of the app: its routes and its notice.
public struct Scene: Recordable, Equatable, Composed {
  /// The routes from the root to the one shown.
  public var stack: BackStack<TrackerRoute>
  /// Whether the list of keys is shown over the screen.
  public var isHelpShown: Bool
  /// The notice about the last input, which is shown until the next input or change; see
  /// ``notice(in:)``.
  public var notice: Notice?
  /// The number of undoable facts when the notice was given, by which a later change is known.
  public var factsAtNotice: Int64 = 0
  /// The refused command that can be confirmed.
  public var question: Question?
  /// The target of the last action whose target did not exist.
  public var missing: MissingTarget?
  /// What the user typed into screens that were left, the last one at the end; at most
  /// ``KeptDraft/countMax``.
  public var drafts: [KeptDraft] = []
  /// How the user saw the scene at the last action.
  public var seen: SeenFrame? = nil
  /// The last sleep of the machine that the user was asked about.
  public var forgotten: Forgotten?
  /// The command palette; `nil` if it is closed.
  public var palette: CommandPalette? = nil
  /// The events of other calendars, as a driver has read them.
  public var events: SceneEvents = SceneEvents()  // recorded: constant default
  /// The groups of reports that were chosen last; empty for those of a fresh report.
  public var reportGrouping: [ReportGrouping] = []
  /// The rounding of reports that was chosen last; empty for none.
  public var reportRounding: String = ""

  /// Creates a scene that asks for the user.
  public init() {
    stack = BackStack(root: .users(UsersRoute()))
    isHelpShown = false
  }
}

extension Scene {
  /// Returns the notice, unless the entities have changed since it was given.
  ///
  /// So the notice ends for every process at the same record, and no record says that it ended.
  public func notice(in domain: DomainState) -> Notice? {
    factsAtNotice == domain.undoableFacts ? notice : nil
  }
}

extension Scene {
  /// Removes the screens and the drafts of the user, and shows another screen.
  mutating func signOut(to route: TrackerRoute) {
    let user = stack.top.user
    stack.replaceAll(with: route)
    drafts.removeAll { $0.route.user == user }
    (forgotten, isHelpShown) = (nil, false)
  }
}

extension Scene: ReportsMissingTarget {
  /// Records the missing target.
  public mutating func targetWasMissing(_ target: MissingTarget) { missing = target }
}

/// A change within one scene.
public enum SceneChange: Recordable, Equatable, Composed {
  /// An action of the screen of a route.
  case screen(RouteID, TrackerScreenAction)
  /// A screen was opened above the others.
  case pushed(TrackerRoute)
  /// A screen was left, with the screens above it.
  case popped(RouteID)
  /// All screens were replaced; the first is the root.
  case wentTo([TrackerRoute])
  /// The timer of the user with a name was opened.
  case userOpened(Name)
  /// The list of keys was shown or hidden.
  case helpToggled
  /// A notice about an input was shown or removed.
  case told(Notice?)
  /// A command was refused that can be confirmed.
  case asked(Question)
  /// The terminal of the session has told what it can do, or did not answer in time.
  ///
  /// The user did nothing. No screen depends on it, so no state keeps it: the log says on what the
  /// session was seen.
  case terminalSettled(TerminalFeatures)
  /// A screen was left, with the screens above it, and what the user typed into them was kept.
  case draftKept(RouteID)
  /// A kept screen was brought back; the one of the same kind that was shown took its place.
  case draftOpened(RouteID)
  /// The terminal was seen in another way at the next change; the user did nothing yet.
  case seen(SeenFrame)
  /// The machine has slept while an entry of the user ran.
  ///
  /// The user did nothing.
  case forgot(Forgotten)
  /// The user signed out: the token of the account is removed, what was typed for this user and not
  /// saved was dropped, and the scene asks for a user.
  case signedOut
  /// The command palette was opened.
  case paletteOpened
  /// The text of the command palette was edited; its first row is selected then.
  case paletteTyped(TextReplacement)
  /// A row of the command palette was selected, by its index.
  case paletteSelected(Int64)
  /// The command palette was closed.
  case paletteClosed
  /// The events of other calendars were read, and differ from those of the scene.
  ///
  /// The user did nothing.
  case eventsRead(SceneEventChanges)
  /// A screen was left, with the screens above it, and what was typed into it was thrown away.
  case discarded(RouteID)
}

/// The notice of a scene about the last input: ids and facts, from which each frame makes the text.
public enum Notice: Recordable, Hashable {
  /// A command was refused.
  case refused(DomainRefusal)
  /// A pasted text was too long, as a reason in English. In older logs it is any reason why a key
  /// did nothing; ``obstacle(_:)`` has taken its place.
  case unavailable(String)
  /// A key that is not bound was pressed; its name.
  case unknownKey(String)
  /// An entry was deleted; only older logs have it. A ``DeletionOffer`` has taken its place.
  case deleted
  /// A change was undone, except for a number of fields that have changed since.
  case undone(unrestored: Int64, RestoredEntities? = nil)
  /// A change was redone, except for a number of fields that have changed since.
  case redone(unrestored: Int64, RestoredEntities? = nil)
  /// There is no change to undo.
  case nothingToUndo
  /// There is no undo to redo.
  case nothingToRedo
  /// A key did nothing, for a reason.
  case obstacle(KeyObstacle)
  /// What was typed into the screen that was left is kept.
  case draftKept
  /// What the user's hooks printed after a change of an entry, and whether one of them failed.
  case hook(String, failed: Bool)
  /// An entry of another day than the present one was saved, with its start and its end, if any.
  case saved(start: ClockMoment, end: ClockMoment?)
  /// An entry was saved, and a number of other entries were deleted for it.
  case madeRoom(deleted: Int64)
  /// A line was sent to the clipboard of the terminal, which may ignore it.
  case copied
  /// Nothing was sent: there is no terminal, or it did not answer the request for its attributes.
  case notCopied
  /// A file was written, with a number of lines below its headings.
  case fileWritten(String, lines: Int64)
  /// A file was not written.
  case fileNotWritten(FileFailure)
  /// The message by which a new password is chosen was sent.
  case resetSent
  /// A client was made for a project, which is not saved yet.
  case clientMade(Name)
  /// An entry was saved, and names were made for it.
  case namesMade(NewNames)
  /// Two entries were joined, and the break between them counts.
  case joined(acrossSeconds: Int64)
}

/// The entities that an undo or a redo changed.
public struct RestoredEntities: Recordable, Hashable {
  /// The first changed entry, or else the first other entity.
  public var first: RestoredEntity
  /// The number of the other changed entities.
  public var others: Int64

  /// Creates a value.
  public init(first: RestoredEntity, others: Int64) {
    (self.first, self.others) = (first, others)
  }
}

/// An entity that an undo or a redo changed; sources of imports are internal, and left out.
public enum RestoredEntity: Recordable, Hashable {
  case workspace(WorkspaceID)
  case client(ClientID)
  case project(ProjectID)
  case task(TaskID)
  case tag(TagID)
  case user(UserID)
  case preferences(PreferenceSetID)
  case goal(GoalID)
  case importRun(ImportRunID)
  case entry(TimeEntryID)
  case favorite(FavoriteID)
  case closing(ClosingID)
}

/// A command that its policy refused, and that can be confirmed.
public struct Question: Recordable, Equatable {
  /// The command.
  public var command: TimeEntryCommand
  /// The refusal.
  public var refusal: TimeEntryRefusal
  /// The screen that is left once the command is accepted.
  public var closes: RouteID?

  /// Creates a question.
  public init(command: TimeEntryCommand, refusal: TimeEntryRefusal, closes: RouteID? = nil) {
    self.command = command
    self.refusal = refusal
    self.closes = closes
  }
}
