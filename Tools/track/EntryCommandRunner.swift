import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// What a command about time entries is made from.
struct EntryContext {
  var domain: DomainState
  /// The user; `nil` for a new one.
  var user: UserID?
  var rules: ZoneRules
  var now: Moment
}

/// Performs a command about time entries and prints the entries that it changed.
struct EntryCommandRunner {
  let options: TrackerOptions
  /// What is said if the command is refused.
  let what: String

  /// Performs the command of a user.
  ///
  /// - Parameters:
  ///   - user: The name of the user.
  ///   - command: Returns the command.
  func run(
    for user: String, _ command: (EntryContext) throws(ToolFailure) -> TimeEntryCommand
  ) throws(ToolFailure) {
    let tracker = try store(for: command)
    let domain = tracker.domain
    let context = EntryContext(
      domain: domain, user: domain.user(named: Name(user)), rules: tracker.zone,
      now: tracker.now())
    let changes: EntryChanges
    do throws(ToolFailure) {
      let command = try command(context)
      do throws(CommandError<TimeTracker>) {
        changes = try tracker.performAndClose(command)
      } catch {
        throw ToolFailure(what, error, in: tracker.domain)
      }
    } catch {
      try? tracker.store.closeBlocking()
      throw error
    }
    print(changes, at: context.now)
  }

  /// Opens the store; creates it only for a command that is not refused.
  private func store(
    for command: (EntryContext) throws(ToolFailure) -> TimeEntryCommand
  ) throws(ToolFailure) -> TrackerStore {
    do throws(ToolFailure) {
      return try options.open(creating: false)
    } catch {
      guard error.isMissingStore else { throw error }
    }
    let context = EntryContext(
      domain: DomainState(), user: nil, rules: try TrackerOptions.zone(),
      now: try options.currentMoment())
    let first = try command(context)
    do throws(DomainRefusal) {
      _ = try DomainDecider().decide(.entry(first), on: context.domain, at: context.now)
    } catch {
      throw .refused(what, error, in: context.domain)
    }
    return try options.open(creating: true)
  }

  private func print(_ changes: EntryChanges, at moment: Moment) {
    func texts(_ ids: [TimeEntryID]) -> [EntryText] {
      ids.compactMap { EntryText($0, in: changes.state, at: moment) }
    }
    var inserted = texts(changes.inserted)
    let started = inserted.popLast()
    let stopped = texts(changes.stopped).first
    let adjusted = texts(changes.changed) + inserted
    if options.json {
      Output.print([
        "sequence": .integer(Int64(changes.sequence)),
        "entry": (started ?? stopped)?.json ?? .null,
        "stopped": started == nil ? .null : stopped?.json ?? .null,
        "adjusted": .array(adjusted.map(\.json)),
      ])
      return
    }
    for entry in adjusted {
      Output.print((entry.entry.deleted == nil ? "adjusted " : "deleted  ") + entry.line)
    }
    if let stopped { Output.print("stopped  \(stopped.line)") }
    if let started {
      Output.print((started.entry.isRunning ? "started  " : "added    ") + started.line)
    }
  }
}

extension ToolFailure {
  /// Creates the failure of a command.
  init(_ what: String, _ error: CommandError<TimeTracker>, in domain: DomainState) {
    switch error {
    case .refused(let refusal, _): self = .refused(what, refusal, in: domain)
    case .store(let failure): self.init(failure)
    }
  }

  /// Returns the failure for a refusal by the domain.
  static func refused(
    _ what: String, _ refusal: DomainRefusal, in domain: DomainState
  ) -> ToolFailure {
    let text = refusal.text(in: domain)
    let advice: String? =
      switch refusal {
      case .entry(.nothingRunning): "Start an entry first: `track start DESCRIPTION`."
      case .entry(.overlaps):
        "Repeat the command with --policy adjust to change the other entries, or with "
          + "--policy allow to record it as it is."
      case .entry(.tooLong(let time)) where time > TimeEntry.durationMax:
        "Give the time at which it ended: `track stop --at \"2026-05-03 17:30\"`."
      case .entry(.inFuture), .entry(.tooLong):
        "Repeat the command with --policy allow to record it as it is."
      case .entry(.record(.nameEmpty)): "Give every user, project and tag a name."
      case .importRun(.anotherRuns):
        "Repeat the command that began it to finish it, or cancel it with "
          + "`track import --cancel --source NAME`."
      case .importRun(.alreadyImported):
        "Nothing needs to be done. To import it again, undo that import first: z in `track app` "
          + "undoes your newest change."
      case .importRun(.ended): "It was finished or canceled by another process. Nothing was lost."
      default: nil
      }
    return ToolFailure(
      what: what, why: text.reason,
      advice: advice ?? text.advice ?? "See the state with `track status` and `track log`.",
      exitCode: ToolExit.refused)
  }
}
