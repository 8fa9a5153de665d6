import RetraceLog
import RetraceStorage

@testable import RetraceRecording

/// Compares what actors, observers and jobs saw with the log.
struct ScheduleCheck {
  let log: ScheduleLog
  let options: ScheduleStore
  /// Whether an actor closed or dropped the store, and whether one dropped it.
  let endsEarly: Bool
  let isDropped: Bool
  private(set) var problems: [String]

  private var places: [Int64: [Int]] = [:]
  /// When the requests that each batch was sent by began.
  private var senders: [Int: [Int]] = [:]

  init(_ log: ScheduleLog, _ options: ScheduleStore, endsEarly: Bool, isDropped: Bool) {
    self.log = log
    self.options = options
    self.endsEarly = endsEarly
    self.isDropped = isDropped
    problems = log.problems
    for (place, batch) in log.batches.enumerated() {
      if let number = Self.number(of: batch.actions, batch.command) {
        places[number, default: []].append(place)
      }
    }
  }

  /// Returns the number that tells a batch from others; none for answers and sessions.
  private static func number(
    of actions: [ScheduleAction], _ command: ScheduleCommand?
  ) -> Int64? {
    if let command { return command.number }
    switch actions.first {
    case .scene(.noted(let number)), .scene(.counted(let number, _)),
      .scene(.started(let number, _, _, _, _)), .scene(.stopped(let number, _)),
      .moved(let number, _):
      return number
    case .scene(.answered), nil: return nil
    }
  }

  private mutating func require(_ holds: Bool, _ problem: @autoclosure () -> String) {
    if !holds { problems.append(problem()) }
  }

  // MARK: Requests

  /// Checks the requests of one actor or observer.
  mutating func check(_ events: [ScheduleEvent]) {
    var published: UInt64 = 0
    for event in events {
      guard let range = check(event) else { continue }
      if event.key == nil {
        require(range.lowerBound > published, "\(event) is before an earlier request")
      }
      if case .receipt(let receipt, _, _) = event.outcome {
        published = max(published, receipt.sequence)
      } else {
        published = max(published, range.upperBound - 1)
      }
    }
  }

  /// Checks a request; returns the sequences of its batch if it was accepted.
  private mutating func check(_ event: ScheduleEvent) -> Range<UInt64>? {
    var number: Int64?
    switch event.request {
    case .actions(let actions): number = Self.number(of: actions, nil)
    case .command(let command, _): number = command.number
    }
    let all = number.flatMap { places[$0] } ?? []
    let accepted = all.filter { log.batches[$0].refusal == nil }
    switch event.outcome {
    case .receipt(let receipt, let facts, _):
      guard let place = acceptedPlace(of: event, accepted) else { return nil }
      let batch = log.batches[place]
      require(receipt.sequences == batch.sequences, "\(event) is at \(batch.sequences)")
      require(
        receipt.sequence >= batch.sequences.upperBound - 1
          && (event.key != nil || receipt.sequence == batch.sequences.upperBound - 1),
        "the receipt of \(event) is of \(receipt.sequence)")
      require(
        receipt.state == log.states[Int(receipt.sequence)],
        "\(event) has another state than the log at \(receipt.sequence)")
      if let facts { require(facts == batch.actions, "\(event) has other facts than the log") }
      return batch.sequences
    case .queued:
      return acceptedPlace(of: event, accepted).map { log.batches[$0].sequences }
    case .refused(let refusal, let after):
      checkRefusal(event, refusal, after: after, all)
      return nil
    case .declined:
      require(all.isEmpty, "\(event) is in the log")
      return nil
    case .failed(let code):
      checkFailure(event, code, accepted)
      return nil
    }
  }

  /// Returns the only batch of an accepted request, which has what was asked for.
  private mutating func acceptedPlace(of event: ScheduleEvent, _ accepted: [Int]) -> Int? {
    guard accepted.count == 1 else {
      require(false, "\(event) is \(accepted.count) times in the log")
      return nil
    }
    let batch = log.batches[accepted[0]]
    switch event.request {
    case .actions(let actions):
      require(batch.actions == actions && batch.command == nil, "\(event) is \(batch)")
    case .command(let command, let origin):
      require(
        batch.command == command && (event.key != nil || batch.origin == origin),
        "\(event) is \(batch)")
    }
    require(batch.key == event.key && batch.cause == nil, "\(event) is \(batch)")
    senders[accepted[0], default: []].append(event.ticks.lowerBound)
    require(
      event.key != nil || senders[accepted[0]]?.count == 1, "\(event) has the batch of another")
    return accepted[0]
  }

  /// A refusal holds for the state after its record, and is recorded if it came from a scene.
  private mutating func checkRefusal(
    _ event: ScheduleEvent, _ refusal: ScheduleRefusal, after: UInt64, _ all: [Int]
  ) {
    guard case .command(let command, let origin) = event.request else {
      return require(false, "\(event) is no command")
    }
    require(after <= log.lastSequence, "\(event) is after the log")
    var decided: ScheduleRefusal?
    do throws(ScheduleRefusal) {
      _ = try log.decide(command, after: min(after, log.lastSequence))
    } catch {
      decided = error
    }
    require(decided == refusal, "\(event) is not justified: \(decided as Any)")
    let recorded = all.filter { log.batches[$0].sequences == after + 1..<after + 2 }
    let isRecorded = recorded.contains { log.batches[$0].refusal == refusal }
    if origin == .scene {
      require(isRecorded, "\(event) is not recorded")
      for place in recorded { senders[place, default: []].append(event.ticks.lowerBound) }
    } else {
      require(event.key != nil || all.isEmpty, "\(event) is recorded")
    }
    if let key = event.key {
      let earlier = log.batches.contains { $0.key == key && $0.sequences.lowerBound <= after }
      require(!earlier, "\(event) was refused, but its key is known")
    }
  }

