import Retrace
import RetraceStorage
import RetraceSystem
import Synchronization

/// A value that follows the states of a store, and what follows it in turn: views and observers.
///
/// The nodes of a store are a tree. Its root follows the publisher while something follows the
/// root, and a view follows its parent while something follows the view. One thread at a time
/// passes a value down the tree. A part of the tree whose input did not change is not asked.
final class StateNode<Value: Sendable>: Sendable {
  /// A view or an observer below a node.
  final class Follower: Sendable {
    /// Called with each value of the node; forced if the value before may have had damaged pages.
    let follow: @Sendable (Observed<Value>, _ isForced: Bool) -> Void
    /// Called when the store ends, after the last value.
    let end: @Sendable () -> Void

    init(
      follow: @escaping @Sendable (Observed<Value>, Bool) -> Void,
      end: @escaping @Sendable () -> Void
    ) {
      self.follow = follow
      self.end = end
    }
  }

  private struct State {
    var latest: Observed<Value>?
    /// Counts the values, so that a follower is added only with the latest one.
    var version = 0
    /// Counts the attachments; a value of an earlier one is dropped.
    var attachment = 0
    var followers: ContiguousArray<Follower> = []
    var hasEnded = false
  }

  private let state = Lock(State())
  /// The observation of what the node follows; `nil` while nothing follows the node.
  private let source = Lock<Observation?>(nil)
  /// Starts to follow the source of the node: passes its latest value on before it returns.
  private let attach: @Sendable (StateNode, _ attachment: Int) -> Observation
  /// Set by an observer that found a damaged page; the next values are then forced.
  let damage: DamageFlag
  /// Called after a follower was added, because its first value may have read damaged pages.
  let checkPages: @Sendable () -> Void
  /// Returns whether all pages of the latest state that were read so far are intact.
  let isSound: @Sendable () -> Bool

  init(
    damage: DamageFlag, checkPages: @escaping @Sendable () -> Void = {},
    isSound: @escaping @Sendable () -> Bool = { true },
    attach: @escaping @Sendable (StateNode, Int) -> Observation
  ) {
    self.damage = damage
    self.checkPages = checkPages
    self.isSound = isSound
    self.attach = attach
  }

  /// Passes a value on to all followers.
  func publish(_ observed: Observed<Value>, of attachment: Int, isForced: Bool) {
    let followers = state.withLock { state -> ContiguousArray<Follower> in
      guard state.attachment == attachment else { return [] }
      state.latest = observed
      state.version += 1
      return state.followers
    }
    for index in followers.indices { followers[index].follow(observed, isForced) }
  }

  /// Ends all followers, because the store ends.
  func end(of attachment: Int) {
    let followers = state.withLock { state -> ContiguousArray<Follower> in
      guard state.attachment == attachment else { return [] }
      state.hasEnded = true
      defer { state.followers = [] }
      return state.followers
    }
    for follower in followers { follower.end() }
  }

  /// Adds a follower that begins with the latest value.
  ///
  /// - Parameters:
  ///   - follower: The follower.
  ///   - prepare: Called with the latest value, and again if another one arrives meanwhile.
  ///   - begin: Called with that value, before a later one is passed on; it must not call others.
  /// - Returns: Whether the store has ended, so that no other value follows.
  func add(
    _ follower: Follower, prepare: (Observed<Value>) -> Void, begin: (Observed<Value>) -> Void
  ) -> Bool {
    source.withLock { source in
      let attachment = state.withLock { state -> Int? in
        if state.hasEnded { source = nil }
        guard source == nil else { return nil }
        state.hasEnded = false
        state.attachment += 1
        return state.attachment
      }
      if let attachment { source = attach(self, attachment) }
      while true {
        let (latest, version) = state.withLock { ($0.latest, $0.version) }
        guard let latest else { return true }
        prepare(latest)
        let hasEnded = state.withLock { state -> Bool? in
          guard state.version == version else { return nil }
          begin(latest)
          if !state.hasEnded { state.followers.append(follower) }
          return state.hasEnded
        }
        if let hasEnded { return hasEnded }
      }
    }
  }

