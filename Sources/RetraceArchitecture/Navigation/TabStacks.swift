public import RetraceAvro

/// The treatment of the stack of a tab that is selected again.
public enum TabReselection: Hashable, Sendable {
  /// The stack stays as it is.
  case stay
  /// The routes above the root are popped.
  case popToRoot
}

/// A back stack for each tab, and the tab that is selected.
///
/// Selecting a tab keeps the stacks of the others with their drafts. Ids of entries are unique
/// among all tabs, so an answer that carries one reaches its entry whichever tab is selected.
///
/// `Tab` is an enum without payloads; its `allCases` lists every tab.
///
/// ```swift
/// var tabs = TabStacks<ShopTab, ShopRoute>(selected: .goods) { _ in .product(ProductPage()) }
/// tabs.modify(.goods) { $0.push(.product(ProductPage(number: 7))) }
/// tabs.select(.goods, again: TabReselection.popToRoot)
/// ```
@frozen
public struct TabStacks<Tab: Recordable & Hashable & CaseIterable, Route: NavigationRoute>:
  Hashable, Sendable
{
  /// The tab that is selected.
  public internal(set) var selected: Tab
  /// The stacks, in the order of the tabs.
  @usableFromInline var stacks: [BackStack<Route>]

  /// Creates a stack of one route for each tab.
  ///
  /// - Complexity: O(tabs).
  public init(selected: Tab, root: (Tab) -> Route) {
    self.selected = selected
    stacks = []
    for (number, tab) in Tab.allCases.enumerated() {
      let id = RouteID(value: Int64(number))
      let entry = BackStack<Route>.Entry(id: id, route: root(tab))
      stacks.append(BackStack(storage: [entry], next: id.value + 1))
    }
  }

  init(selected: Tab, stacks: [BackStack<Route>]) {
    self.selected = selected
    self.stacks = stacks
  }

  /// The stack of the selected tab.
  ///
  /// - Complexity: O(tabs).
  public var shown: BackStack<Route> { stacks[Self.index(of: selected)] }

  /// Returns the stack of a tab.
  ///
  /// - Complexity: O(tabs).
  public subscript(tab: Tab) -> BackStack<Route> { stacks[Self.index(of: tab)] }

  /// Selects a tab; its stack is as it was left, unless the tab is selected already.
  ///
  /// - Parameters:
  ///   - tab: The tab.
  ///   - policy: What happens if the tab is selected already.
  /// - Complexity: O(tabs), and O(entries) if the stack is popped.
  public mutating func select(_ tab: Tab, again policy: TabReselection = .popToRoot) {
    if tab == selected && policy == .popToRoot { stacks[Self.index(of: tab)].popToRoot() }
    selected = tab
  }

  /// Changes the stack of a tab in place, which need not be selected.
  ///
  /// If the body assigns another stack, its entries get new ids.
  ///
  /// - Complexity: O(entries), plus `body`.
  /// - Returns: The result of `body`.
  @inlinable
  @discardableResult
  public mutating func modify<Result>(
    _ tab: Tab, _ body: (inout BackStack<Route>) -> Result
  ) -> Result {
    let index = Self.index(of: tab)
    let own = stacks[index].next
    var next = own
    for stack in stacks { next = max(next, stack.next) }
    stacks[index].counter = next | BackStack<Route>.tabMark
    let result = body(&stacks[index])
    endChange(at: index, from: next, before: own)
    return result
  }

  /// Changes the parameters of the route with an id in place, in whichever tab it is.
  ///
  /// - Complexity: O(entries), plus `body`.
  /// - Returns: The result of `body`, or `nil` if no stack has the route.
  @inlinable
  @discardableResult
  public mutating func modify<Result>(
    _ id: RouteID, _ body: (inout Route) -> Result
  ) -> Result? {
    for index in stacks.indices {
      guard let entry = stacks[index].index(of: id) else { continue }
      return body(&stacks[index].storage[entry].route)
    }
    return nil
  }

  /// Returns the route with an id, in whichever tab it is; `nil` if no stack has it.
  ///
  /// - Complexity: O(entries).
  public subscript(id: RouteID) -> Route? {
    for stack in stacks {
      if let route = stack[id] { return route }
    }
    return nil
  }

  /// Returns the tab whose stack has the route with an id, or `nil` if none has.
  ///
  /// - Complexity: O(entries).
  public func tab(of id: RouteID) -> Tab? {
    zip(Tab.allCases, stacks).first { _, stack in stack.index(of: id) != nil }?.0
  }

  @inlinable
  static func index(of tab: Tab) -> Int {
    var index = 0
    for other in Tab.allCases {
      if other == tab { return index }
      index += 1
    }
    preconditionFailure("TabStacks: allCases does not list every tab")
  }
}

extension TabStacks {
  /// Ends a change of the stack of a tab: removes the mark, and gives the entries of an assigned
  /// stack ids that no entry has had.
  ///
  /// - Parameters:
  ///   - index: The position of the tab.
  ///   - shared: The next id of all tabs before the change.
  ///   - own: The next id of this stack before the change.
  @usableFromInline
  mutating func endChange(at index: Int, from shared: Int64, before own: Int64) {
    let next = stacks[index].next
    let isMarked = stacks[index].counter != next
    if isMarked, next >= shared, !sharesID(with: index) {
      // Without a push, restores the stack's own counter, so that it is recorded as before.
      stacks[index].counter = next > shared ? next : max(own, stacks[index].topID.value + 1)
    } else {
      stacks[index].counter = max(next, shared)
      stacks[index].renumber()
    }
  }

  /// Returns whether an entry of the stack at an index has the id of an entry in another tab.
  private func sharesID(with index: Int) -> Bool {
    stacks.indices.contains { $0 != index && stacks[$0].sharesID(with: stacks[index]) }
  }
}

extension BackStack {
  /// Returns whether an entry has the id of an entry in another stack; in both the ids rise.
  fileprivate func sharesID(with other: BackStack) -> Bool {
    var index = 0
    for entry in storage {
      while index < other.storage.count, other.storage[index].id.value < entry.id.value {
        index += 1
      }
      if index < other.storage.count, other.storage[index].id == entry.id { return true }
    }
    return false
  }

  /// Assigns a new id to each entry.
  fileprivate mutating func renumber() {
    storage = storage.map { Entry(id: nextID(), route: $0.route) }
  }
}

extension TabStacks {
  /// One step from tabs with their stacks to others.
  public enum Step: Hashable, Sendable {
    /// A step in the stack of a tab.
    case inTab(Tab, BackStack<Route>.Step)
    /// A tab is selected.
    case select(Tab)
  }

  /// Returns the fewest steps to other stacks and another selected tab.
  ///
  /// - Complexity: O(routes of both); each computes its path.
  public func steps(to target: TabStacks) -> [Step] {
    var steps: [Step] = []
    for tab in Tab.allCases {
      steps += self[tab].steps(to: target[tab]).map { .inTab(tab, $0) }
    }
    return selected == target.selected ? steps : steps + [.select(target.selected)]
  }
}
