import RetraceSystem

/// The environment of a schedule's jobs, which notes what they saw.
final class ScheduleDesk: Sendable {
  /// The start of a job.
  struct Start: Hashable {
    var job: Int64
    /// The last record published, and the last durable one, when the job started.
    var published: UInt64
    var durable: UInt64
  }

  /// The error of a job that fails.
  struct Failure: Error {}

  private struct Waiting {
    var ticket: Int
    var job: Int64
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var starts: [Start] = []
    var answers: [Int64] = []
    var released: Set<Int64> = []
    var releasesAll = false
    var tickets = 0
    var cancelled: Set<Int> = []
    var waiting: [Waiting] = []
    var sequences: (@Sendable () -> (published: UInt64, durable: UInt64)?)?
  }

  private let state = Lock(State())

  /// The starts of jobs.
  var starts: [Start] { state.withLock { $0.starts } }

  /// The answers of streams of which a job was told that they are recorded.
  var answers: [Int64] { state.withLock { $0.answers } }

  /// Sets how a job learns the store's last published and durable sequences.
  func watch(_ sequences: @escaping @Sendable () -> (published: UInt64, durable: UInt64)?) {
    state.withLock { $0.sequences = sequences }
  }

  /// Notes that an answer of a stream is recorded.
  func note(answer: Int64) { state.withLock { $0.answers.append(answer) } }

  /// Lets the waiting jobs of an action go on, and those that come to wait later.
  func release(_ number: Int64) {
    resume { state in
      state.released.insert(number)
      defer { state.waiting.removeAll { $0.job / 10 == number } }
      return state.waiting.filter { $0.job / 10 == number }
    }
  }

  /// Lets all jobs go on.
  func releaseAll() {
    resume { state in
      state.releasesAll = true
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Does what a job does before it answers.
  func perform(_ job: Int64, _ manner: JobManner, isFirst: Bool = true) async throws {
    let sequences = state.withLock { $0.sequences }
    if isFirst, let seen = sequences?() {
      state.withLock {
        $0.starts.append(Start(job: job, published: seen.published, durable: seen.durable))
      }
    }
    switch manner {
    case .answers: break
    case .fails: throw Failure()
    case .hangs: await wait(job, newTicket())
    case .waits:
      let ticket = newTicket()
      await withTaskCancellationHandler {
        await wait(job, ticket)
      } onCancel: {
        resume { state in
          state.cancelled.insert(ticket)
          defer { state.waiting.removeAll { $0.ticket == ticket } }
          return state.waiting.filter { $0.ticket == ticket }
        }
      }
      try Task.checkCancellation()
    }
  }

  private func newTicket() -> Int {
    state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
  }

  private func wait(_ job: Int64, _ ticket: Int) async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if state.releasesAll || state.released.contains(job / 10)
          || state.cancelled.contains(ticket)
        {
          return true
        }
        state.waiting.append(Waiting(ticket: ticket, job: job, continuation: continuation))
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  private func resume(_ take: (inout State) -> [Waiting]) {
    let taken = state.withLock { take(&$0) }
    for waiting in taken { waiting.continuation.resume() }
  }
}
