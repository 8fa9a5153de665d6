// A medium shows routes with concurrency, which Embedded Swift does not have.
#if !hasFeature(Embedded)
  import RetraceAvro

  /// An object that has coordinators show a back stack, in the fewest steps.
  ///
  /// The router does one step at a time and awaits its end. It keeps track of the entries on the
  /// medium: it has presented them, and the user has not dismissed them. So it needs no history: a
  /// new router reaches any stack from nothing, as after a restart.
  ///
  /// A router belongs to one isolation domain, usually the main actor.
  ///
  /// ```swift
  /// var stack = BackStack<ShopRoute>(root: .basket(Basket(code: TextDraft())))
  /// let router = Router(PrintingCoordinator())
  /// await router.show(stack)
  /// if let id = router.userDismissed() { stack.pop(through: id) }
  /// await router.show(stack)
  /// ```
  public final class Router<Route: NavigationRoute> {
    /// An entry that the medium shows, and the coordinator that shows it.
    private struct Place {
      var entry: BackStack<Route>.Entry
      let coordinator: any Coordinator<Route>
    }

    private enum Move {
      case finishTop
      case present(BackStack<Route>.Entry)
      case update(Int, BackStack<Route>.Entry)
    }

    private let base: any Coordinator<Route>
    private var places: [Place] = []
    private var target: [BackStack<Route>.Entry] = []
    private var isMoving = false

    /// Creates a router of a medium that shows nothing yet.
    ///
    /// - Parameter base: The coordinator that is asked for the root. It is never finished itself.
    public init(_ base: any Coordinator<Route>) { self.base = base }

    /// The entries that the medium shows, from the root to the top.
    ///
    /// - Complexity: O(entries).
    public var entries: [BackStack<Route>.Entry] { places.map { $0.entry } }

    /// Shows a back stack, and returns when the medium shows it.
    ///
    /// Call it after each action, also after those that changed nothing. If another call is in
    /// progress, that one goes on to this stack after its current step, and this one returns.
    ///
    /// - Complexity: O(routes²) paths and encodings, plus the coordinators.
    public func show(_ stack: BackStack<Route>) async {
      aim(at: stack)
      await proceed()
    }

    /// Sets the stack to show without doing a step; a call in progress goes on to it.
    ///
    /// A coordinator with a router calls it in ``Coordinator/aim(at:)``.
    ///
    /// - Complexity: O(routes) paths, plus the coordinators.
    public func aim(at stack: BackStack<Route>) {
      target = stack.entries
      for (place, entry) in zip(places, target) {
        guard place.entry.route.isSamePlace(as: entry.route) else { break }
        place.coordinator.aim(at: entry)
      }
    }

    /// Does the steps to the stack that the router aims at, and returns when the medium shows it;
    /// if another call is in progress, returns at once.
    ///
    /// - Complexity: As ``show(_:)``.
    public func proceed() async {
      if isMoving { return }
      isMoving = true
      while let move = nextMove() { await perform(move) }
      isMoving = false
    }

    var canProceed: Bool { !isMoving && nextMove() != nil }

    /// Registers that the user has dismissed an entry and those above it on the medium.
    ///
    /// The medium no longer shows them, so no coordinator is finished. Send an action with the
    /// returned id whose reducer calls ``BackStack/pop(through:)``, then show the new stack. If the
    /// reducer did not pop the entries, they are presented again.
    ///
    /// - Parameter id: The id of the entry; by default the topmost one.
    /// - Returns: The id of the entry, or `nil` if the medium does not show it or it is the root.
    public func userDismissed(_ id: RouteID? = nil) -> RouteID? {
      let place = id.map { id in places.lastIndex { $0.entry.id == id } } ?? places.count - 1
      guard let place, place > 0 else { return nil }
      let dismissed = places[place].entry.id
      places.removeSubrange(place...)
      // A call of `show` in progress must not present them again before the action is sent.
      if let index = target.firstIndex(where: { $0.id == dismissed }), index > 0 {
        target.removeSubrange(index...)
      }
      return dismissed
    }

    private func nextMove() -> Move? {
      switch BackStack.steps(from: entries, to: target).first {
      case .pop: return .finishTop
      case .push(let entry): return .present(entry)
      case .replaceAll(let root): return places.isEmpty ? .present(root) : .finishTop
      case nil: break
      }
      // Compares the bytes, because a value may differ from itself, as NaN does.
      let index = places.indices.first { places[$0].entry.encoded() != target[$0].encoded() }
      return index.map { .update($0, target[$0]) }
    }

    private func perform(_ move: Move) async {
      switch move {
      case .finishTop:
        let count = places.count
        guard let top = places.last else { return }
        await top.coordinator.finish(top.entry)
        // Unless the user dismissed it meanwhile.
        if places.count == count { places.removeLast() }
      case .present(let entry):
        let below = places.last?.coordinator ?? base
        let coordinator = below.newRoute(entry)
        places.append(Place(entry: entry, coordinator: coordinator ?? below))
        places[places.count - 1].coordinator.aim(at: entry)
        await coordinator?.present(entry)
      case .update(let index, let entry):
        places[index].entry = entry
        await places[index].coordinator.update(entry)
      }
    }
  }
#endif
