public import CivilTime
public import TimeTracking
public import RetraceState

/// The text of a refusal for the user.
public struct RefusalText: Hashable, Sendable {
  /// The reason, as a sentence.
  public var reason: String
  /// The advice, as a sentence; `nil` if the reason contains it.
  public var advice: String?

  init(_ reason: String, _ advice: String? = nil) {
    self.reason = reason
    self.advice = advice
  }

  /// The reason and the advice in one line.
  public var line: String { advice.map { "\(reason) \($0)" } ?? reason }
}

extension DomainRefusal {
  /// Returns the text for the user.
  ///
  /// - Parameters:
  ///   - domain: The domain, for the names of entries.
  ///   - local: Returns the local time at a moment; by default, times are in UTC.
  /// - Complexity: O(entries that the refusal names).
  public func text(
    in domain: DomainState, at local: ((Moment) -> LocalTime)? = nil
  ) -> RefusalText {
    switch reason {
    case let refusal as RecordRefusal: refusal.text
    case let refusal as ImportRefusal: refusal.text(in: domain)
    case let refusal as TimeEntryRefusal: refusal.text(in: domain, at: local)
    case nil: RefusalText("Something else changed at the same time.", "Try again.")
    case let refusal?: RefusalText("\(refusal).")
    }
  }
}

extension RecordRefusal {
  fileprivate var text: RefusalText {
    switch self {
    case .unknown(let type, let id):
      RefusalText(
        "There is no \(words(of: type)) \(id), or it was deleted.", "Choose another one.")
    case .nameEmpty: RefusalText("The name is empty.", "Type a name.")
    case .nameTooLong:
      RefusalText("The name is longer than \(Name.bytesMax) bytes.", "Shorten it.")
    case .nameTaken(let name): RefusalText("The name \(name) is taken.", "Choose another one.")
    case .changedMeanwhile(let fields):
      RefusalText(
        "Changed elsewhere since you saw it: "
          + "\(fields.map(words(of:)).joined(separator: ", ")).", "Look at it again.")
    case .inUse(let type, let id):
      RefusalText("It is used by \(words(of: type)) \(id).", "Change that first.")
    case .invalid(let field):
      RefusalText("The value of \(words(of: field)) cannot be used.", form(of: field))
    case .cannotMerge:
      RefusalText(
        "These two cannot be merged: they are the same, or of different clients, projects or "
          + "workspaces.")
    case .externalIDTaken(let id): RefusalText("The id \(id.id) belongs to another entity.")
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

/// Returns the advice for the value of a field that an entity refuses.
private func form(of field: String) -> String {
  switch field {
  case "currency": "Write the three capital letters of a code, such as EUR."
  case "target": "Write a time above zero, such as 8h."
  case "rate": "Write an amount from zero on, such as 85.50."
  default: "Correct it."
  }
}

extension ImportRefusal {
  fileprivate func text(in domain: DomainState) -> RefusalText {
    func file(_ run: ImportRunID) -> String {
      domain.importRuns.read(run) { cut($0.file, to: 60) } ?? "another file"
    }
    func source(_ run: ImportRunID) -> String {
      let name = domain.importRuns[run].flatMap { domain.externalSources[$0.source]?.name.text }
      return cut(name ?? "", to: 60)
    }
    return switch self {
    case .record(let refusal): refusal.text
    case .row(let number, let refusal):
      RefusalText("Accepted row \(number + 1): \(refusal.text.reason)", refusal.text.advice)
    case .fileNameTooLong: RefusalText("The name of the file is too long.", "Rename it.")
    case .unknownRun: RefusalText("There is no such import.")
    case .alreadyImported(let run):
      RefusalText("The file is imported already, as \(file(run)).", "Undo that import first.")
    case .anotherRuns(let run):
      RefusalText(
        "The import of \(file(run)) from the source \(source(run)) is not finished.",
        "Finish or cancel it first.")
    case .ended: RefusalText("The import is finished or canceled.")
    case .outOfOrder(let expected):
      RefusalText(
        "The log has \(expected) rows of the file; another process imports it too.",
        "Wait for that process, or repeat the command.")
    case .rowsMissing: RefusalText("The rows are not at hand.", "Give the file.")
    }
  }
}

extension TimeEntryRefusal {
  fileprivate func text(
    in domain: DomainState, at local: ((Moment) -> LocalTime)?
  ) -> RefusalText {
    func time(_ moment: Moment) -> String {
      guard let local = local?(moment) else { return moment.timestamp }
      return "\(local.date) \(local.second == 0 ? local.clock : local.clockWithSeconds)"
    }
    return switch self {
    case .record(let refusal): refusal.text
    case .nothingRunning: RefusalText("Nothing is running.", "Start an entry first.")
    case .overlaps(let ids):
      Self.text(of: ids.compactMap { domain.timeEntries[$0]?.shortName })
    case .tooManyOverlaps(let count):
      RefusalText(
        "It overlaps \(count) entries, more than can be adjusted.", "Correct the times.")
    case .inFuture(let moment):
      RefusalText("It would begin or end in the future, at \(time(moment)).")
    case .tooLong(let time):
      RefusalText(
        time > TimeEntry.durationMax
          ? "An entry would take \(time.clock); the most is "
            + "\(TimeEntry.durationMax.seconds / 3_600) hours."
          : "An entry would take \(time.clock), more than 12 hours.")
    case .endsBeforeStart:
      RefusalText("It would end before it begins.", "Correct the times.")
    case .invalid(let field):
      RefusalText(
        "The value of \(words(of: field)) is too long or cannot be used.", "Correct it.")
    case .anotherRuns: RefusalText("Another entry is running.", "Stop it first.")
    case .outside(let moment):
      RefusalText(
        "The time \(time(moment)) is not within the entry.", "Give a time between its ends.")
    case .cannotJoin:
      RefusalText(
        "An entry cannot be joined with itself, nor with one of another user, project or task, or "
          + "one that is billed differently.",
        "Give two entries that are alike in these.")
    }
  }

  private static func text(of names: [String]) -> RefusalText {
    let listed = names.prefix(3).joined(separator: ", ")
    // A refusal lists at most as many entries as can be adjusted, so there may be more.
    let more = names.count < TimeEntries.adjustmentsMax ? "more" : "or more"
    let rest = names.count > 3 ? " and \(names.count - 3) \(more)" : ""
    return RefusalText("It overlaps \(listed)\(rest).")
  }
}

extension TimeEntry {
  /// The description in a few words, quoted.
  var shortName: String {
    description.isEmpty ? "(no description)" : "\"\(cut(description, to: 30))\""
  }
}