  /// A request that failed is not in the log, and had a reason to fail.
  private mutating func checkFailure(
    _ event: ScheduleEvent, _ code: StoreError.Code, _ accepted: [Int]
  ) {
    require(accepted.isEmpty || event.key != nil, "\(event) is in the log")
    switch code {
    case .closed: require(endsEarly, "\(event), but nothing closes the store")
    case .cancelled: require(event.mayBeCancelled, "\(event), but nothing cancels it")
    case .overloaded: require(options.queueLimit < 100, "\(event), but the queue has no limit")
    case .keyReused:
      require(accepted.isEmpty, "\(event), but the log has it")
      let kept = log.batches.filter { $0.key == event.key }
      require(event.key != nil && kept.count == 1, "\(event), but the log does not have its key")
    default: require(false, "\(event)")
    }
  }

  /// A request that had ended before another began is before it in the log.
  mutating func checkOrder(of events: [ScheduleEvent]) {
    var placed: [(ticks: ClosedRange<Int>, range: Range<UInt64>)] = []
    for event in events where event.key == nil {
      switch event.outcome {
      case .receipt(let receipt, _, _): placed.append((event.ticks, receipt.sequences))
      case .queued:
        guard case .actions(let actions) = event.request,
          let number = Self.number(of: actions, nil), let place = places[number]?.first
        else { continue }
        placed.append((event.ticks, log.batches[place].sequences))
      case .refused, .declined, .failed: continue
      }
    }
    for first in placed {
      for second in placed where first.ticks.upperBound < second.ticks.lowerBound {
        require(
          first.range.upperBound <= second.range.lowerBound,
          "\(second.range) began after \(first.range) had ended")
      }
    }
  }

  /// The log has no batch that nothing sent.
  mutating func checkSenders() {
    for (number, places) in places {
      for place in places where senders[place] == nil {
        problems.append("nothing sent \(number): \(log.batches[place])")
      }
    }
  }

  // MARK: Observers

  /// An observer is called with the state at once and after each batch that changed it.
  mutating func check(_ watcher: ScheduleWatcher.Record) {
    // Commands that were refused, and ends of jobs without an answer, change nothing.
    var ends: [Int64] = [0]
    var changes: [Int] = [-1]
    for (place, batch) in log.batches.enumerated() where batch.steps != ends[ends.count - 1] {
      ends.append(batch.steps)
      changes.append(place)
    }
    let calls = watcher.calls
    let steps = calls.map(\.steps)
    guard let first = steps.first else { return require(false, "an observer was never called") }
    require(!watcher.overlaps, "calls of an observer overlap")
    require(first >= watcher.stepsBefore, "an observer began at \(first), not where it was added")
    var place: Int?
    for step in steps {
      guard let found = ends.firstIndex(of: step) else {
        require(false, "an observer saw a state inside a batch: \(steps)")
        continue
      }
      if let place {
        require(found > place, "an observer saw an old state again: \(steps) of \(ends)")
        // Batches that were sent before the observer was added may have been in a commit.
        let missed = changes[min(place + 1, found)..<found].filter { change in
          senders[change].map { $0.allSatisfy { $0 > watcher.addedAt } } ?? false
        }
        require(missed.isEmpty, "an observer missed a state: \(steps) of \(ends)")
      }
      place = found
    }
    if let tick = watcher.cancelledAt {
      let later = calls.filter { $0.tick > tick }.count
      require(later <= 1, "\(later) calls began after a cancellation had returned")
    } else if let count = watcher.callsAtOwnCancel {
      require(calls.count == count, "an observer that cancelled itself was called again")
    } else if !isDropped {
      require(steps.last == ends.last, "the last call was \(steps), the state \(ends)")
    }
  }

  /// A sequence of states skips some, but not the last one.
  mutating func check(consumed steps: [Int64]) {
    require(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 }, "states in order: \(steps)")
    if !isDropped { require(steps.last == log.last.steps, "the last state is not in \(steps)") }
  }

  // MARK: Jobs

  /// No job starts before its cause is published and durable, and none starts twice.
  mutating func check(_ desk: ScheduleDesk) {
    let starts = desk.starts
    require(Set(starts.map(\.job)).count == starts.count, "a job starts twice: \(starts)")
    for start in starts {
      guard let cause = log.causes[start.job / 10] else {
        require(false, "\(start) has no cause")
        continue
      }
      require(start.published >= cause, "\(start) is before \(cause) is published")
      require(start.durable >= cause, "\(start) is before \(cause) is durable")
    }
    let missing = Set(desk.answers).subtracting(log.last.answers)
    require(missing.isEmpty, "acknowledged answers are not in the log: \(missing)")
  }
}
