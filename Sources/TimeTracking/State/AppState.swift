public import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// Everything that is shared by whoever opens the store.
public struct AppState: RecordedState, Composed {
  /// Users, workspaces, projects and tags.
  public var library: Library = Library()
  /// Time entries, and which of them run.
  public var timeline: Timeline = Timeline()
  /// The windows of the app.
  public var scenes: [SceneID: Scene] = [:]
  /// The id that the next scene will get.
  public var nextScene: SceneID = SceneID(value: 0)
  /// How the last request to the library or the timeline ended.
  public var lastOutcome: Outcome = .none
  /// What the last action that found nothing to act on was for.
  public var missing: MissingTarget?

  /// Makes the state before the first record.
  public init() {}
}

extension AppState: ReportsMissingTarget {
  /// Records that an action found nothing to act on, such as a scene.
  public mutating func targetWasMissing(_ target: MissingTarget) {
    missing = target
    record(.unknownScene)
  }

  /// Records how a request ended.
  mutating func record(_ refusal: Refusal?) {
    let outcome = refusal.map { Outcome.refused($0) } ?? .accepted
    if lastOutcome != outcome { lastOutcome = outcome }
  }

  /// Why an action on the library would be refused, or `nil` if it would be carried out.
  ///
  /// - Complexity: That of the action.
  public func refusal(of action: LibraryAction) -> Refusal? {
    var copy = library
    return copy.perform(action)
  }

  /// Why an action on the timeline would be refused, or `nil` if it would be carried out.
  ///
  /// - Complexity: That of the action.
  public func refusal(of action: TimelineAction, at moment: Moment) -> Refusal? {
    var copy = self
    return copy.perform(action, at: moment)
  }
}
