public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Settings.
public enum SettingsAction: Recordable, Codable {
  /// Another theme.
  case themed(Theme)
  /// The day on which a week begins, Monday being 1.
  case weekBegins(on: Int32)
  /// Another way of writing dates.
  case dated(String)
  /// Durations are rounded if they were not, and the other way round.
  case roundingToggled
  /// The time after which the user counts as absent.
  case idle(after: ElapsedTime)
  /// Another language.
  case spoken(String)
  /// Notifications or none.
  case notified(Bool)
}

/// The themes.
public enum Theme: Recordable, Codable {
  /// The theme of the system.
  case system
  /// Light.
  case light
  /// Dark.
  case dark
}

/// The settings.
public struct Settings: Recordable, Equatable {
  /// The theme.
  public var theme: Theme = .system
  /// The day on which a week begins.
  public var weekStart: Int32 = 1
  /// How dates are written.
  public var dateFormat: String = ""
  /// Whether durations are rounded.
  public var rounds: Bool = false
  /// The time after which the user counts as absent.
  public var idle: ElapsedTime = .zero
  /// The language.
  public var language: String = ""
  /// Whether there are notifications.
  public var notifies: Bool = true

  /// Makes the default settings.
  public init() {}
}

/// Reduces ``SettingsAction``.
public struct SettingsReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes a setting.
  public func reduce(
    _ state: inout Settings, _ action: SettingsAction, at moment: Moment
  ) -> Effect<SettingsAction, Never> {
    switch action {
    case .themed(let theme): state.theme = theme
    case .weekBegins(let day): state.weekStart = day
    case .dated(let format): state.dateFormat = format
    case .roundingToggled: state.rounds.toggle()
    case .idle(let time): state.idle = time
    case .spoken(let language): state.language = language
    case .notified(let notifies): state.notifies = notifies
    }
    return .none
  }
}
