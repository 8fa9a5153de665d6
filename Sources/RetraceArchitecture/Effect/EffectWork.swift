public import RetraceAvro
public import RetraceState

/// Work of an effect: leaves with their delays, their order and the ids that cancel them.
///
/// Reducers mostly write work as an effect: `.run(a).delayed(by: b)`. The type is needed for work
/// that is put together in several statements; ``Effect/init(_:)`` makes an effect of it.
///
/// ```swift
/// var work: EffectWork<SearchAction, NoteServer> = .concatenate(
///   ["tea", "milk"].map { .run(CountHits(query: $0)) })
/// work = work.delayed(by: .seconds(1))
/// let effect = Effect(work)
/// ```
public struct EffectWork<Action: Sendable, Environment: Sendable>: Equatable, Sendable {
  /// The outermost part of the work.
  public let content: EffectWorkContent<Action, Environment>

  private init(_ content: EffectWorkContent<Action, Environment>) { self.content = content }

  /// The work that does nothing.
  public static var none: EffectWork { EffectWork(.merge([])) }

  /// Whether the work is ``none``.
  public var isNone: Bool {
    if case .merge(let parts) = content { parts.isEmpty } else { false }
  }

  // MARK: Making work

  /// Returns work of one leaf.
  public static func run<Leaf: EffectLeaf>(_ leaf: Leaf) -> EffectWork
  where Leaf.Action == Action, Leaf.Environment == Environment {
    EffectWork(.leaf(AnyEffectLeaf(leaf)))
  }

  /// Returns work of one leaf that sends actions while it runs.
  public static func run<Leaf: StreamingLeaf>(_ leaf: Leaf) -> EffectWork
  where Leaf.Action == Action, Leaf.Environment == Environment {
    EffectWork(.leaf(AnyEffectLeaf(leaf)))
  }

  /// Returns work whose parts run concurrently; ``none`` is left out.
  ///
  /// - Complexity: O(`parts.count`).
  public static func merge(_ parts: [EffectWork]) -> EffectWork {
    let parts = parts.flatMap { part -> [EffectWork] in
      if case .merge(let inner) = part.content { inner } else { [part] }
    }
    return parts.count == 1 ? parts[0] : EffectWork(.merge(parts))
  }

  /// Returns work whose parts run one after the other; ``none`` is left out.
  ///
  /// - Complexity: O(`parts.count`).
  public static func concatenate(_ parts: [EffectWork]) -> EffectWork {
    let parts = parts.flatMap { part -> [EffectWork] in
      if case .concatenate(let inner) = part.content { return inner }
      return part.isNone ? [] : [part]
    }
    if parts.isEmpty { return .none }
    return parts.count == 1 ? parts[0] : EffectWork(.concatenate(parts))
  }

  // MARK: Wrapping work

  /// Returns the work, delayed by a time; delays around work add up.
  @_disfavoredOverload
  public func delayed(by time: ElapsedTime) -> EffectWork {
    isNone ? self : EffectWork(.delay(time, self))
  }

  /// Returns the work, delayed by a time; delays around work add up.
  public func delayed(by time: ElapsedTime) -> Effect<Action, Environment> {
    Effect(delayed(by: time) as EffectWork)
  }

  /// Returns the work, run under a key by which the feature can cancel it.
  @_disfavoredOverload
  public func cancellable(_ key: some CancellationKey) -> EffectWork {
    isNone ? self : EffectWork(.cancellable(CancellationID(key), self))
  }

  /// Returns the work, run under a key by which the feature can cancel it.
  ///
  /// A key belongs to the feature whose reducer returns the effect: the same key in another
  /// feature, or in another entity of the same table, names other work.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - cancelInFlight: Whether work that already runs under the key is cancelled first.
  public func cancellable(
    _ key: some CancellationKey, cancelInFlight: Bool = false
  ) -> Effect<Action, Environment> {
    let started = Effect(cancellable(key) as EffectWork)
    return cancelInFlight ? .cancel(key).merged(with: started) : started
  }

  /// Returns the work, started once no other work has been started under the key for a time.
  ///
  /// Work that waits or runs under the key is cancelled. The time counts from the moment of the
  /// action, so replay computes the same.
  public func debounced(
    _ key: some CancellationKey, for time: ElapsedTime
  ) -> Effect<Action, Environment> {
    (delayed(by: time) as EffectWork).cancellable(key, cancelInFlight: true)
  }

  /// Returns the work, started at most once in a time under the key.
  ///
  /// The first work starts at once and opens a window of that time. Work that is returned during
  /// the window does not start. With `latest`, the last such work starts at the end of the window
  /// and opens the next one. Windows follow from the moments of actions, so replay computes the
  /// same.
  public func throttled(
    _ key: some CancellationKey, for time: ElapsedTime, latest: Bool
  ) -> Effect<Action, Environment> {
    if isNone { return .none }
    return Effect(
      .throttle(EffectThrottle(id: CancellationID(key), time: time, latest: latest), self))
  }

  // MARK: Mapping

  /// Returns the same tree with other leaves.
  func mapLeaves<NewAction: Sendable, NewEnvironment: Sendable>(
    _ transform: (AnyEffectLeaf<Action, Environment>) -> AnyEffectLeaf<NewAction, NewEnvironment>
  ) -> EffectWork<NewAction, NewEnvironment> {
    let mapped: EffectWorkContent<NewAction, NewEnvironment> =
      switch content {
      case .leaf(let leaf): .leaf(transform(leaf))
      case .delay(let time, let work): .delay(time, work.mapLeaves(transform))
      case .merge(let parts): .merge(parts.map { $0.mapLeaves(transform) })
      case .concatenate(let parts): .concatenate(parts.map { $0.mapLeaves(transform) })
      case .cancellable(let id, let work): .cancellable(id, work.mapLeaves(transform))
      }
    return EffectWork<NewAction, NewEnvironment>(mapped)
  }
}

extension EffectWork where Action: Recordable & Equatable {
  /// Returns work that sends an action back; usually delayed.
  public static func send(_ action: Action) -> EffectWork { .run(SendLeaf(action: action)) }
}

/// The outermost part of work.
public indirect enum EffectWorkContent<Action: Sendable, Environment: Sendable>: Equatable,
  Sendable
{
  /// One leaf.
  case leaf(AnyEffectLeaf<Action, Environment>)
  /// Delayed work.
  case delay(ElapsedTime, EffectWork<Action, Environment>)
  /// Parts that run concurrently; none for work that does nothing.
  case merge([EffectWork<Action, Environment>])
  /// Parts that run one after the other.
  case concatenate([EffectWork<Action, Environment>])
  /// Work that runs under an id.
  case cancellable(CancellationID, EffectWork<Action, Environment>)
}

/// The rate at which throttled work starts.
public struct EffectThrottle: Hashable, Sendable {
  /// The id under which the work runs.
  public var id: CancellationID
  /// The time in which work starts once.
  public var time: ElapsedTime
  /// Whether the last work of that time starts at its end.
  public var latest: Bool
}
