import Retrace
import RetraceFilter
package import TimeTracking

/// The texts about a filter that cannot be read, for the app and the command line.
extension EntryConditionError {
  /// The reason as a sentence, with what the user typed as it is.
  package var reason: String {
    guard case .unknownName(let key, let name, _) = self else { return description }
    return "There is no \(key.rawValue) \(name)."
  }

  /// Returns the question whether something known was meant, and a space; empty if nothing is near.
  ///
  /// - Parameter ranges: The words for ranges, such as `:week`.
  package func hint(ranges: [String] = []) -> String {
    switch self {
    case .unknownName(_, let name, let known): return Spelling.hint(Name(name).text, in: known)
    case .unknownKey(let name):
      if let key = Self.key(meantBy: name) { return "The key is \(key). " }
      return Spelling.hint(name, in: known + [SavedFilters.key])
    case .colonWord: return Spelling.hint(misspelled ?? "", in: ranges)
    default: return Spelling.hint(misspelled ?? "", in: known)
    }
  }

  /// Returns the key for the name of a field that other outputs and programs use for it.
  private static func key(meantBy name: String) -> String? {
    let names: [(String, String)] = [
      ("description", "text"), ("annotation", "text"), ("annotations", "text"), ("note", "text"),
      ("start", "date"), ("begin", "date"), ("since", "date"), ("tags", "tag"),
      ("projects", "project"), ("clients", "client"), ("tasks", "task"), ("users", "user"),
      ("time", "duration"),
    ]
    let name = name.lowercased()
    return names.first { $0.0.hasBytes(of: name) }?.1
  }
}
