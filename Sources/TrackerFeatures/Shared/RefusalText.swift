import CivilTime
public import TrackerDomain
import RetraceState

extension DomainRefusal {
  /// Returns what happened and what to do, in one line.
  ///
  /// - Parameter domain: The domain, for the names of entries.
  /// - Complexity: O(entries that the refusal names).
  public func text(in domain: DomainState) -> String {
    switch reason {
    case let refusal as RecordRefusal: refusal.text
    case let refusal as ImportRefusal: refusal.text
    case let refusal as TimeEntryRefusal: refusal.text(in: domain)
    case nil: "Something else changed at the same time. Try again."
    case let refusal?: "\(refusal)"
    }
  }
}

extension RecordRefusal {
  /// What happened and what to do.
  var text: String {
    switch self {
    case .unknown(let type, let id):
      "There is no \(words(of: type)) \(id), or it was deleted. Choose another one."
    case .nameEmpty: "The name is empty. Type a name."
    case .nameTooLong: "The name is longer than \(Name.bytesMax) bytes. Shorten it."
    case .nameTaken(let name): "The name \(name) is taken. Choose another one."
    case .changedMeanwhile(let fields):
      "Changed elsewhere since you saw it: "
        + "\(fields.map(words(of:)).joined(separator: ", ")). Look at it again."
    case .inUse(let type, let id): "It is used by \(words(of: type)) \(id). Change that first."
    case .invalid(let field): "The value of \(words(of: field)) cannot be used. Correct it."
    case .cannotMerge: "These two cannot be merged."
    case .externalIDTaken(let id): "The id \(id.id) belongs to another entity."
    }
  }
}

/// Returns the words in the name of a type or a field, such as `time entry` for `TimeEntryID`.
private func words(of name: String) -> String {
  var words = ""
  for scalar in (name.hasSuffix("ID") ? String(name.dropLast(2)) : name).unicodeScalars {
    if ("A"..."Z").contains(scalar) {
      if !words.isEmpty { words += " " }
      words += String(scalar).lowercased()
    } else {
      words.unicodeScalars.append(scalar)
    }
  }
  return words
}

extension ImportRefusal {
  /// What happened and what to do.
  fileprivate var text: String {
    switch self {
    case .record(let refusal): refusal.text
    case .row(let number, let refusal): "Row \(number): \(refusal.text)"
    case .fileNameTooLong: "The name of the file is too long. Rename it."
    case .unknownRun: "There is no such import."
    case .alreadyImported: "The file is imported already."
    case .anotherRuns: "Another file of this source is being imported. Finish or cancel it first."
    case .ended: "The import is finished or given up."
    case .outOfOrder(let expected): "Row \(expected) comes next."
    case .rowsMissing: "The rows are not at hand. Give the file."
    }
  }
}

extension TimeEntryRefusal {
  /// What happened and what to do.
  fileprivate func text(in domain: DomainState) -> String {
    switch self {
    case .record(let refusal): refusal.text
    case .nothingRunning: "Nothing is running. Start an entry first."
    case .overlaps(let ids):
      Self.text(of: ids.compactMap { domain.timeEntries[$0]?.shortName })
    case .tooManyOverlaps(let count):
      "It overlaps \(count) entries, more than can be adjusted. Correct the times."
    case .inFuture(let moment):
      "It would begin or end in the future, at \(moment.timestamp)."
    case .tooLong(let time):
      time > TimeEntry.durationMax
        ? "An entry would take \(time.clock), more than it can."
        : "An entry would take \(time.clock), more than 12 hours."
    case .endsBeforeStart: "It would end before it begins. Correct the times."
    case .invalid(let field):
      "The value of \(words(of: field)) is too long or cannot be used. Correct it."
    case .anotherRuns: "Another entry is running. Stop it first."
    }
  }

  private static func text(of names: [String]) -> String {
    let listed = names.prefix(3).joined(separator: ", ")
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "It overlaps \(listed)\(rest)."
  }
}

extension TimeEntry {
  /// The description in a few words, quoted.
  var shortName: String {
    description.isEmpty ? "(no description)" : "\"\(cut(description, to: 30))\""
  }
}
