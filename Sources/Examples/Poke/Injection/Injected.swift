import Synchronization

/// A dependency that can be replaced while the app runs, for as long as a function takes.
///
/// A replacement reaches the environments that hold the dependency, and nothing else: it is not
/// global. So a test that replaces a service of its store changes no other store.
public final class Injected<Value: Sendable>: Sendable {
  private struct Contents {
    let original: Value
    var replacements: [(id: Int, value: Value)] = []
    var count = 0
  }

  private let contents: Mutex<Contents>

  /// Makes a dependency with its original value.
  public init(_ value: Value) { contents = Mutex(Contents(original: value)) }

  /// The newest replacement that is in effect, or the original value.
  public var value: Value { contents.withLock { $0.replacements.last?.value ?? $0.original } }

  /// Calls `body`, and has ``value`` be another one meanwhile.
  ///
  /// Scopes may nest and overlap. An effect that took the value before the scope ends keeps it.
  public func replacing<Result>(
    with value: Value, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let id = contents.withLock { contents in
      contents.count += 1
      contents.replacements.append((contents.count, value))
      return contents.count
    }
    defer { contents.withLock { $0.replacements.removeAll { $0.id == id } } }
    return try await body()
  }
}
