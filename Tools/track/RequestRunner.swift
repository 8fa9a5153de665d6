import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Runs a request and prints its result.
struct RequestRunner {
  let options: TrackerOptions

  init(_ options: TrackerOptions) { self.options = options }

  /// Runs the request on the store and prints the entry it concerns.
  func run(_ request: TrackerRequest, creating: Bool, what: String) throws(ToolFailure) {
    let tracker: Tracker
    do throws(ToolFailure) {
      tracker = try options.open(creating: creating)
    } catch {
      if !creating && error.isMissingStore {
        throw .refused(what, .nothingRunning, advice: Self.advice(.nothingRunning))
      }
      throw error
    }
    let answer: TrackerAnswer
    do throws(TransactionError<Refusal>) {
      answer = try tracker.run(request)
    } catch {
      try? tracker.store.closeBlocking()
      switch error {
      case .refused(let refusal):
        throw .refused(what, refusal, advice: Self.advice(refusal))
      case .store(let failure): throw ToolFailure(failure)
      }
    }
    let moment = tracker.now()
    func text(_ entry: TimeEntryID?) -> EntryText? {
      entry.flatMap { answer.state.report(of: $0, at: moment) }.map { EntryText(report: $0) }
    }
    print(text(answer.entry), stopped: text(answer.stopped), sequence: answer.sequence)
  }

  private func print(_ entry: EntryText?, stopped: EntryText?, sequence: UInt64) {
    guard let entry else { return }
    if options.json {
      Output.print([
        "sequence": .integer(Int64(sequence)), "entry": entry.json,
        "stopped": stopped?.json ?? .null,
      ])
      return
    }
    if let stopped { Output.print("stopped  \(stopped.line)") }
    Output.print((entry.report.isRunning ? "started  " : "stopped  ") + entry.line)
  }

  private static func advice(_ refusal: Refusal) -> String {
    switch refusal {
    case .nothingRunning, .unknownEntry: "Start an entry first: `track start DESCRIPTION`."
    case .alreadyRunning: "Stop it first with `track stop`, or see it with `track status`."
    case .unknownUser: "Check the name with `track log`; `track start` creates a user."
    case .nameEmpty: "Give every user, project and tag a name."
    default: "See the state with `track status` and `track log`."
    }
  }
}
