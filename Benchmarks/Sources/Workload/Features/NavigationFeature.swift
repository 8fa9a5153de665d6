public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Screens, tabs and sheets.
public enum NavigationAction: Recordable, Codable {
  /// A screen was pushed; the seventeenth removes the lowest one.
  case pushed(Place)
  /// The top screen was popped.
  case popped
  /// The top screen was replaced.
  case replaced(Place)
  /// Another tab.
  case tabbed(Int32)
  /// A sheet was presented.
  case presented(String)
  /// The sheet was dismissed.
  case dismissed
}

/// A screen.
public enum Place: Recordable, Codable, Equatable {
  /// The log.
  case log
  /// An entry.
  case entry(EntryID)
  /// A project.
  case project(ProjectID)
  /// What is searched for.
  case search(String)
}

/// Screens, tabs and sheets.
public struct Navigation: Recordable, Equatable {
  /// The screens, the lowest first.
  public var places: [Place] = []
  /// The tab.
  public var tab: Int32 = 0
  /// The sheet.
  public var sheet: String?

  /// Makes the first screen.
  public init() {}
}

extension Navigation {
  mutating func push(_ place: Place) {
    if places.count == 16 { places.removeFirst() }
    places.append(place)
  }

  mutating func pop() {
    if !places.isEmpty { places.removeLast() }
  }

  mutating func replace(_ place: Place) {
    if places.isEmpty { places.append(place) } else { places[places.count - 1] = place }
  }
}

/// Reduces ``NavigationAction``.
public struct NavigationReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes the screens, the tab or the sheet.
  public func reduce(
    _ state: inout Navigation, _ action: NavigationAction, at moment: Moment
  ) -> Effect<NavigationAction, Never> {
    switch action {
    case .pushed(let place): state.push(place)
    case .popped: state.pop()
    case .replaced(let place): state.replace(place)
    case .tabbed(let tab): state.tab = tab
    case .presented(let sheet): state.sheet = sheet
    case .dismissed: state.sheet = nil
    }
    return .none
  }
}
