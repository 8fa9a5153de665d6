import Retrace
import TimeTracking

extension Notice {
  /// Returns the text of the notice.
  ///
  /// - Parameters:
  ///   - domain: The entities.
  ///   - rules: The rules of the zone in which times are shown; `nil` for the recorded offsets.
  func text(in domain: DomainState, by rules: ZoneRules? = nil) -> String {
    switch self {
    case .refused(let refusal): return refusal.text(in: domain).line
    case .unavailable(let reason): return reason
    case .unknownKey(let name):
      // The name of a typed character has the prefix `text:`, as in the input of a pipe.
      let key = name.hasPrefix("text:") ? String(name.dropFirst(5)) : name
      return "\(SafeText.line(key, bytesMax: 40)) does nothing here. Press ? for the keys."
    case .deleted: return "Deleted. z takes it back."
    case .undone(let unrestored, let changed):
      let rest = Self.rest(unrestored, changed?.text(in: domain, by: rules))
      return "Undone\(rest) Z redoes it."
    case .redone(let unrestored, let changed):
      let rest = Self.rest(unrestored, changed?.text(in: domain, by: rules))
      return "Redone\(rest) z undoes it."
    case .nothingToUndo: return "There is nothing to undo."
    case .nothingToRedo: return "There is nothing to redo."
    }
  }

  private static func rest(_ unrestored: Int64, _ changed: String?) -> String {
    let what = changed.map { ": \($0)" } ?? ""
    guard unrestored > 0 else { return "\(what)." }
    let fields = unrestored == 1 ? "1 field that was" : "\(unrestored) fields that were"
    return "\(what), but for \(fields) changed since."
  }
}
