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

  /// Returns why the domain refuses a command, with ids of entries and with local times.
  ///
  /// - Parameters:
  ///   - refusal: The refusal.
  ///   - domain: The entities.
  ///   - rules: The zone of the times.
  private static func reason(
    of refusal: DomainRefusal, in domain: DomainState, _ rules: ZoneRules
  ) -> String {
    switch refusal {
    case .entry(.overlaps(let ids)): return "It overlaps \(overlap(ids, in: domain, rules))."
    case .user(.inUse(_, let id)): return "The entry #\(id) of this user is running."
    case .workspace(.inUse(let type, let id)):
      let member = member(ofWorkspace: type, id, in: domain)
      return member.map { "The \($0.noun) \($0.name) is in it." } ?? refusal.text(in: domain).reason
    default: return refusal.text(in: domain) { rules.local(at: $0) }.reason
    }
  }

  /// Returns the entries that another one overlaps, with their descriptions and times.
  static func overlap(
    _ ids: [TimeEntryID], in domain: DomainState, _ rules: ZoneRules
  ) -> String {
    let listed = ids.prefix(3).compactMap { id -> String? in
      guard let entry = domain.timeEntries[id] else { return nil }
      let marks = rules.offsetMarks(from: entry.start, to: entry.end ?? entry.start)
      let end =
        entry.end.map { " - \(local($0, after: entry.start, rules))\(marks.end)" } ?? ", which runs"
      let text = entry.description.isEmpty ? "" : " \"\(Table.cut(entry.description, to: 30))\""
      return "#\(id.value)\(text) (\(local(entry.start, rules))\(marks.start)\(end))"
    }
    let rest = ids.count > 3 ? " and \(ids.count - 3) more" : ""
    return "\(listed.joined(separator: ", "))\(rest)"
  }

  /// Returns a local time, with its date unless that is the one of a time before it, and with
  /// seconds unless they are zero.
  private static func local(
    _ moment: Moment, after start: Moment? = nil, _ rules: ZoneRules
  ) -> String {
    let local = rules.local(at: moment)
    let clock = local.second == 0 ? local.clock : local.clockWithSeconds
    if let start, rules.local(at: start).date == local.date { return clock }
    return "\(local.date) \(clock)"
  }

  /// Returns how to stop an entry that runs; `nil` if there is no such entry.
  private static func advice(onRunning id: TimeEntryID, in domain: DomainState) -> String? {
    domain.timeEntries[id].map { entry in
      "Stop it first: `track stop --user \(commandWord(domain.labels(of: entry).user))`."
    }
  }

  /// Returns the kind and the name of what is in a workspace; `nil` for another type of an id.
  private static func member(
    ofWorkspace type: String, _ id: Int64, in domain: DomainState
  ) -> (noun: String, name: String)? {
    func member<ID, Entity: NamedEntity>(
      _ noun: String, _ id: ID, _ table: EntityTable<ID, Entity>
    ) -> (noun: String, name: String)? {
      table.read(id) { $0.name.text }.map { (noun, $0) }
    }
    return switch type {
    case ClientID.recordedName: member("client", ClientID(value: id), domain.clients)
    case ProjectID.recordedName: member("project", ProjectID(value: id), domain.projects)
    case TagID.recordedName: member("tag", TagID(value: id), domain.tags)
    case UserID.recordedName: member("user", UserID(value: id), domain.users)
    default: nil
    }
  }

  /// Returns how to take something out of a workspace; `nil` for another type of an id.
  private static func advice(
    onMember type: String, _ id: Int64, in domain: DomainState
  ) -> String? {
    member(ofWorkspace: type, id, in: domain).map { noun, name in
      let command =
        noun == "user"
        ? "users set \(commandWord(name)) --workspace ''" : "\(noun)s delete \(commandWord(name))"
      return "Change that first: `track \(command)`. `track workspaces archive` keeps all."
    }
  }

  /// Returns the failure for a refusal by the domain.
  static func refused(
    _ what: String, _ refusal: DomainRefusal, in domain: DomainState, _ rules: ZoneRules
  ) -> ToolFailure {
    let text = refusal.text(in: domain)
    let reason = reason(of: refusal, in: domain, rules)
    let advice: String? =
      switch refusal {
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
      what: what, why: reason,
      advice: advice ?? text.advice ?? "See the state with `track status` and `track log`.",
      exitCode: ToolExit.refused)
  }
}
