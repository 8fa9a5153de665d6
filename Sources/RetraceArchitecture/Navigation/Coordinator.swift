/// A type that presents routes on some medium and makes no decisions.
public protocol Coordinator<Route, Action> {
  /// The routes it presents.
  associatedtype Route: NavigationRoute
  /// The actions of the app.
  associatedtype Action: Sendable

  /// Performs one step: presents a route, dismisses the topmost one, or replaces all routes.
  mutating func perform(_ step: NavigationStep<Route>)

  /// Returns the action that tells the app that the user has dismissed a route on the medium.
  func dismissalAction(of route: Route) -> Action
}

/// A presenter that keeps a coordinator's medium in sync with the back stack of a state.
public struct Presenter<C: Coordinator> {
  /// The coordinator.
  public private(set) var coordinator: C
  /// The stack that the medium presents now.
  public private(set) var presented: BackStack<C.Route>

  /// Starts with the stack that the medium already presents.
  public init(_ coordinator: C, presenting stack: BackStack<C.Route>) {
    self.coordinator = coordinator
    presented = stack
  }

  /// Presents a stack, in the fewest steps.
  ///
  /// - Complexity: O(routes of both stacks).
  public mutating func show(_ stack: BackStack<C.Route>) {
    for step in BackStackDifference.steps(from: presented, to: stack) { coordinator.perform(step) }
    presented = stack
  }

  /// Registers that the user has dismissed the topmost route on the medium.
  ///
  /// The medium has already popped the route; once the state follows, no step is left to perform.
  ///
  /// - Returns: The action to send, or `nil` at the root, which cannot be dismissed.
  public mutating func userDismissedTop() -> C.Action? {
    guard let route = presented.pop() else { return nil }
    return coordinator.dismissalAction(of: route)
  }
}