  /// Removes a follower, and stops following the source after the last one.
  func remove(_ follower: Follower) {
    let dropped = source.withLock { source -> (Observation?, Follower?) in
      let (removed, isEmpty) = state.withLock { state -> (Follower?, Bool) in
        guard let index = state.followers.firstIndex(where: { $0 === follower }) else {
          return (nil, state.followers.isEmpty)
        }
        return (state.followers.remove(at: index), state.followers.isEmpty)
      }
      guard isEmpty else { return (nil, removed) }
      state.withLock { state in
        state.attachment += 1
        state.latest = nil
      }
      return (source.take(), removed)
    }
    withExtendedLifetime(dropped) {}
  }
}

/// Whether an observer has read a damaged page, so that its part of the state has to be sent again.
final class DamageFlag: Sendable {
  private let isSet = Atomic(false)

  func set() { isSet.store(true, ordering: .releasing) }

  func take() -> Bool { isSet.exchange(false, ordering: .acquiringAndReleasing) }
}

extension StateNode {
  /// Creates the root of the tree of a store.
  convenience init<App: ReplayableApp>(following writer: Writer<App>) where Value == App.State {
    let damage = DamageFlag()
    self.init(damage: damage) { [weak writer] in
      writer?.refoldIfDamaged()
    } isSound: { [weak writer] in
      writer?.publisher.latest.isSound ?? true
    } attach: { [weak writer] node, attachment in
      guard let writer else { return Observation {} }
      let observation = writer.publisher.observe { [weak node] in
        node?.end(of: attachment)
      } _: { [weak node] observed in
        node?.publish(observed, of: attachment, isForced: damage.take())
        if !observed.isSound { damage.set() }
      }
      writer.follow()
      return observation
    }
  }

  /// Returns a node whose values a selector makes of this one's.
  func derived<Output: Sendable>(_ selector: Selector<Value, Output>) -> StateNode<Output> {
    StateNode<Output>(damage: damage, checkPages: checkPages, isSound: isSound) {
      [self] child, attachment in
      let hasChanged = selector.changeCheck()
      @Sendable func output(_ observed: Observed<Value>) -> Observed<Output> {
        let value = selector(observed.value)
        if !observed.isSound { selector.forget() }
        return Observed(value: value, pages: observed.pages)
      }
      // The child owns its source, which owns the follower.
      let follower = Follower { [weak child] observed, isForced in
        guard hasChanged(observed.value) || isForced else { return }
        child?.publish(output(observed), of: attachment, isForced: isForced)
      } end: { [weak child] in
        child?.end(of: attachment)
      }
      let hasEnded = add(follower) { observed in
        _ = hasChanged(observed.value)
        child.publish(output(observed), of: attachment, isForced: false)
      } begin: { _ in
      }
      if hasEnded { child.end(of: attachment) }
      return Observation { self.remove(follower) }
    }
  }

  /// Calls `body` with the latest value at once, and again with each value that differs.
  ///
  /// - Parameters:
  ///   - hasChanged: Whether a value differs from the one of the call before.
  ///   - onEnd: Called after the last value, if the store ends first.
  ///   - body: Called with each value, never concurrently.
  func observe(
    _ hasChanged: @escaping @Sendable (Value) -> Bool, onEnd: Observer<Value>.End? = nil,
    _ body: @escaping @Sendable (Observed<Value>) -> Void
  ) -> Observation {
    let observer = Observer<Value>(body, onEnd: onEnd)
    let follower = Follower { observed, isForced in
      guard hasChanged(observed.value) || isForced else { return }
      observer.add([observed])
      observer.deliver()
    } end: {
      observer.finish()
    }
    let hasEnded = add(follower) { observed in
      _ = hasChanged(observed.value)
    } begin: { observed in
      observer.add([observed])
    }
    observer.deliver()
    if hasEnded { observer.finish() }
    checkPages()
    return Observation {
      observer.cancel()
      self.remove(follower)
    }
  }
}
