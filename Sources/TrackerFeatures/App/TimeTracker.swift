public import Retrace
public import TimeTracking

/// The time tracker, as it is recorded, replayed and restored.
public enum TimeTracker: UndoableApp {
  /// The actions that a driver sends.
  public typealias SceneAction = ScenesAction
  /// The routes.
  public typealias Route = TrackerRoute
  /// What effects use.
  public typealias Environment = TrackerEnvironment

  /// The name that sessions record.
  public static var name: String { "track" }
  /// The build that sessions record.
  public static var build: String { RetraceRelease.version }
  /// The fingerprint of the root reducer.
  public static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The root reducer.
  public static var reducer: TrackerReducer { TrackerReducer() }
  /// The root decider.
  public static var decider: TrackerDecider { TrackerDecider() }
  /// The state before the first record.
  public static var initialState: TrackerState { TrackerState() }

  /// Returns the action that is recorded for one that is sent.
  public static func action(for sceneAction: ScenesAction) -> TrackerAction { .scenes(sceneAction) }

  /// Returns whether an action is about scenes or is a fact.
  public static func role(of action: TrackerAction) -> ActionRole<DomainCommand> {
    switch action {
    case .fact: .fact
    case .scenes(.requested(let command)): .request(command)
    case .scenes: .scene
    }
  }

  /// Returns whether a command can be decided again.
  ///
  /// Only a command to import rows that was read from a log cannot, because the log lacks the rows.
  public static func canDecideAgain(_ command: DomainCommand) -> Bool {
    if case .importRun(.rows(_, let rows)) = command { rows.rows != nil } else { true }
  }

  // MARK: Bundles

  /// Zones, and the names of types and fields in refusals; nothing that a user types as text.
  public static var publicTexts: [String] {
    [
      "ClosingRefusal_invalid.field", "PreferenceSet.zone", "PreferenceSetChanges.zone",
      "RecordRefusal_changedMeanwhile", "RecordRefusal_changesCurrency",
      "RecordRefusal_inOtherWorkspace.type", "RecordRefusal_inUse.type",
      "RecordRefusal_invalid.field", "RecordRefusal_shareNames.type", "RecordRefusal_unknown.type",
      "RecordedZone.id", "ReportsAction_roundingSelected", "ReportsRoute.rounding",
      "Scene.reportRounding", "SeenFrame.zone", "SeenProject.colorText",
      "TimeEntryRefusal_invalid.field",
    ]
  }

  /// The words of times, durations, filters and roundings, without the names of months, which are
  /// names of people, too; and some currencies.
  public static var publicWords: [String] {
    [
      "today", "yesterday", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday",
      "saturday", "sunday", "tue", "wed", "thu", "fri", "now", "noon", "midnight", "at", "from",
      "to", "until", "for", "ago", "last", "this", "next", "in", "half", "an", "and", "h", "m", "s",
      "d", "w", "y", "am", "pm", "hr", "hrs", "hour", "hours", "min", "mins", "minute", "minutes",
      "sec", "secs", "second", "seconds", "day", "days", "week", "weeks", "mo", "month", "months",
      "year", "years", "z", "utc", "or", "not", "none", "yes", "no", "project", "client", "task",
      "tag", "user", "workspace", "text", "billable", "rate", "running", "duration", "date", "id",
      "eur", "usd", "gbp", "chf", "jpy", "cad", "aud", "sek", "nok", "dkk", "pln", "czk", "up",
      "down", "nearest", "entry", "group",
    ]
  }

  /// Filters, ranges, days, times, durations, amounts, currencies and colors.
  public static var expressionTexts: [String] {
    [
      "CalendarRoute.typed", "EntryEditorRoute.duration", "EntryEditorRoute.end",
      "EntryEditorRoute.start", "PreferenceSet.currency", "PreferenceSetChanges.currency",
      "ProjectFormRoute.color", "ProjectFormRoute.estimate", "ProjectFormRoute.rate",
      "ReportsRoute.filter", "ReportsRoute.typed", "SeenEntry.durationText", "SeenEntry.endText",
      "SeenEntry.startText", "SeenProject.estimateText", "SeenProject.rateText",
      "TimerRoute.filter", "TimerRoute.splitsAt", "Workspace.currency",
      "WorkspaceChanges.currency",
    ]
  }

  /// The names of the colors of projects.
  public static var offeredTexts: [(field: String, texts: [String])] {
    [("ProjectFormRoute.color", Project.colorNames)]
  }

  /// Names of files, after which sources are named, and the login name of a person who closed a
  /// period.
  public static var privateTexts: [String] {
    [
      "Closing.login", "ExternalSource.name", "FileFailure.path", "ImportCommand_begin.file",
      "ImportCommand_begin.source", "ImportRun.file", "KeyObstacle_fileExists",
      "Notice_fileWritten",
    ]
  }

  // MARK: Undo

  /// Returns the domain.
  public static func undoablePart(of state: TrackerState) -> DomainState { state.domain }

  /// Returns the edits that undo takes back.
  public static func edits(of fact: TrackerAction) -> [DomainEdit] {
    if case .fact(let fact) = fact { fact.undoableEdits } else { [] }
  }

  /// Returns the number of facts that can be undone.
  public static func editCount(in state: borrowing TrackerState) -> Int64 {
    state.domain.undoableFacts
  }

  /// Returns the command that performs a restore.
  public static func command(for restore: Restore<DomainEdit>) -> DomainCommand {
    .restore(restore)
  }

  /// Returns the contents of the fact of a restore.
  public static func restored(in fact: TrackerAction) -> Restored<DomainEdit>? {
    if case .fact(let fact) = fact { fact.restoredEdits } else { nil }
  }

  /// Returns whether a refusal says that a restore is out of date.
  public static func isStaleRestore(_ refusal: DomainRefusal) -> Bool { refusal == .staleRestore }

  /// Returns the rules of the domain that a state breaks.
  public static func violations(of state: borrowing TrackerState) -> [Violation] {
    DomainEntities.violations(of: state.domain)
  }

  // MARK: Scenes

  /// Returns the scenes, lowest id first.
  public static func scenes(in state: TrackerState) -> [SceneID] { state.scenes.keys.sorted() }

  /// Returns the back stack of a scene.
  public static func backStack(
    of scene: SceneID, in state: TrackerState
  ) -> BackStack<TrackerRoute>? { state.scenes[scene]?.stack }

  /// Returns how the user saw a scene at its last action.
  public static func seen(of scene: SceneID, in state: TrackerState) -> SeenScreen? {
    state.scenes[scene]?.seen.map { SeenScreen(size: $0.size, zone: $0.zone) }
  }

  /// Returns what a scene shows; times use the recorded offsets of entries, because a log has no
  /// zone rules.
  public static func screen(
    of scene: SceneID, in state: TrackerState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    screen(of: scene, in: state, at: moment, size: size, zone: nil)
  }

  /// Returns what a scene shows in a zone; without one, times use the recorded offsets of entries.
  public static func screen(
    of scene: SceneID, in state: TrackerState, at moment: Moment, size: Screen.Size,
    zone: ZoneRules?
  ) -> Screen {
    SceneFrame(of: scene, in: state, at: moment, by: zone, size: size)?.screen
      ?? Screen(Screen.Line("There is no scene \(scene.value).", .warning), size: size)
  }
}
