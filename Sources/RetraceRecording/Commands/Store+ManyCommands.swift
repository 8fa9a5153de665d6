public import Retrace
public import RetraceStorage
import RetraceSystem

extension Store {
  /// Performs commands in order, and returns when all of them are decided and those accepted are
  /// durable.
  ///
  /// Each command is a batch of its own, decided on the state that the ones before it left, and
  /// refused alone. Many commands share a commit, so this costs far less than a call for each of
  /// them. Batches of other senders can come between. If the program ends meanwhile, the log has a
  /// prefix of the commands; with keys, the caller can safely perform all of them again.
  ///
  /// ```swift
  /// let results = try await heater.perform([.lock(true), .warm(to: 21)], from: .importing)
  /// print(results.count)
  /// ```
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - origin: Where the commands come from; not `effect`.
  ///   - keys: The idempotency key of each command; empty for commands without keys.
  /// - Complexity: As ``perform(_:from:key:)`` for each command, but two disk flushes for each
  ///   group of the queue.
  /// - Returns: For each command its facts, or why it has none. Batches after a failed commit fail
  ///   with its error.
  /// - Throws: `recordTooLarge` or `invalidRecord` if a command or a key cannot be recorded, with
  ///   nothing performed; `closed`.
  /// - Precondition: `keys` is empty or as long as `commands`.
  public func perform(
    _ commands: [App.Command], from origin: RecordedCommand.Origin = .program, keys: [String] = []
  ) async throws(StoreError) -> [Result<[App.Action], CommandError<App>>] {
    let batches = try writer.encode(commands, from: origin, keys: keys)
    if batches.isEmpty { return [] }
    let writer = writer
    let outcomes: OutcomeList<App> = await withCheckedContinuation { continuation in
      let list = OutcomeList<App>(batches.count) { continuation.resume(returning: $0) }
      writer.push(batches, completing: list, submits: true)
    }
    if outcomes.hasRepeated { try await commitRepeated() }
    return outcomes.facts(in: storage)
  }

  /// Performs commands in order, and blocks until all of them are decided and those accepted are
  /// durable; see ``perform(_:from:keys:)``.
  ///
  /// - Throws: As ``perform(_:from:keys:)``; `reentrant` from an observer or a transaction.
  /// - Precondition: `keys` is empty or as long as `commands`.
  public func performBlocking(
    _ commands: [App.Command], from origin: RecordedCommand.Origin = .program, keys: [String] = []
  ) throws(StoreError) -> [Result<[App.Action], CommandError<App>>] {
    try writer.refuseReentrancy("performBlocking")
    let batches = try writer.encode(commands, from: origin, keys: keys)
    if batches.isEmpty { return [] }
    let done = Semaphore()
    let outcomes = OutcomeList<App>(batches.count) { _ in done.signal() }
    writer.push(batches, completing: outcomes, submits: false)
    let writer = writer
    storage.performWriting { access in writer.drain(access) }
    done.wait()
    if outcomes.hasRepeated { try commitRepeatedBlocking() }
    return outcomes.facts(in: storage)
  }
}

extension Writer {
  /// Encodes commands as batches, on the sender's thread.
  fileprivate func encode(
    _ commands: [App.Command], from origin: RecordedCommand.Origin, keys: [String]
  ) throws(StoreError) -> [PendingBatch<App>] {
    precondition(
      keys.isEmpty || keys.count == commands.count,
      "perform: \(keys.count) keys for \(commands.count) commands")
    var batches: [PendingBatch<App>] = []
    batches.reserveCapacity(commands.count)
    for (index, command) in commands.enumerated() {
      batches.append(
        try encode(command, from: origin, key: keys.isEmpty ? nil : keys[index]))
    }
    return batches
  }

  /// Appends batches to the queue, whatever its length, because their sender waits for them.
  fileprivate func push(
    _ batches: [PendingBatch<App>], completing outcomes: OutcomeList<App>, submits: Bool
  ) {
    for (index, batch) in batches.enumerated() {
      let batch = batch.completing { outcomes.set($0, at: index) }
      do throws(StoreError) {
        try push(batch, bounded: false, submits: submits)
      } catch {
        outcomes.set(.failure(error), at: index)
      }
    }
  }
}

/// The outcomes of commands that were sent together.
private final class OutcomeList<App: ReplayableApp>: Sendable {
  private enum Outcome {
    case known(Result<[App.Action], CommandError<App>>)
    /// The log already has the command under its key, in these records.
    case repeated(Range<UInt64>)
  }

  private struct State {
    var outcomes: [Outcome?]
    var missing: Int
    var hasRepeated = false
  }

  private let state: Lock<State>
  private let completion: @Sendable (OutcomeList) -> Void

  /// Makes a list that calls `completion` once it has all outcomes.
  init(_ count: Int, completion: @escaping @Sendable (OutcomeList) -> Void) {
    state = Lock(State(outcomes: Array(repeating: nil, count: count), missing: count))
    self.completion = completion
  }

  var hasRepeated: Bool { state.withLock { $0.hasRepeated } }

  /// Sets the outcome of a command.
  ///
  /// Drops the receipt, which holds a state: while a state is kept, commands have to copy the parts
  /// that they change.
  func set(_ result: Result<Receipt<App>, StoreError>, at index: Int) {
    let outcome = Self.outcome(of: result)
    let isComplete = state.withLock { state in
      if case .repeated = outcome { state.hasRepeated = true }
      state.outcomes[index] = outcome
      state.missing -= 1
      return state.missing == 0
    }
    if isComplete { completion(self) }
  }

  private static func outcome(of result: Result<Receipt<App>, StoreError>) -> Outcome {
    switch result {
    case .failure(let error): return .known(.failure(.store(error)))
    case .success(let receipt):
      return receipt.decidedFacts.map { .known($0) } ?? .repeated(receipt.sequences)
    }
  }

  /// Returns the facts of each command, or why it has none.
  ///
  /// - Precondition: The list has all outcomes.
  func facts(in log: LogStorage) -> [Result<[App.Action], CommandError<App>>] {
    state.withLock { $0.outcomes }.map { outcome in
      switch outcome {
      case .known(let result): return result
      case .repeated(let sequences):
        do throws(StoreError) {
          return .success(try log.actions(of: App.self, at: sequences))
        } catch {
          return .failure(.store(error))
        }
      case nil: return .failure(.store(.closed))
      }
    }
  }
}
