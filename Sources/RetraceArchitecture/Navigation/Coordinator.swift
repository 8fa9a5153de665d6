/// Presents routes on some medium; it decides nothing.
public protocol Coordinator<Route, Action> {
  /// The routes it presents.
  associatedtype Route: NavigationRoute
  /// The actions of the app.
  associatedtype Action: Sendable

  /// Presents or dismisses one route.
  mutating func perform(_ step: NavigationStep<Route>)

  /// The action that tells the app that the user has dismissed a route by means of the medium.
  func dismissalAction(of route: Route) -> Action
}

/// Keeps a coordinator's medium in step with the back stack of a state.
public struct Presenter<C: Coordinator> {
  /// The coordinator.
  public private(set) var coordinator: C
  /// What the medium presents now.
  public private(set) var presented: BackStack<C.Route>

  /// Starts with what the medium presents already.
  public init(_ coordinator: C, presenting stack: BackStack<C.Route>) {
    self.coordinator = coordinator
    presented = stack
  }

  /// Makes the medium present a stack, in the fewest steps.
  ///
  /// - Complexity: O(routes of both stacks).
  public mutating func show(_ stack: BackStack<C.Route>) {
    for step in Router.steps(from: presented, to: stack) { coordinator.perform(step) }
    presented = stack
  }

  /// Notes that the user has dismissed the topmost route by means of the medium.
  ///
  /// The medium has done the pop already; when the state follows, no step is left to do.
  ///
  /// - Returns: The action to send, or `nil` at the root, which cannot be dismissed.
  public mutating func userDismissedTop() -> C.Action? {
    guard let route = presented.pop() else { return nil }
    return coordinator.dismissalAction(of: route)
  }
}
