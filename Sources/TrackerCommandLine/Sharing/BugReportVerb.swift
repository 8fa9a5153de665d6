import Retrace
import RetraceBundle
import RetraceCommandLine
import RetracePlayer
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TrackerFeatures

/// Writes the log into one file, a bundle, for the developer who corrects a bug.
struct BugReportVerb: Verb {
  static let name = "bugreport"
  static let messageOption = CommandOption(
    "message", letter: "m", value: "text",
    "What happened; without it, a terminal is asked. It stays in the file as it is.")
  static let allowOption = CommandOption(
    "allow", value: "field",
    "Keep the texts of a field that the command names, such as Tag.name; can be repeated.")
  static let syntax = CommandSyntax(
    "track bugreport",
    summary: "Write one file with all that was recorded, without private texts.",
    discussion: """
      Whoever gets the file replays what happened, step by step. Descriptions, names and all other \
      texts have other letters and digits in it, except words of the command line such as \
      yesterday, numbers of one or two digits and years; login names, the host and names of \
      imported files are left out. Times, durations, rates, the time zone and the size of the \
      terminal stay. Before the file is written, the command prints how many texts were replaced \
      and what stays. It is the file that `replay bundle` writes, and `replay show --store FILE` \
      reads it. Nothing is sent.

      EXAMPLES
        track bugreport bug.bundle --message "undo brought the wrong entry back"
        track bugreport bug.bundle --message "the week is empty" --dry-run
        track bugreport tags.bundle --message "two tags are one" --allow Tag.name
      """,
    operands: [CommandOperand("file", kind: .file, "The file to create.")],
    options: TrackerOptions.ofNobody + [messageOption, allowOption, dryRunOption])
  private static let dryRunOption = CommandOption(
    "dry-run", "Print what the file would have, and write nothing.")

  let options: TrackerOptions
  private let file: String
  private let message: String?
  private let allowed: [String]
  private let isDryRun: Bool

  private var output: Output { options.output }

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    file = arguments.operands.first ?? ""
    message = arguments[Self.messageOption]
    allowed = arguments.all(Self.allowOption)
    isDryRun = arguments.has(Self.dryRunOption)
    if let message { try Self.check(message) }
  }

  private static func check(_ message: String) throws(ToolFailure) {
    guard !message.utf8.isEmpty else {
      throw .usage("The message is empty.", advice: "Say what happened.")
    }
    try BundleOptions.check(message: message)
  }

  func perform() throws(ToolFailure) {
    if !isDryRun, (try? FileSystem.exists(file)) == true { throw .existing(file) }
    let asks = message == nil && !isDryRun
    let text = try asks ? askedMessage() : message ?? ""
    let path = try options.path()
    // A process cannot open a store twice.
    try options.context.closeSharedStore()
    try StoreLocation.withLog(at: path) { storage throws(ToolFailure) in
      let choice = BundleOptions(
        allowed: allowed, message: text, key: BundleOptions.newKey())
      let report = try orFail(
        try BundleReport(
          of: storage, for: TimeTracker.self, through: try storage.head().sequence, choice))
      if options.json {
        output.print(report.json(output: isDryRun ? nil : file))
      } else {
        report.print(on: output)
      }
      guard !isDryRun else { return }
      if asks { try confirm() }
      _ = try NewFile.write(to: file) { (append) throws(SystemError) in
        try append(report.made.bytes)
      }
      if !options.json { output.print("written         \(file)") }
    }
  }

  /// Asks what happened.
  private func askedMessage() throws(ToolFailure) -> String {
    guard options.mayAsk else {
      throw .usage(
        "It is missing what happened.", advice: "Say it with --message TEXT.")
    }
    output.promptError("What happened, and what did you expect? ")
    let answer = output.streams.readAnswer(bytesMax: BundleFormat.messageBytesMax) ?? ""
    try Self.check(answer)
    return answer
  }

  private func confirm() throws(ToolFailure) {
    output.promptError("Write \(file)? [y/N] ")
    guard let answer = output.streams.readAnswer()?.lowercased(), ["y", "yes"].contains(answer)
    else {
      throw .refused(
        "The answer was not yes.", advice: "Give the message with --message to write it at once.",
        what: "No file was written.")
    }
  }
}
