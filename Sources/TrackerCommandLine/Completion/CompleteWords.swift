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
  /// The number of the newest changes among which those to undo or to restore are found.
  private static var changesMax: Int { 32 }

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
    if value == .change || value == .undoneChange {
      return changes(areUndone: value == .undoneChange, completion, of: userName, at: path)
    }
    // Candidates are still useful if the end of the log is damaged.
    let found = try? TrackerStore.read(
      at: path, foldTrial: context.foldTrial(path), checkingEnd: false
    ) { state, _ in
      DataCandidates(
        completion: completion, domain: state.domain, userName: userName,
        moment: context.fixedMoment ?? Moment(microseconds: WallClock.now())
      ).words(for: value)
    }
    return found ?? []
  }

  /// Returns the names of the newest changes that `undo` takes back, or that `restore` brings back.
  ///
  /// - Complexity: O(bytes of the records of ``changesMax`` changes).
  private func changes(
    areUndone: Bool, _ completion: WordCompletion, of userName: String, at path: String
  ) -> [WordCompletion.Candidate] {
    let found = try? TrackerStore.readHistory(at: path, foldTrial: context.foldTrial(path)) {
      (domain, _, forEachChange) throws(StoreError) in
      let rules = (try? context.calendar(of: userName, in: domain).rules) ?? context.zoneOrUTC
      // Names are shown as they were then, so the state goes back with the changes.
      var past = domain
      var candidates: [WordCompletion.Candidate] = []
      var count = 0
      try forEachChange { change in
        let isOwn = change.login == context.loginName
        if change.restores == nil, isOwn, change.isTakenBack == areUndone {
          var names = ChangeNames(past)
          let text = RecordedChangeText(change, in: past, rules, &names)
          let meaning = text.rows.map { "\($0.verb) \($0.text)" }.joined(separator: "; ")
          if text.name.hasPrefix(completion.query) {
            candidates.append(.init(text.name, SafeText.line(meaning, bytesMax: 80)))
          }
        }
        for edit in change.edits.reversed() { edit.inverted.apply(to: &past) }
        count += 1
        return count < Self.changesMax
      }
      return candidates
    }
    return found ?? []
  }
}
