import RetraceArchitecture
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem

@testable import RetraceRecording

// The steps that wait: on a thread, which blocks, and in a task.

extension ScheduleActorRun {
  // MARK: A thread

  /// Carries the steps of a thread out, and returns the store unless it was dropped.
  mutating func runBlocking(
    _ actor: ScheduleActor, on store: consuming Store<App>
  ) -> Store<App>? {
    var held: Store<App>? = consume store
    for timed in actor.steps {
      MonotonicClock.sleep(nanoseconds: Int64(timed.pause) * 2_000)
      if run.wasDropped { held = nil }
      guard let store = held else { break }
      if !take(timed.step, store) { block(timed.step, store) }
    }
    if run.wasDropped { held = nil }
    return held
  }

  private mutating func block(_ step: ScheduleStep, _ store: Store<App>) {
    let begin = run.tick()
    switch step {
    case .send(_, let key): send(Self.actions(of: step), key: key, store, from: begin)
    case .start, .stop: send(Self.actions(of: step), key: nil, store, from: begin)
    case .perform(let command, let origin, let key):
      let outcome = Self.outcome { () throws(CommandError<App>) in
        try store.performBlocking(command, from: origin, key: key)
      }
      add(.command(command, origin), key: key, from: begin, outcome)
    case .transact(let number, let declines):
      let outcome: Outcome
      do throws(TransactionError<Declined>) {
        let receipt = try store.transactBlocking(Self.body(number, declines: declines))
        outcome = .receipt(receipt, facts: nil, wasRepeated: false)
      } catch {
        outcome = Self.outcome(of: error)
      }
      add(Self.request(number, outcome), from: begin, outcome)
    case .flush: note(step) { () throws(StoreError) in try store.flushBlocking() }
    case .catchUp: note(step) { () throws(StoreError) in try store.catchUpBlocking() }
    case .close:
      run.close()
      note(step) { () throws(StoreError) in try store.closeBlocking() }
    case .enqueue, .settle, .observe, .cancelObservation, .consumeStates, .release, .advance,
      .read, .drop:
      break
    }
  }

  private mutating func send(
    _ actions: [ScheduleAction], key: String?, _ store: Store<App>, from begin: Int
  ) {
    let outcome: Outcome
    do throws(StoreError) {
      let receipt = try store.sendBlocking(actions, key: key)
      outcome = .receipt(receipt, facts: nil, wasRepeated: false)
    } catch {
      outcome = .failed(error.code)
    }
    add(.actions(actions), key: key, from: begin, outcome)
  }

  private static func outcome(
    _ body: () throws(CommandError<App>) -> Performed<App>
  ) -> Outcome {
    do throws(CommandError<App>) {
      let performed = try body()
      return .receipt(
        performed.receipt, facts: performed.facts, wasRepeated: performed.wasRepeated)
    } catch {
      return outcome(of: error)
    }
  }

  private mutating func note(
    _ step: ScheduleStep, _ body: () throws(StoreError) -> Void
  ) {
    do throws(StoreError) { try body() } catch { failed(step, error) }
  }

  // MARK: A task

  /// Carries the steps of a task out, and returns the store unless it was dropped.
  mutating func runTask(
    _ actor: ScheduleActor, on store: consuming Store<App>
  ) async -> Store<App>? {
    var held: Store<App>? = consume store
    for timed in actor.steps {
      for _ in 0..<timed.pause { await Task.yield() }
      if run.wasDropped { held = nil }
      guard let store = held else { break }
      if !take(timed.step, store) { await suspend(timed, store) }
    }
    if run.wasDropped { held = nil }
    return held
  }

  private mutating func suspend(_ timed: ScheduleActor.Timed, _ store: Store<App>) async {
    let begin = run.tick()
    let step = timed.step
    switch step {
    case .send, .start, .stop:
      var key: String?
      if case .send(_, let given) = step { key = given }
      let (actions, sentKey) = (Self.actions(of: step), key)
      let outcome = await Self.outcome(cancelledAfter: timed.cancelsAfter) {
        .receipt(try await store.send(actions, key: sentKey), facts: nil, wasRepeated: false)
      }
      if case .start = step, case .receipt(let receipt, _, _) = outcome { result.started = receipt }
      add(.actions(actions), key: key, timed, from: begin, outcome)
    case .perform(let command, let origin, let key):
      let outcome = await Self.outcome(cancelledAfter: timed.cancelsAfter) {
        let performed = try await store.perform(command, from: origin, key: key)
        return .receipt(
          performed.receipt, facts: performed.facts, wasRepeated: performed.wasRepeated)
      }
      add(.command(command, origin), key: key, timed, from: begin, outcome)
    case .transact(let number, let declines):
      let body = Self.body(number, declines: declines)
      let outcome = await Self.outcome(cancelledAfter: timed.cancelsAfter) {
        .receipt(try await store.transact(body), facts: nil, wasRepeated: false)
      }
      add(Self.request(number, outcome), key: nil, timed, from: begin, outcome)
    case .flush: await note(timed) { try await store.flush() }
    case .catchUp: await note(timed) { try await store.catchUp() }
    case .settle:
      guard let receipt = result.started else { break }
      let outcome = await Self.outcome(cancelledAfter: timed.cancelsAfter) {
        try await receipt.settled()
        return .queued
      }
      if case .failed(let code) = outcome, code != .cancelled, code != .closed {
        result.problems.append("the wait for effects failed: \(code)")
      }
    case .close:
      run.close()
      await note(timed) { try await store.close() }
    case .enqueue, .observe, .cancelObservation, .consumeStates, .release, .advance, .read, .drop:
      break
    }
  }

  private mutating func add(
    _ request: ScheduleEvent.Request, key: String?, _ timed: ScheduleActor.Timed, from begin: Int,
    _ outcome: Outcome
  ) {
    add(
      request, key: key, mayBeCancelled: timed.cancelsAfter != nil, from: begin, outcome)
  }

  private mutating func note(
    _ timed: ScheduleActor.Timed, _ body: @escaping @Sendable () async throws -> Void
  ) async {
    do {
      try await Self.cancelling(after: timed.cancelsAfter, body)
    } catch {
      failed(timed.step, error)
    }
  }

  private static func outcome(
    cancelledAfter yields: Int?, _ body: @escaping @Sendable () async throws -> Outcome
  ) async -> Outcome {
    do {
      return try await cancelling(after: yields, body)
    } catch {
      return outcome(of: error)
    }
  }

  /// Runs `body` in a task of its own that is cancelled after some yields, or else in this one.
  private static func cancelling<Value: Sendable>(
    after yields: Int?, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let yields else { return try await body() }
    let task = Task { try await body() }
    for _ in 0..<yields { await Task.yield() }
    task.cancel()
    return try await task.value
  }
}
