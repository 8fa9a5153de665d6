// A medium shows routes with concurrency, which Embedded Swift does not have.
#if !hasFeature(Embedded)
  public import RetraceAvro

  /// An object that has coordinators show tabs with their stacks, in the fewest steps.
  ///
  /// The stacks of all tabs are shown, also of those that are not selected: a tab that is selected
  /// is there at once. It belongs to one isolation domain, as a ``Router`` does.
  ///
  /// ```swift
  /// let tabs = TabStacks<ShopTab, ShopRoute>(selected: .goods) { _ in .product(ProductPage()) }
  /// let router = TabRouter(PrintingTabs())
  /// await router.show(tabs)
  /// ```
  public final class TabRouter<Tab: Recordable & Hashable & CaseIterable, Route: NavigationRoute> {
    private let coordinator: any TabCoordinator<Tab, Route>
    private var routers: [Tab: Router<Route>] = [:]
    /// The newest stacks, for routers that are made later.
    private var target: TabStacks<Tab, Route>?
    /// The tab to select once the stacks are shown.
    private var selection: Tab?
    private var isMoving = false

    /// The tab that the medium shows; `nil` before the first.
    public private(set) var selected: Tab?

    /// Creates a router of a medium that shows nothing yet.
    public init(_ coordinator: any TabCoordinator<Tab, Route>) { self.coordinator = coordinator }

    /// Returns the router of a tab's stack, which takes the user's dismissals.
    public func router(of tab: Tab) -> Router<Route> {
      if let router = routers[tab] { return router }
      let router = Router<Route>(coordinator.newTab(tab))
      if let target { router.aim(at: target[tab]) }
      routers[tab] = router
      return router
    }

    /// Shows tabs, and returns when the medium shows them: the stacks first, then the selected tab.
    ///
    /// If another call is in progress, that one goes on to these tabs after its current step, and
    /// this one returns.
    ///
    /// - Complexity: O(routes²) paths and encodings, plus the coordinators.
    public func show(_ tabs: TabStacks<Tab, Route>) async {
      aim(at: tabs)
      await proceed()
    }

    /// Sets the tabs to show without doing a step; a call in progress goes on to them.
    ///
    /// All routers aim at the new stacks at once, so that what the user dismisses from now on is
    /// not presented again. A coordinator with tabs calls it in ``Coordinator/aim(at:)``.
    ///
    /// - Complexity: O(routes) paths, plus the coordinators.
    public func aim(at tabs: TabStacks<Tab, Route>) {
      target = tabs
      selection = tabs.selected
      for (tab, router) in routers { router.aim(at: tabs[tab]) }
    }

    /// Does the steps to the tabs that the router aims at, and returns when the medium shows them;
    /// if another call is in progress, returns at once.
    ///
    /// - Complexity: As ``show(_:)``.
    public func proceed() async {
      if isMoving || target == nil { return }
      isMoving = true
      while true {
        if let tab = Tab.allCases.first(where: { router(of: $0).canProceed }) {
          await router(of: tab).proceed()
        } else if let selection, selection != selected {
          selected = selection
          await coordinator.select(selection)
        } else {
          break
        }
      }
      isMoving = false
    }

    /// Registers that the user has selected a tab on the medium.
    ///
    /// The medium shows its stack already. Send an action whose reducer calls
    /// ``TabStacks/select(_:again:)``, then show the new tabs.
    public func userSelected(_ tab: Tab) {
      selected = tab
      // A call of `show` in progress must not select another tab before the action is sent.
      selection = tab
    }
  }
#endif
