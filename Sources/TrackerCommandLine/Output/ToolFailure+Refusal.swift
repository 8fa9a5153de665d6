import CivilTime
import RetraceArchitecture
import RetraceRecording
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

extension ToolFailure {
  /// Creates the failure of a command.
  init(
    _ what: String, _ error: CommandError<TimeTracker>, in domain: DomainState,
    _ context: VerbContext
  ) {
    switch error {
    case .refused(let refusal, _):
      self = .refused(what, refusal, in: domain, context.zoneOrUTC)
    case .store(let failure): self.init(failure)
    }
  }

  /// Returns how to stop an entry that runs; `nil` if there is no such entry.
  private static func advice(onRunning id: TimeEntryID, in domain: DomainState) -> String? {
    domain.timeEntries[id].map { entry in
      "Stop it first: `track stop --user \(commandWord(domain.labels(of: entry).user))`."
    }
  }

  /// Returns how to take something out of a workspace; `nil` for another type of an id.
  private static func advice(
    onMember type: String, _ id: Int64, in domain: DomainState
  ) -> String? {
    domain.named(type, id).map { noun, name in
      let command =
        noun == "user"
        ? "users set \(commandWord(name)) --workspace ''" : "\(noun)s delete \(commandWord(name))"
      return "Change that first: `track \(command)`. `track workspaces archive` keeps all."
    }
  }

  /// Returns the failure for a refusal by the domain.
  ///
  /// - Parameters:
  ///   - what: What failed, as the first part of the error.
  ///   - refusal: The refusal.
  ///   - domain: The entities before the command.
  ///   - rules: The zone of the times.
  ///   - commands: The commands about entries one of which is refused.
  static func refused(
    _ what: String, _ refusal: DomainRefusal, in domain: DomainState, _ rules: ZoneRules,
    of commands: [TimeEntryCommand] = []
  ) -> ToolFailure {
    let text = refusal.text(in: domain, zone: rules, showsIDs: true, of: commands)
    let advice: String? =
      switch refusal {
      case .entry(.tooLong) where text.advice != nil: nil
      case .entry(.nothingRunning): "Start an entry first: `track start DESCRIPTION`."
      case .entry(.overlaps):
        "Repeat the command with --policy adjust, which cuts, splits or deletes the other "
          + "entries, or with --policy allow to record it as it is."
      case .entry(.tooLong(let time)) where time > TimeEntry.durationMax:
        "Give the time at which it ended, with its date, in the form \"YYYY-MM-DD HH:MM\"."
      case .entry(.tooLong):
        "Give the time at which it ended, such as \"yesterday 17:30\", or repeat the command with "
          + "--policy allow to record it as it is."
      case .entry(.inFuture):
        "Give an earlier time, with its date if that is not today, or repeat the command with "
          + "--policy allow to record it as it is."
      case .user(.inUse(_, let id)): advice(onRunning: TimeEntryID(value: id), in: domain)
      case .workspace(.inUse(let type, let id)): advice(onMember: type, id, in: domain)
      case .entry(.record(.nameEmpty)): "Give every user, project and tag a name."
      case .importRun(.anotherRuns):
        "Repeat the command that began it to finish it, or cancel it with "
          + "`track import --cancel --source NAME`."
      case .importRun(.alreadyImported):
        "Nothing needs to be done. To import it again, undo that import first with `track undo`."
      case .importRun(.ended): "It was finished or canceled by another process. Nothing was lost."
      default: nil
      }
    return ToolFailure(
      what: what, why: text.reason,
      advice: advice ?? text.advice ?? "See the state with `track status` and `track log`.",
      exitCode: ToolExit.refused)
  }
}
