import Retrace
import TimeTracking

extension Notice {
  /// Returns the text of the notice.
  ///
  /// - Parameter restored: The text about the undo or the redo; `nil` if unknown.
  func text(in domain: DomainState, restored: String? = nil) -> String {
    switch self {
    case .refused(let refusal): refusal.text(in: domain).line
    case .unavailable(let reason): reason
    case .unknownKey(let name):
      // The name of a typed character has the prefix `text:`, as in the input of a pipe.
      "\(SafeText.line(name.hasPrefix("text:") ? String(name.dropFirst(5)) : name, bytesMax: 40)) "
        + "does nothing here. Press ? for the keys."
    case .deleted: "Deleted. z takes it back."
    case .undone(let unrestored): "Undone\(Self.rest(unrestored, restored)) Z redoes it."
    case .redone(let unrestored): "Redone\(Self.rest(unrestored, restored)) z undoes it."
    case .nothingToUndo: "There is nothing to undo."
    case .nothingToRedo: "There is nothing to redo."
    }
  }

  private static func rest(_ unrestored: Int64, _ restored: String?) -> String {
    let what = restored.map { ": \($0)" } ?? ""
    guard unrestored > 0 else { return "\(what)." }
    let fields = unrestored == 1 ? "1 field that was" : "\(unrestored) fields that were"
    return "\(what), but for \(fields) changed since."
  }
}
