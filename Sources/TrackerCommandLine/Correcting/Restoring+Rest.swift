import RetraceToolSupport
import TrackerApp

extension Restoring {
  /// The most things that an error names.
  private static var namesMax: Int { 4 }

  /// Returns the remarks on an undo or a redo.
  func remarks(on changes: EntryChanges) -> RestoreRemarks {
    RestoreRemarks(changes, isRedo: isRedo, isTaking: isTaking)
  }

  /// Returns the failure of undos or redos all of which change nothing.
  func failure(ofVoid done: [EntryChanges]) -> ToolFailure {
    var (texts, advice): ([String], [String]) = ([], [])
    for changes in done {
      let remarks = remarks(on: changes)
      for rest in remarks.rests {
        texts.append(remarks.text(of: rest))
        guard let next = self.advice(on: rest.reason, remarks), !advice.contains(next) else {
          continue
        }
        // One example is enough of the changes.
        if rest.reason != .isChanged || advice.isEmpty { advice.append(next) }
      }
    }
    if case .newest(let count?, _) = target, count < Self.countMax {
      let verb = action.rawValue
      advice.append("`track \(verb) \(count + 1)` goes on with the change before.")
    }
    let more = texts.count - Self.namesMax
    let names = texts.prefix(Self.namesMax).joined(separator: "; ")
    return .refused(
      more > 0 ? "\(names); and so do \(more) more." : "\(names).",
      advice: advice.joined(separator: " "), what: what)
  }

  private func advice(on reason: RestoreRemarks.Reason, _ remarks: RestoreRemarks) -> String? {
    switch reason {
    case .isChanged: remarks.takeCommand.map { "\($0) sets what was changed since." }
    case .isUsed: "Undo first what uses it; `track history` lists the changes."
    case .userIsDeleted:
      "Undo first the deletion of the user; `track history` lists the changes."
    case .breaksRule: "Change the values with `track edit`."
    }
  }
}
