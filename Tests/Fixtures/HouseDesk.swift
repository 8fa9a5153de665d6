import RetraceSystem

/// The environment of the house's effects: a test says what they answer, and when.
package final class HouseDesk: Sendable {
  private struct Source {
    var stream: AsyncStream<[String]>
    var continuation: AsyncStream<[String]>.Continuation
  }

  private struct State {
    var sources: [String: Source] = [:]
    var waits = false
    var notes: [String] = []
    var watchers: [(text: String, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  /// Makes a desk.
  ///
  /// - Parameter waits: Whether effects that answer once wait until they are cancelled.
  package init(waits: Bool = false) { state.withLock { $0.waits = waits } }

  /// What the effects noted, in order.
  package var notes: [String] { state.withLock { $0.notes } }

  /// Gives a batch to the effect of a name, also before it starts.
  package func give(_ texts: [String], to name: String) {
    source(of: name).continuation.yield(texts)
  }

  /// Ends the effect of a name after the batches it was given.
  package func finish(_ name: String) { source(of: name).continuation.finish() }

  /// Returns once an effect has noted a text.
  package func whenNoted(_ text: String) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.notes.contains(text) { return true }
        state.watchers.append((text, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func batches(of name: String) -> AsyncStream<[String]> { source(of: name).stream }

  func note(_ text: String) {
    let watchers = state.withLock { state in
      state.notes.append(text)
      defer { state.watchers.removeAll { $0.text == text } }
      return state.watchers.filter { $0.text == text }
    }
    for watcher in watchers { watcher.continuation.resume() }
  }

  func pause(_ text: String) async throws {
    note("\(text) runs")
    guard state.withLock({ $0.waits }) else { return }
    do {
      try await Task.sleep(for: .seconds(3_600))
    } catch {
      note("\(text) is cancelled")
      throw error
    }
  }

  private func source(of name: String) -> Source {
    state.withLock { state in
      if let source = state.sources[name] { return source }
      let (stream, continuation) = AsyncStream.makeStream(of: [String].self)
      let source = Source(stream: stream, continuation: continuation)
      state.sources[name] = source
      return source
    }
  }
}
