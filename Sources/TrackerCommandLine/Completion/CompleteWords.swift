import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The hidden command that prints what a shell can offer for the last of some words.
///
/// ``RetraceCommandLine/CompletionScript`` describes the output. The command opens the store
/// read-only, and only for names and entries. If the store cannot be read, the command prints
/// nothing.
struct CompleteWords {
  let context: VerbContext

  /// Prints the candidates.
  ///
  /// - Parameter words: The words after the name of the command: `bash` or nothing, `--`, and the
  ///   words after `track`, the last of which is being typed.
  func run(_ words: ArraySlice<String>) {
    guard let end = words.firstIndex(of: "--") else { return }
    let isBash = words[..<end].contains(CompletionScript.quotedWords)
    let typed = words[words.index(after: end)...]
    guard isBash else {
      return show(completion(of: typed)) { word in
        word.meaning.isEmpty ? word.text : "\(word.text)\t\(word.meaning)"
      }
    }
    guard let last = BashWord(typed.last ?? "") else { return }
    let plain = typed.dropLast().map { BashWord($0)?.text ?? $0 } + [last.text]
    show(completion(of: plain[...])) { last.completed(as: $0.text) }
  }

  private func show(
    _ completion: WordCompletion, _ line: (WordCompletion.Candidate) -> String?
  ) {
    var lines: [String] = []
    switch completion.kind {
    case .file: lines.append(CompletionScript.file)
    case .directory: lines.append(CompletionScript.directory)
    case .data(let name):
      if let value = TrackerValue(rawValue: name) {
        if value == .rangeAndTerms {
          let ranges = ValueKind.ranges.map { WordCompletion.Candidate($0) }
          lines += WordCompletion(completion.query, of: ranges).candidates.compactMap(line)
        }
        lines += data(for: value, completion).compactMap(line)
      }
    case .text, .words, .list: break
    }
    lines += completion.candidates.compactMap(line)
    guard !lines.isEmpty else { return }
    var text = ""
    for line in lines { text += line + "\n" }
    context.output.printRaw(text)
  }

  private func completion(of words: ArraySlice<String>) -> WordCompletion {
    typealias Candidate = WordCompletion.Candidate
    // The commands are listed only if needed, because that makes the syntax of every command.
    func commands() -> [Candidate] {
      Track.verbs.map { Candidate($0.name, $0.syntax.summary) }
    }
    let last = words.last ?? ""
    let (options, rest) = Track.leadingOptions(of: words.dropLast())
    guard let first = rest.first else {
      let leading = WordCompletion(
        words,
        for: CommandSyntax("track", summary: "", discussion: "", options: TrackerOptions.ofUser))
      if leading.isOfOption { return leading }
      let help = Candidate("help", "Show the help of a command.")
      var flags = [Candidate("--help", CommandSyntax.help.help)]
      if last.hasPrefix("-") { flags = leading.candidates }
      if options.isEmpty { flags.append(Candidate("--version", "Show the version.")) }
      return WordCompletion(last, of: commands() + [help] + flags)
    }
    if first == "help" {
      let pages = HelpPage.all.map { Candidate($0.name, $0.summary) }
      return WordCompletion(last, of: rest.count == 1 ? commands() + pages : [])
    }
    if let command = Track.verb(named: first) {
      return WordCompletion(options + rest.dropFirst() + [last], for: command.syntax)
    }
    // Without a command, words that begin with a time are the range of a new entry.
    guard EntryWords.looksLikeTime(first) else { return WordCompletion("", of: []) }
    return WordCompletion(words, for: AddVerb.syntax)
  }

  private func data(
    for value: TrackerValue, _ completion: WordCompletion
  ) -> [WordCompletion.Candidate] {
    guard
      let path = try? TrackerOptions.location.path(
        completion.value(of: TrackerOptions.storeOption).map(context.environment.expandingTilde),
        in: context.environment,
        configured: { () throws(ToolFailure) in
          try context.checkedSettings()[.store]?.text
        })
    else { return [] }
    let userName = (try? context.defaultUserName()) ?? context.loginName
    // Candidates are still useful if the end of the log is damaged.
    let found = try? TrackerStore.read(
      at: path, foldTrial: context.foldTrial(path), checkingEnd: false
    ) { state, _ in
      DataCandidates(completion: completion, domain: state.domain, userName: userName)
        .words(for: value)
    }
    return found ?? []
  }
}
