import RetraceLog
import RetraceRecording
import RetraceStorage
import RetraceSystem

/// The lines for tests with several processes on one store.
extension Sender {
  /// Carries out a line about sharing and prints the answer; returns `false` for any other line.
  func answerShared(_ line: Line) throws -> Bool {
    let words = line.rest.split(separator: " ").map(String.init)
    switch line.word {
    case "run", "stream":
      guard words.count == 3, let count = Int(words[0]), let size = Int(words[1]) else {
        throw LineError(line: line.word)
      }
      try stream(count, size: size, name: words[2], acknowledging: line.word == "stream")
    case "flood":
      guard words.count == 3, let count = Int(words[0]), let size = Int(words[1]) else {
        throw LineError(line: line.word)
      }
      try flood(count, size: size, name: words[2])
    case "try":
      let text = line.rest
      do throws(TransactionError<Never>) {
        Answer.line("ok \(try store.transactBlocking { _, _ in [.noted(text)] }.sequence)")
      } catch {
        guard case .store(let error) = error else { break }
        var pids: [Int32] = []
        if case .writerStalled(let holders) = error.code { pids = holders }
        Answer.line("error \(error.code.name)" + pids.map { " \($0)" }.joined())
      }
    case "timed":
      let receipt = try store.sendBlocking([.noted(line.rest)])
      Answer.line("ok \(receipt.sequence) \(MonotonicClock.nanoseconds())")
    case "read":
      // A reader that stays until another line comes or its process ends.
      try store.storage.withReadView { view throws(StoreError) in
        Answer.line("reading at \(view.head.sequence)")
        _ = try? Console.readLine()
      }
      Answer.line("read")
    case "watch":
      sightings.begin(on: store)
      Answer.line("watching")
    case "await":
      let (sequence, time) = sightings.first(from: UInt64(try line.count()))
      Answer.line("seen \(sequence) \(time)")
    default: return false
    }
    return true
  }

  /// Sends notes `NAME.I.J`, where I counts batches and J the notes of one, each batch once the one
  /// before is durable.
  ///
  /// If `acknowledging`, each batch is answered with `ack I SEQUENCE NANOSECONDS`. The end is
  /// answered with `done SEQUENCE MICROSECONDS`, the longest time of a batch.
  private func stream(
    _ count: Int, size: Int, name: String, acknowledging: Bool
  ) throws {
    var longest: Int64 = 0
    for index in 0..<count {
      let begin = MonotonicClock.nanoseconds()
      let receipt = try store.sendBlocking((0..<size).map { .noted("\(name).\(index).\($0)") })
      let end = MonotonicClock.nanoseconds()
      longest = max(longest, end - begin)
      if acknowledging { Answer.line("ack \(index) \(receipt.sequence) \(end)") }
    }
    Answer.line("done \(store.sequence) \(longest / 1000)")
  }

  /// Enqueues batches of notes, and waits only while the queue is full.
  ///
  /// Prints `ack I` for each of the first three batches.
  private func flood(_ count: Int, size: Int, name: String) throws(StoreError) {
    for index in 0..<count {
      let notes = (0..<size).map { TestAction.noted("\(name).\(index).\($0)") }
      while try !isEnqueued(notes) { MonotonicClock.sleep(milliseconds: 1) }
      if index < 3 { Answer.line("ack \(index)") }
    }
    try store.flushBlocking()
    Answer.line("done \(store.sequence)")
  }

  private func isEnqueued(_ notes: [TestAction]) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try store.enqueue(notes)
      return true
    } catch {
      guard error.code == .overloaded else { throw error }
      return false
    }
  }
}

/// The sequences that an observer saw, and when.
final class Sightings: Sendable {
  private let seen = Lock<[(sequence: UInt64, time: Int64)]>([])
  private let observation = Lock<Observation?>(nil)

  func begin(on store: Store<TestApp>) {
    let new = store.observe { [weak store, weak self] _ in
      guard let store, let self else { return }
      let sighting = (store.sequence, MonotonicClock.nanoseconds())
      seen.withLock { $0.append(sighting) }
    }
    observation.withLock { $0 = new }
  }

  /// Waits for the first sighting of a record or a later one, and returns it.
  func first(from sequence: UInt64) -> (UInt64, Int64) {
    while true {
      if let found = seen.withLock({ $0.first { $0.sequence >= sequence } }) { return found }
      MonotonicClock.sleep(milliseconds: 1)
    }
  }
}
