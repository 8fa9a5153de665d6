public import RetraceArchitecture
public import RetraceAvro
public import RetraceState
public import TrackerDomain

/// The screen of the running entry and the recent ones of a user.
public struct TimerRoute: Recordable, Hashable {
  /// Whose entries are shown.
  public var user: UserID
  /// The selected entry of the list.
  public var selection: TimeEntryID?
  /// The place of the first entry that is shown; `nil` for the newest.
  public var top: EntryPlace?

  /// Makes a fresh screen.
  public init(user: UserID) { self.user = user }
}

/// What happened on the timer.
public enum TimerAction: Recordable, Hashable {
  /// An entry was selected, or none, and the list scrolled to a place.
  case selected(TimeEntryID?, top: EntryPlace?)
}

/// The reducer of the timer.
public struct TimerReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Selects and scrolls.
  public func reduce(
    _ state: inout TimerRoute, _ action: TimerAction, at moment: Moment
  ) -> Effect<TimerAction, Never> {
    switch action {
    case .selected(let entry, let top):
      state.selection = entry
      state.top = top
    }
    return .none
  }
}

extension TimerRoute: ScreenRoute {
  /// `timer/USER`.
  var link: DeepLink { DeepLink("timer", "\(user.value)") }

  /// Reads the link; `nil` for that of another screen.
  init?(reading reader: inout DeepLinkReader) throws(DeepLinkError) {
    guard reader.take("timer") else { return nil }
    user = try reader.id()
  }

  func routes(in domain: DomainState) -> [TrackerRoute]? {
    domain.users.live(user) == nil ? nil : [.timer(self)]
  }

  func frame(in context: FrameContext) -> any ScreenFrame { TimerFrame(self, in: context) }
}
