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
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    func part(_ index: Int, is name: StaticString) -> Bool {
      parts[index].elementsEqual(name.description.utf8)
    }
    switch parts.count {
    case 1 where part(0, is: "welcome"):
      self = .welcome(WelcomeState())
    case 2 where part(0, is: "timer"):
      guard let user = Self.number(parts[1]) else { return nil }
      self = .timer(TimerRoute(user: UserID(value: user)))
    case 3 where part(0, is: "timer") && part(2, is: "start"):
      guard let user = Self.number(parts[1]) else { return nil }
      self = .startEdit(StartEditDraft(user: UserID(value: user)))
    case 4 where part(0, is: "timer") && part(2, is: "edit"):
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
  private static func number(_ text: Substring.UTF8View) -> Int64? {
    guard let value = Int64(Substring(text)), String(value).utf8.elementsEqual(text) else {
      return nil
    }
    return value
  }
}
