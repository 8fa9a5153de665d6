import RetraceSystem

/// A service of an environment that can be replaced while the store is open.
///
/// Each environment has its own, so a replacement concerns one store and not the process. Effects
/// that have the service already keep it.
///
/// ```swift
/// let server = Replaceable(NoteServer(text: { "text of \($0)" }, count: { _ in 0 }))
/// let environment = NoteServer(
///   text: { try await server.current.text($0) }, count: { try await server.current.count($0) })
/// server.replace(with: NoteServer(text: { _ in "offline" }, count: { _ in 0 }))
/// print(try await environment.text("tea"))
/// ```
public final class Replaceable<Service: Sendable>: Sendable {
  private struct State {
    var service: Service
    /// The services of scopes that have not ended, the newest last.
    var scoped: [(number: Int, service: Service)] = []
    var next = 0
  }

  private let state: Lock<State>

  /// Creates a replaceable service.
  public init(_ service: Service) { state = Lock(State(service: service)) }

  /// The service of the newest scope, or else the last one that was set.
  public var current: Service {
    state.withLock { state in
      state.scoped.isEmpty ? state.service : state.scoped[state.scoped.count - 1].service
    }
  }

  /// Replaces the service from now on; scopes that have not ended keep theirs.
  public func replace(with service: Service) {
    let old = state.withLock { state in
      defer { state.service = service }
      return state.service
    }
    withExtendedLifetime(old) {}
  }

  /// Replaces the service until `body` has returned or thrown.
  ///
  /// - Throws: The error of `body`.
  public func withReplacement<Result>(
    _ service: Service, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let number = state.withLock { state in
      state.next += 1
      state.scoped.append((state.next, service))
      return state.next
    }
    defer { state.withLock { state in state.scoped.removeAll { $0.number == number } } }
    return try await body()
  }
}
