public import Retrace
import TimeTracking

/// An event that tells how the app is used: what was done and from where, without any text.
public enum AnalyticsEvent: Hashable, Sendable {
  /// The form of an entry was opened.
  case editViewOpened(EditOrigin)
  /// The form of an entry was left.
  case editViewClosed(EditEnd)
  /// The running entry was stopped, and no other one was started with it.
  case timeEntryStopped(StopOrigin)
  /// Entries were deleted.
  case timeEntryDeleted(DeletionSource)
  /// Deleted entries were brought back.
  case timeEntryDeletionUndone
  /// The user signed out.
  case signedOut
  /// The e-mail address or the password was wrong.
  case loginRefused
  /// A login failed for any other reason.
  case loginFailed

  /// What the form of an entry was opened for.
  public enum EditOrigin: Sendable {
    case newEntry, entry, group, link
  }

  /// How the form of an entry was left.
  public enum EditEnd: Sendable {
    case saved, groupSaved, unchanged, kept, discarded
  }

  /// The screen from which the running entry was stopped.
  public enum StopOrigin: Sendable {
    case timer, editView, other
  }

  /// What was deleted.
  public enum DeletionSource: Sendable {
    case entry, group
  }

  /// The name, and what the event says beside it.
  public var parts: (name: String, detail: String?) {
    switch self {
    case .editViewOpened(let origin): ("editViewOpened", origin.name)
    case .editViewClosed(let end): ("editViewClosed", end.name)
    case .timeEntryStopped(let origin): ("timeEntryStopped", origin.name)
    case .timeEntryDeleted(let source): ("timeEntryDeleted", source.name)
    case .timeEntryDeletionUndone: ("timeEntryDeletionUndone", nil)
    case .signedOut: ("signedOut", nil)
    case .loginRefused: ("loginRefused", nil)
    case .loginFailed: ("loginFailed", nil)
    }
  }
}

extension AnalyticsEvent.EditOrigin {
  fileprivate var name: String {
    switch self {
    case .newEntry: "newEntry"
    case .entry: "entry"
    case .group: "group"
    case .link: "link"
    }
  }
}

extension AnalyticsEvent.EditEnd {
  fileprivate var name: String {
    switch self {
    case .saved: "saved"
    case .groupSaved: "groupSaved"
    case .unchanged: "unchanged"
    case .kept: "kept"
    case .discarded: "discarded"
    }
  }
}

extension AnalyticsEvent.StopOrigin {
  fileprivate var name: String {
    switch self {
    case .timer: "timer"
    case .editView: "editView"
    case .other: "other"
    }
  }
}

extension AnalyticsEvent.DeletionSource {
  fileprivate var name: String {
    switch self {
    case .entry: "entry"
    case .group: "group"
    }
  }
}

/// What receives events of analytics; several are one.
public struct AnalyticsSink: Sendable {
  /// Receives the events of a batch, and its moment.
  ///
  /// It is called while the store commits, so it must return at once.
  public var track: @Sendable ([AnalyticsEvent], Moment) -> Void

  /// Creates a sink.
  public init(_ track: @escaping @Sendable ([AnalyticsEvent], Moment) -> Void) {
    self.track = track
  }

  /// The sink that drops everything.
  public static var none: AnalyticsSink { AnalyticsSink { _, _ in } }

  /// Returns a sink that passes events to others, in order.
  public static func composite(_ sinks: [AnalyticsSink]) -> AnalyticsSink {
    AnalyticsSink { events, moment in for sink in sinks { sink.track(events, moment) } }
  }
}

