import RetraceScreen
import TimeTracking

extension Notice {
  /// Returns what the scene says.
  func text(in domain: DomainState) -> String {
    switch self {
    case .refused(let refusal): refusal.text(in: domain).line
    case .unavailable(let reason): reason
    case .unknownKey(let name):
      // A typed character has the name that it has in a pipe.
      "\(SafeText.line(name.hasPrefix("text:") ? String(name.dropFirst(5)) : name, bytesMax: 40)) "
        + "does nothing here. Press ? for the keys."
    case .deleted: "Deleted. z takes it back."
    case .undone(let unrestored): "Undone\(Self.rest(unrestored)) Z redoes it."
    case .redone(let unrestored): "Redone\(Self.rest(unrestored)) z undoes it."
    case .nothingToUndo: "There is nothing to undo."
    case .nothingToRedo: "There is nothing to redo."
    }
  }

  private static func rest(_ unrestored: Int64) -> String {
    unrestored == 0 ? "." : ", but for \(unrestored) fields that were changed since."
  }
}
