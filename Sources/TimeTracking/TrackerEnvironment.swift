public import CivilTime

/// What the effects of the tracker run in.
///
/// Only its name is known here: the one conforming type is made by the app, so that replay, which
/// never sees the app, has nothing to run an effect in.
public protocol TrackerEnvironment: Sendable {
  /// The rules of a zone of the tz database, or `nil` if there is none of that id.
  func zoneRules(id: String) -> ZoneRules?
}
