public import RetraceArchitecture
import RetraceAvro

/// Where a scene is, with all that restores it.
public enum Route: NavigationRoute {
  /// A user is picked or added.
  case welcome(WelcomeState)
  /// The running entry and recent entries of a user.
  case timer(TimerRoute)
  /// An entry is started, added or edited.
  case startEdit(StartEditDraft)
}

extension Route {
  /// The path: `welcome`, `timer/USER`, `timer/USER/start` or `timer/USER/edit/ENTRY`.
  public var path: String {
    switch self {
    case .welcome: "welcome"
    case .timer(let route): "timer/\(route.user.value)"
    case .startEdit(let draft):
      draft.entry.map { "timer/\(draft.user.value)/edit/\($0.value)" }
        ?? "timer/\(draft.user.value)/start"
    }
  }

  /// Parses a path; drafts, selections and scroll positions are fresh.
  public init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1 where parts[0] == "welcome":
      self = .welcome(WelcomeState())
    case 2 where parts[0] == "timer":
      guard let user = Self.number(parts[1]) else { return nil }
      self = .timer(TimerRoute(user: UserID(value: user)))
    case 3 where parts[0] == "timer" && parts[2] == "start":
      guard let user = Self.number(parts[1]) else { return nil }
      self = .startEdit(StartEditDraft(user: UserID(value: user)))
    case 4 where parts[0] == "timer" && parts[2] == "edit":
      guard let user = Self.number(parts[1]), let entry = Self.number(parts[3]) else { return nil }
      self = .startEdit(
        StartEditDraft(user: UserID(value: user), entry: TimeEntryID(value: entry)))
    default:
      return nil
    }
  }

  /// The same place with a fresh draft, selection and scroll position.
  public var fresh: Route {
    switch self {
    case .welcome: .welcome(WelcomeState())
    case .timer(let route): .timer(TimerRoute(user: route.user))
    case .startEdit(let draft): .startEdit(StartEditDraft(user: draft.user, entry: draft.entry))
    }
  }

  /// Reads an id; only the way it is printed is accepted.
  private static func number(_ text: Substring) -> Int64? {
    guard let value = Int64(text), String(value) == text else { return nil }
    return value
  }
}
