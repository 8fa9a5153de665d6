public import Retrace
import RetraceSystem
import RetraceToolSupport
public import TimeTracking

/// The rules of time zones by their ids; the file of each zone is read once.
public final class ZoneRulesCache: Sendable {
  private let zones = Lock<[String: ZoneRules?]>([:])

  /// Creates a cache without rules.
  public init() {}

  /// Returns the rules of a zone by its id, as `LocalZone.rules(id:)` does.
  ///
  /// - Complexity: The first call for an id reads a file; others are O(1).
  public func rules(id: String) -> ZoneRules? {
    zones.withLock { zones in
      if let known = zones[id] { return known }
      let rules = LocalZone.rules(id: id)
      zones[id] = .some(rules)
      return rules
    }
  }

  /// Returns the rules of the zone in which the times of a user are shown: of an option, else of
  /// the preferences, else of the process; `nil` if this system has no rules for the zone of the
  /// preferences.
  ///
  /// - Parameters:
  ///   - preferences: The preferences of the user; `nil` for a user without any.
  ///   - given: The rules of the zone that an option gives.
  ///   - process: Returns the rules of the zone of the process.
  public func shown<Failure: Error>(
    to preferences: PreferenceSet?, given: ZoneRules?, process: () throws(Failure) -> ZoneRules
  ) throws(Failure) -> ZoneRules? {
    if let given { return given }
    guard let zone = preferences?.zone else { return try process() }
    return rules(id: zone)
  }

  /// Returns the rules of the zone that an entry has recorded, or else of its offset.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - known: Rules that are used for entries of their zone, without a lookup.
  public func rules(of entry: TimeEntry, known: ZoneRules? = nil) -> ZoneRules {
    let zone = entry.zone
    if let known, zone.id.utf8.elementsEqual(known.id.utf8) { return known }
    return rules(id: zone.id) ?? ZoneRules(id: zone.id, offsetSeconds: zone.offsetSeconds)
  }

  /// Returns a command as it is performed, see `TimeEntryCommand.prepared(at:in:zone:)`.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - now: The present.
  ///   - state: The entities, on which the command is decided.
  ///   - known: Rules of a zone, as for ``rules(of:known:)``.
  public func prepared(
    _ command: TimeEntryCommand, at now: Moment, in state: DomainState, known: ZoneRules
  ) -> TimeEntryCommand {
    command.prepared(at: now, in: state) { entry, start in
      rules(of: entry, known: known).recorded(at: start)
    }
  }
}
