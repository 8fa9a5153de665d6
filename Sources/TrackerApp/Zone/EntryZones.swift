public import CivilTime
import RetraceState
import RetraceSystem
public import TimeTracking

/// The rules of the zones that this process has read.
private enum ReadZones {
  private static let zones = Lock<[String: ZoneRules?]>([:])

  /// Returns what ``LocalZone/rules(id:)`` does, and reads the file of a zone once.
  static func rules(id: String) -> ZoneRules? {
    zones.withLock { zones in
      if let known = zones[id] { return known }
      let rules = LocalZone.rules(id: id)
      zones[id] = .some(rules)
      return rules
    }
  }
}

extension DomainState {
  /// Returns the rules of the zone in which the times of a user are shown: that of an option, else
  /// that of the preferences, else that of the process; `nil` if this system has no rules for that
  /// of the preferences.
  ///
  /// - Parameters:
  ///   - user: The user; `nil` for one without preferences.
  ///   - given: The rules of the zone that an option gives.
  ///   - process: Returns the rules of the zone of the process.
  public func shownZone<Failure: Error>(
    of user: UserID?, given: ZoneRules?, process: () throws(Failure) -> ZoneRules
  ) throws(Failure) -> ZoneRules? {
    if let given { return given }
    guard let zone = user.flatMap({ preferences(of: $0)?.set.zone }) else { return try process() }
    return ReadZones.rules(id: zone)
  }
}

extension TimeEntry {
  /// Returns the rules of the zone that the entry has recorded, or else its offset.
  ///
  /// - Parameter known: Rules of a zone, which are taken if they are those of this one.
  public func zoneRules(known: ZoneRules? = nil) -> ZoneRules {
    if let known, zone.id.utf8.elementsEqual(known.id.utf8) { return known }
    return ReadZones.rules(id: zone.id)
      ?? ZoneRules(id: zone.id, offsetSeconds: zone.offsetSeconds)
  }
}

extension TimeEntryCommand {
  /// Returns the command with the offset at the new start, if it moves the start of an entry beyond
  /// a change of the clocks in the zone of the entry.
  ///
  /// - Parameters:
  ///   - state: The entities, on which the command is decided.
  ///   - known: Rules of a zone, as for `TimeEntry.zoneRules(known:)`.
  public func recordingOffset(in state: DomainState, known: ZoneRules) -> TimeEntryCommand {
    switch self {
    case .correct(let id, var correction, let policy, let reason):
      guard let start = correction.changes.start?.after, correction.changes.zone == nil,
        let entry = state.timeEntries[id]
      else { return self }
      let zone = entry.zoneRules(known: known).recorded(at: start)
      if zone == entry.zone { return self }
      correction.changes.zone = Change(from: entry.zone, to: zone)
      return .correct(id, correction, policy: policy, reason: reason)
    case .several(let commands):
      return .several(commands.map { $0.recordingOffset(in: state, known: known) })
    case .start, .stop, .add, .resume, .delete, .split, .join: return self
    }
  }
}
