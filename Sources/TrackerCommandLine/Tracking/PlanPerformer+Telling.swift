import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// The output of a change of entries.
extension PlanPerformer {
  /// The text about the changes of a command.
  enum Told {
    case json(JSONValue)
    case lines([String])
  }

  /// Prints a line on what a command did, broken at blanks on a terminal.
  static func echo(_ line: String, _ output: Output) { output.printWrapped(line, indent: 9) }

  func print(_ told: Told) {
    switch told {
    case .json(let json): options.output.print(json)
    case .lines(let lines): lines.forEach { Self.echo($0, options.output) }
    }
  }

  /// Returns the texts about the changes of planned commands, with the remarks after the last one.
  func tell(_ changes: [EntryChanges], by planned: Planned, isDryRun: Bool) -> [Told] {
    let (commands, context) = (planned.plan.commands, planned.context)
    if let id = planned.unchanged {
      let notes = planned.remarks
      guard options.json else { return [.lines(notes.map(EntryChangesText.line(ofNote:)))] }
      let entry = EntryText.json(
        of: id, in: context.domain, at: context.now, options.context.zones)
      return [
        .json([
          "sequence": .integer(0), "entry": entry, "stopped": .null, "adjusted": .array([]),
          "notes": .array(notes.map { .string($0) }),
        ])
      ]
    }
    let texts = EntryChangesText.texts(
      changes, targets: Set(commands.compactMap(\.target)), at: context.now)
    return texts.enumerated().map { index, text in
      let notes =
        notes(on: text.changes, by: commands, in: context)
        + (index == texts.count - 1 ? planned.remarks : [])
      guard options.json else {
        let lines = text.lines(in: context.rules, options.context.zones, isDryRun: isDryRun)
        return .lines(lines + notes.map(EntryChangesText.line(ofNote:)))
      }
      return .json(
        text.json(
          notes: text.notes(in: context.rules) + notes, isDryRun: isDryRun, options.context.zones))
    }
  }

  /// Returns the lines of a dry run, for a question.
  func lines(of planned: Planned) -> [String] {
    var planned = planned
    planned.remarks = []
    return tell(planned.plan.changes, by: planned, isDryRun: true).flatMap { told -> [String] in
      if case .lines(let lines) = told { return lines }
      return []
    }
  }

  /// Returns the remarks about the changes of one of some commands, besides the remarks of
  /// ``EntryChangesText``.
  private func notes(
    on changes: EntryChanges, by commands: [TimeEntryCommand], in context: EntryContext
  ) -> [String] {
    var notes: [String] = []
    for case .join(let one, let other, _, _, _) in commands {
      guard let pause = context.pause(between: one, and: other) else { continue }
      let taken =
        pause.taken > .zero ? ", of which other entries had \(pause.taken.clock)" : ""
      notes.append("the break of \(pause.whole.clock) between them is counted\(taken)")
    }
    for case .resume(let id, _, _, _, _) in commands {
      if let entry = context.domain.timeEntries[id] { notes += context.deletedNotes(on: entry) }
    }
    // A command about an entry of another user creates no user.
    let makesUser = changes.edits.contains { edit in
      if case .user(.inserted) = edit { true } else { false }
    }
    guard context.user == nil, makesUser else { return notes }
    if let missing = MissingUser(context.userName, in: context.domain) {
      notes.append(missing.note)
    }
    return notes
  }
}
