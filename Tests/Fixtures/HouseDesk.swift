import RetraceSystem

/// The environment of the house's effects: a test says how errands end, and what streams send.
///
/// By default an errand finishes at once.
package final class HouseDesk: Sendable {
  /// The behaviour of an errand.
  package enum Behaviour: Sendable {
    /// The errand finishes at once.
    case finishes
    /// The errand finishes when it is released by ``HouseDesk/release(_:)`` or cancelled.
    case waits
    /// The errand ignores cancellation and finishes only if it is released.
    case hangs
    /// The errand throws an error with a text.
    case fails(String)
    /// The result of the errand is longer than a record may be.
    case exceedsLimit
  }

  /// The error of a failed errand.
  package struct Failure: Error, CustomStringConvertible {
    /// The text that the test gave.
    package let description: String
  }

  /// A started errand that is not finished.
  private struct Waiting {
    var number: Int
    var name: String
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct Source {
    var stream: AsyncStream<[String]>
    var continuation: AsyncStream<[String]>.Continuation
  }

  private struct State {
    var behaviours: [String: Behaviour] = [:]
    var defaultBehaviour = Behaviour.finishes
    var started: [String] = []
    var released: Set<String> = []
    var cancelled: [String] = []
    var cancelledNumbers: Set<Int> = []
    var waiting: [Waiting] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var sources: [String: Source] = [:]
    var notes: [String] = []
    var readers: [(text: String, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  /// Makes a desk.
  ///
  /// - Parameters:
  ///   - behaviours: The behaviour of some errands, by name.
  ///   - defaultBehaviour: The behaviour of all other errands.
  package init(
    _ behaviours: [String: Behaviour] = [:], default defaultBehaviour: Behaviour = .finishes
  ) {
    state.withLock { state in
      state.behaviours = behaviours
      state.defaultBehaviour = defaultBehaviour
    }
  }

  /// The errands that were started, in order.
  package var started: [String] { state.withLock { $0.started } }

  /// The errands that were cancelled.
  package var cancelled: [String] { state.withLock { $0.cancelled } }

  /// Returns once `count` errands have been started.
  package func whenStarted(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.started.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  /// Finishes the waiting errands with a name, and every later one with that name.
  package func release(_ name: String) {
    let waiting = state.withLock { state in
      state.released.insert(name)
      defer { state.waiting.removeAll { $0.name == name } }
      return state.waiting.filter { $0.name == name }
    }
    for errand in waiting { errand.continuation.resume() }
  }

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
        state.readers.append((text, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func batches(of name: String) -> AsyncStream<[String]> { source(of: name).stream }

  func note(_ text: String) {
    let readers = state.withLock { state in
      state.notes.append(text)
      defer { state.readers.removeAll { $0.text == text } }
      return state.readers.filter { $0.text == text }
    }
    for reader in readers { reader.continuation.resume() }
  }

  func run(_ name: String) async throws -> String {
    let (number, behaviour, watchers) = state.withLock { state in
      state.started.append(name)
      let count = state.started.count
      defer { state.watchers.removeAll { $0.count <= count } }
      return (
        count, state.behaviours[name] ?? state.defaultBehaviour,
        state.watchers.filter { $0.count <= count }.map(\.continuation)
      )
    }
    for watcher in watchers { watcher.resume() }
    switch behaviour {
    case .finishes: break
    case .waits: try await wait(for: name, number)
    case .hangs: await wait(ignoringCancellation: name, number)
    case .fails(let text): throw Failure(description: text)
    case .exceedsLimit: return String(repeating: "x", count: 2 << 20)
    }
    return name
  }

  private func wait(for name: String, _ number: Int) async throws {
    await withTaskCancellationHandler {
      await wait(ignoringCancellation: name, number)
    } onCancel: {
      let errand = state.withLock { state -> Waiting? in
        state.cancelled.append(name)
        state.cancelledNumbers.insert(number)
        let place = state.waiting.firstIndex { $0.number == number }
        return place.map { state.waiting.remove(at: $0) }
      }
      errand?.continuation.resume()
    }
    try Task.checkCancellation()
  }

  private func wait(ignoringCancellation name: String, _ number: Int) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.released.contains(name) || state.cancelledNumbers.contains(number) { return true }
        state.waiting.append(Waiting(number: number, name: name, continuation: continuation))
        return false
      }
      if isOver { continuation.resume() }
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
