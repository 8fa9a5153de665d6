import Retrace
import RetraceRecording
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

extension ToolFailure {
  init(
    _ what: String, _ error: CommandError<TimeTracker>, in domain: DomainState,
    _ options: TrackerOptions
  ) {
    switch error {
    case .refused(let refusal, _):
      self = .refused(what, refusal, in: domain, options.shownZone(in: domain))
    case .store(let failure): self.init(failure)
    }
  }

  /// Returns the failure of a change that is refused before it is decided.
  static func refused(
    _ why: String, advice: String, what: String = "Nothing was changed."
  ) -> ToolFailure {
    ToolFailure(what: what, why: why, advice: advice, exitCode: ToolExit.refused)
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

  /// Returns how to make two entries alike that cannot be joined.
  private static func advice(on obstacle: JoinObstacle) -> String {
    let field =
      switch obstacle {
      case .user: ""
      case .project: "--project NAME"
      case .task: "--task NAME"
      case .billable: "--billable"
      case .rate: "--rate AMOUNT"
      case .workspace: "--workspace NAME"
      }
    return field.isEmpty
      ? "Join entries of one user." : "Make them alike first: `track edit ID \(field)`."
  }

  /// Returns advice on an entity that is not in the workspace of the entry.
  private static func advice(
    onOther type: String, _ id: Int64, in domain: DomainState
  ) -> String {
    let option = domain.named(type, id).flatMap { noun, name in
      noun == "tag" ? "--untag \(commandWord(name))" : nil
    }
    return "Give one of the workspace, or remove it: \(option ?? "--project \"\"")."
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
      case .entry(.runsSince):
        "Give a later start, or the time at which it ended, or repeat the command with --policy "
          + "allow to record it as it is."
      case .entry(.inFuture):
        "Give an earlier time, with its date if that is not today, or repeat the command with "
          + "--policy allow to record it as it is."
      case .entry(.apart(_, _, let obstacle)): advice(on: obstacle)
      case .entry(.notBillable): "Add --billable, or leave out --rate."
      case .entry(.takenByOthers):
        "Change fewer entries, or repeat the command with --policy allow to let them overlap."
      case .entry(.entity(.inOtherWorkspace(let type, let id))):
        advice(onOther: type, id, in: domain)
      case .preferences(.changesCurrency):
        "Repeat the command with --yes to change it all the same. For entries in another "
          + "currency, create a workspace: `track workspaces create NAME --currency CODE`."
      case .user(.changesCurrency), .workspace(.changesCurrency):
        "Repeat the command with --yes to change it all the same. For entries in another "
          + "currency, create another workspace: `track workspaces create NAME --currency CODE`."
      case .user(.inUse(_, let id)): advice(onRunning: TimeEntryID(value: id), in: domain)
      case .workspace(.inUse(let type, let id)): advice(onMember: type, id, in: domain)
      case .entry(.entity(.nameEmpty)): "Give every user, project and tag a name."
      case .importRun(.anotherRuns):
        "Repeat the command that began it to finish it, or cancel it with "
          + "`track import --cancel --source NAME`."
      case .importRun(.alreadyImported):
        "Nothing needs to be done. To import it again, undo that import first with `track undo`."
      case .importRun(.ended): "It was finished or canceled by another process. Nothing was lost."
      default: nil
      }
    return .refused(
      text.reason,
      advice: advice ?? text.advice ?? "See the state with `track status` and `track log`.",
      what: what)
  }
}
