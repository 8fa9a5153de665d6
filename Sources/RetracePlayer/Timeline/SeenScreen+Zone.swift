package import Retrace
import RetraceToolSupport

extension SeenScreen {
  /// The rules of the zone; `nil` if this system has none.
  package var rules: ZoneRules? { LocalZone.rules(id: zone) }

  /// What to know if this system has no rules of the zone; `nil` if it has.
  package var note: String? {
    guard rules == nil else { return nil }
    return "note: this system has no zone \"\(SafeText.line(zone, bytesMax: 80))\", in which "
      + "the screen was seen; its times are by the offsets that were recorded."
  }
}
