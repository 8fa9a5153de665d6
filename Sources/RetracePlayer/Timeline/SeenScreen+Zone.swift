package import Retrace
import RetraceBundle
package import RetraceStorage
import RetraceToolSupport

extension SeenScreen {
  /// Returns the rules of the zone: of the file in a bundle, or of this system; `nil` if neither
  /// has it.
  package func rules(in storage: LogStorage?) -> ZoneRules? {
    if let file = storage?.bundle?.zoneFile(zone),
      let rules = try? ZoneRules(id: zone, tzif: file.span)
    {
      return rules
    }
    return LocalZone.rules(id: zone)
  }

  /// Returns what to know if there are no rules of the zone; `nil` if there are.
  package func note(in storage: LogStorage) -> String? {
    guard rules(in: storage) == nil else { return nil }
    return "note: this system has no zone \"\(SafeText.line(zone, bytesMax: 80))\", in which "
      + "the screen was seen; its times are by the offsets that were recorded."
  }
}
