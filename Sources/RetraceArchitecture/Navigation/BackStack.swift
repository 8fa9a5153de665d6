import RetraceState

/// The routes of a scene from the root to the top; never empty.
///
/// Each entry gets an id when it is pushed. An id is never assigned again, and the ids rise from
/// the root to the top. So an action that carries an id means one screen, also if the same route
/// was popped and pushed again meanwhile.
///
/// The counter of the ids is in the stack. Use ``replaceAll(with:pushed:)`` to start over: a stack
/// that replaces another one in the state would count from 0 again.
@frozen
public struct BackStack<Route: NavigationRoute>: Sendable {
  /// A route with the id that it got when it was pushed.
  @frozen
  public struct Entry: Hashable, Sendable {
    /// The id.
    public let id: RouteID
    /// The route with its parameters.
    public var route: Route

    @usableFromInline
    init(id: RouteID, route: Route) {
      self.id = id
      self.route = route
    }
  }

  /// The entries from the root to the top.
  @usableFromInline var storage: [Entry]
  /// The number of the next id and, while the body of ``TabStacks`` changes the stack, a mark.
  @usableFromInline var counter: Int64

  /// Creates a stack of a root and the routes above it.
  ///
  /// - Complexity: O(routes).
  public init(root: Route, pushed: [Route] = []) {
    storage = [Entry(id: RouteID(value: 0), route: root)]
    counter = 1
    for route in pushed { push(route) }
  }

  init(storage: [Entry], next: Int64) {
    self.storage = storage
    counter = next
  }

  /// The entries from the root to the top.
  @inlinable public var entries: [Entry] { storage }

  /// The routes from the root to the top.
  ///
  /// - Complexity: O(routes).
  public var routes: [Route] { storage.map { $0.route } }

  /// The route at the bottom.
  @inlinable public var root: Route { storage[0].route }

  /// The route that is shown; setting it changes the parameters of the entry, which keeps its id.
  @inlinable public var top: Route {
    get { storage[storage.count - 1].route }
    _modify { yield &storage[storage.count - 1].route }
  }

  /// The id of the route that is shown.
  @inlinable public var topID: RouteID { storage[storage.count - 1].id }

  /// Returns the route with an id, or `nil` if it is not on the stack.
  ///
  /// - Complexity: O(entries above it).
  @inlinable
  public subscript(id: RouteID) -> Route? { index(of: id).map { storage[$0].route } }

  /// Changes the parameters of the route with an id in place.
  ///
  /// - Complexity: O(entries above it), plus `body`.
  /// - Returns: The result of `body`, or `nil` if the route is not on the stack.
  @inlinable
  @discardableResult
  public mutating func modify<Result>(
    _ id: RouteID, _ body: (inout Route) -> Result
  ) -> Result? {
    guard let index = index(of: id) else { return nil }
    return body(&storage[index].route)
  }

  /// Pushes a route and returns its id.
  @inlinable
  @discardableResult
  public mutating func push(_ route: Route) -> RouteID {
    let id = nextID()
    storage.append(Entry(id: id, route: route))
    return id
  }

  /// Removes the topmost route and returns it, or returns `nil` if only the root is left.
  @inlinable
  @discardableResult
  public mutating func pop() -> Route? {
    storage.count > 1 ? storage.removeLast().route : nil
  }

  /// Removes the routes above the one with an id.
  ///
  /// - Complexity: O(entries above it).
  /// - Returns: Whether the route is on the stack.
  @discardableResult
  public mutating func pop(to id: RouteID) -> Bool {
    guard let index = index(of: id) else { return false }
    storage.removeSubrange((index + 1)...)
    return true
  }

  /// Removes the route with an id and the routes above it.
  ///
  /// Call it when the user dismisses a screen. If the route is not on the stack, nothing changes.
  ///
  /// - Complexity: O(entries above it).
  /// - Returns: Whether the route was on the stack, above the root.
  @discardableResult
  public mutating func pop(through id: RouteID) -> Bool {
    guard let index = index(of: id), index > 0 else { return false }
    storage.removeSubrange(index...)
    return true
  }

  /// Removes all routes above the root.
  ///
  /// - Complexity: O(entries).
  public mutating func popToRoot() { storage.removeSubrange(1...) }

  /// Replaces the topmost route, which may be the root, and returns the id of the new one.
  @discardableResult
  public mutating func replaceTop(with route: Route) -> RouteID {
    let id = nextID()
    storage[storage.count - 1] = Entry(id: id, route: route)
    return id
  }

  /// Replaces all routes; the new entries get new ids.
  ///
  /// - Complexity: O(routes).
  public mutating func replaceAll(with root: Route, pushed: [Route] = []) {
    storage = [Entry(id: nextID(), route: root)]
    for route in pushed { push(route) }
  }

  @inlinable
  func index(of id: RouteID) -> Int? { storage.lastIndex { $0.id == id } }

  /// Returns an id that no entry has had.
  @inlinable
  mutating func nextID() -> RouteID {
    defer { counter &+= 1 }
    return RouteID(value: next)
  }

  /// The number of the next id.
  @inlinable var next: Int64 { counter & ~Self.tabMark }

  /// The bit of ``counter`` that marks a stack while a body of ``TabStacks`` changes it.
  ///
  /// A stack that the body assigns lacks the mark. No id has a number as high as this; see
  /// ``init(decoding:)``.
  @inlinable static var tabMark: Int64 { 1 << 62 }
}

extension BackStack: Hashable {
  /// Returns whether the entries and the next ids are equal.
  @inlinable
  public static func == (left: BackStack, right: BackStack) -> Bool {
    left.next == right.next && left.storage == right.storage
  }

  /// Hashes the entries and the next id.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(next)
    hasher.combine(storage)
  }
}
