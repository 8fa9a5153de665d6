import Retrace
import TimeTracking

extension Notice {
  /// Returns the line of the notice: a success in its color, or a warning with a mark.
  ///
  /// - Parameters:
  ///   - domain: The entities.
  ///   - rules: The rules of the zone in which times are shown; `nil` for the recorded offsets.
  ///   - zone: The zone of the times of a question; UTC without it.
  ///   - user: The user whose entries are shown, if any.
  func line(
    in domain: DomainState, by rules: ZoneRules?, zone: ZoneRules?, to user: UserID?
  ) -> Screen.Line {
    let text = text(in: domain, by: rules, zone: zone, to: user)
    return switch self {
    case .deleted, .undone, .redone: Screen.Line(text, Style(foreground: .success))
    case .refused, .unavailable, .unknownKey, .nothingToUndo, .nothingToRedo, .obstacle:
      Screen.Line("! \(text)", .warning)
    }
  }

  private func text(
    in domain: DomainState, by rules: ZoneRules?, zone: ZoneRules?, to user: UserID?
  ) -> String {
    switch self {
    case .refused(let refusal): return refusal.text(in: domain).line
    case .unavailable(let reason): return reason
    case .unknownKey(let name):
      // The name of a typed character has the prefix `text:`, as in the input of a pipe.
      let key = name.hasPrefix("text:") ? String(name.dropFirst(5)) : name
      return "\(SafeText.line(key, bytesMax: 40)) does nothing here. Press ? for the keys."
    case .deleted: return "Deleted. z takes it back."
    case .undone(let unrestored, let changed):
      let owner = changed?.owner(in: domain, otherThan: user) ?? ""
      let rest = Self.rest(unrestored, changed?.text(in: domain, by: rules))
      return "Undone\(owner)\(rest) Z redoes it."
    case .redone(let unrestored, let changed):
      let owner = changed?.owner(in: domain, otherThan: user) ?? ""
      let rest = Self.rest(unrestored, changed?.text(in: domain, by: rules))
      return "Redone\(owner)\(rest) z undoes it."
    case .nothingToUndo: return "There is nothing to undo."
    case .nothingToRedo: return "There is nothing to redo."
    case .obstacle(let obstacle): return SafeText.line(obstacle.text(in: domain, zone: zone))
    }
  }

  private static func rest(_ unrestored: Int64, _ changed: String?) -> String {
    let what = changed.map { ": \($0)" } ?? ""
    guard unrestored > 0 else { return "\(what)." }
    return "\(what), but for what was changed since, is in use or would break a rule."
  }
}