extension AnalyticsEvent {
  /// Returns the events of the actions of a batch, which this process recorded.
  ///
  /// They follow from the actions and the state alone. So a deletion is told once, and only where
  /// the log has one, by whatever key it came about.
  ///
  /// - Parameters:
  ///   - actions: The actions of a batch.
  ///   - scene: The scene that the process shows.
  ///   - state: The state before the batch.
  /// - Complexity: O(edits of the facts).
  public static func events(
    of actions: [TrackerAction], in scene: SceneID, before state: TrackerState
  ) -> [AnalyticsEvent] {
    var events: [AnalyticsEvent] = []
    var edits: [DomainEdit] = []
    for action in actions {
      switch action {
      case .fact(.edited(let edit)): edits.append(edit)
      case .fact(.restored(let restored)):
        if restored.edits.contains(where: { $0.bringsBack }) {
          events.append(.timeEntryDeletionUndone)
        }
      case .scenes(.scene(scene, let change)):
        events += Self.events(of: change, in: state.scenes[scene])
      case .fact(.bulkEdited), .scenes: break
      }
    }
    return Self.events(of: edits, on: state.scenes[scene]?.stack.top) + events
  }

  /// Returns the events of the edits of a batch.
  private static func events(
    of edits: [DomainEdit], on route: TrackerRoute?
  ) -> [AnalyticsEvent] {
    var (deleted, isStopped, others) = (0, false, 0)
    for edit in edits {
      guard case .entry(let edit) = edit else { continue }
      guard case .changed(_, let changes) = edit else {
        others += 1
        continue
      }
      if case .some = changes.deleted?.after { deleted += 1 } else { others += 1 }
      if let end = changes.end, end.before == nil, end.after != nil { isStopped = true }
    }
    // Entries that are deleted to make room for another one are no deletion of the user.
    if deleted > 0, others == 0 { return [.timeEntryDeleted(deleted == 1 ? .entry : .group)] }
    guard isStopped, deleted == 0, others == 1 else { return [] }
    switch route {
    case .timer: return [.timeEntryStopped(.timer)]
    case .entryEditor: return [.timeEntryStopped(.editView)]
    default: return [.timeEntryStopped(.other)]
    }
  }

  /// Returns the events of a change within a scene.
  private static func events(of change: SceneChange, in scene: Scene?) -> [AnalyticsEvent] {
    switch change {
    case .pushed(.entryEditor(let form)): [.editViewOpened(form.origin)]
    case .wentTo(let routes):
      if case .entryEditor? = routes.last { [.editViewOpened(.link)] } else { [] }
    case .popped(let id):
      if let form = scene?.editor(id) { [.editViewClosed(form.ending)] } else { [] }
    case .draftKept(let id): scene?.editor(id) == nil ? [] : [.editViewClosed(.kept)]
    case .discarded(let id): scene?.editor(id) == nil ? [] : [.editViewClosed(.discarded)]
    case .signedOut: [.signedOut]
    case .screen(let id, .account(.failed(let problem))):
      if case .account(let form)? = scene?.stack[id], form.isAsking, form.purpose == .login {
        [problem.isRefusal ? .loginRefused : .loginFailed]
      } else {
        []
      }
    default: []
    }
  }
}

extension AccountProblem {
  /// Whether the server knows that the address or the password is wrong.
  fileprivate var isRefusal: Bool {
    switch self {
    case .wrongCredentials, .oneMoreTry, .locked: true
    default: false
    }
  }
}

extension Scene {
  fileprivate func editor(_ id: RouteID) -> EntryEditorRoute? {
    if case .entryEditor(let form)? = stack[id] { form } else { nil }
  }
}

extension EntryEditorRoute {
  fileprivate var origin: AnalyticsEvent.EditOrigin {
    if entry == nil { return .newEntry }
    return others.isEmpty ? .entry : .group
  }

  /// How a form ends that is left and not kept: a changed one was saved.
  fileprivate var ending: AnalyticsEvent.EditEnd {
    guard isTyped else { return .unchanged }
    return others.isEmpty ? .saved : .groupSaved
  }
}

extension DomainEdit {
  /// Whether it brings a deleted entry back.
  fileprivate var bringsBack: Bool {
    guard case .entry(.changed(_, let changes)) = self, let deleted = changes.deleted else {
      return false
    }
    return deleted.before != nil && deleted.after == nil
  }
}
