import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Adds an annotation to an entry.
struct AnnotateVerb: Verb {
  static let name = "annotate"
  static let replaceOption = CommandOption(
    "replace", "Replace the annotations of the entry; an empty text removes them.")
  static let syntax = CommandSyntax(
    "track annotate", summary: "Add an annotation to an entry.",
    discussion: """
      The entry is given by its id, and several also by 52-54 or --filter; without these, it is \
      the running entry or else the one that ended last. All other words are the annotation, so \
      a text that begins with a number needs -- before it. Several entries are annotated only \
      after a question, or with --yes. An \
      entry has at most \(TimeEntry.listMax) annotations and \(TimeEntry.textBytesMax) bytes of \
      text. Each change records all annotations before and after it, so that it can be undone: the \
      log grows by them each time.

      EXAMPLES
        track annotate 12 see the minutes of monday
        track annotate waiting for the review
        track annotate -1 --replace "three new bugs" --reason "counted again"
      """,
    operands: [
      CommandOperand(
        "words", repeats: true, kind: .tracker(.entry), "An id, then the text.")
    ],
    options: TrackerOptions.ofUser + [replaceOption] + EntrySelection.options)

  let arguments: CommandArguments
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.arguments = arguments
    performer = PlanPerformer(
      arguments, in: context, what: "Nothing was annotated.", asks: .annotated)
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      let selection = EntrySelection(in: context)
      var (entries, rest, signed) = try selection.take(from: arguments)
      try EntryWords.refuseHints(in: rest.prefix(signed))
      if entries.isEmpty { entries = [try selection.current(by: context.now)] }
      guard !rest.isEmpty else {
        throw .usage(
          "The annotation is missing.", advice: "Write it after the id, or after --.")
      }
      let text = rest.joined(separator: " ")
      let replaces = arguments.has(Self.replaceOption)
      guard replaces || !text.isEmpty else {
        throw .usage(
          "The annotation is empty.",
          advice: "Give a text, or remove the annotations with --replace \"\".")
      }
      return try EntryRequest(
        correcting: entries, arguments, unchanged: "The entries have these annotations already."
      ) { entry in
        let old = entry.annotations
        let new = (replaces ? [] : old) + (text.isEmpty ? [] : [text])
        var correction = TimeEntryCorrection()
        if new != old { correction.changes.annotations = Change(from: old, to: new) }
        return correction
      }
    }
  }
}
