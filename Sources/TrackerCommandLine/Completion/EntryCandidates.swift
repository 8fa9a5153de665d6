import Retrace
import RetraceCommandLine
import TimeTracking

/// Finds the earlier entries that the words of a new one may repeat.
///
/// These are the entries of the last 42 days, those that were started most first. The rest of a
/// description is one word, which the shell quotes. After a whole description come the project and
/// the tags of its entries.
struct EntryCandidates {
  /// A description, with the entries that have it.
  private struct Earlier {
    var description: String
    var entries: [TimeEntry]
    var count: Int
  }

  /// The most candidates.
  private static var candidatesMax: Int { 32 }

  private let domain: DomainState
  /// The words of the entry before the one that is being typed.
  private let words: [String]
  /// The words among them that are text.
  private let texts: [String]
  private let query: String
  /// The number of words that may name a project or a tag.
  private let signed: Int
  /// The descriptions, the most used one first.
  private let earlier: [Earlier]

  /// Collects the entries of a user.
  ///
  /// - Parameters:
  ///   - completion: The words of the command.
  ///   - user: The user.
  ///   - domain: The entities.
  ///   - moment: The present.
  /// - Complexity: O(entries of all users that ended in the last 42 days or later).
  init(_ completion: WordCompletion, of user: UserID, in domain: DomainState, at moment: Moment) {
    self.domain = domain
    (query, signed) = (completion.query, completion.isAfterEnd ? 0 : .max)
    let signs = "@#+".utf8
    // A range may precede the words.
    words = Array(
      completion.operands.drop { EntryWords.looksLikeTime($0) || ["-", "to"].contains($0) })
    texts = words.filter { $0.utf8.first.map(signs.contains) != true }
      .flatMap { $0.split(separator: " ").map(String.init) }
    var places: [String: Int] = [:]
    var earlier: [Earlier] = []
    for case .mostUsed(let id, let count) in MostUsedEntries(of: user, in: domain, at: moment)
      .suggestions
    {
      guard let entry = domain.timeEntries[id] else { continue }
      if let place = places[entry.description] {
        earlier[place].entries.append(entry)
        earlier[place].count += count
      } else {
        places[entry.description] = earlier.count
        earlier.append(
          Earlier(description: entry.description, entries: [entry], count: count))
      }
    }
    self.earlier = earlier
  }

  /// The candidates, each with its meaning: first the project and the tags of the description that
  /// was typed, then the rests of longer ones.
  var candidates: [(text: String, meaning: String)] {
    let names = texts.isEmpty || !query.isEmpty ? [] : names
    return Array((names + rests).prefix(Self.candidatesMax))
  }

  /// The project and the tags of the entries with the typed description, without those that were
  /// typed.
  private var names: [(text: String, meaning: String)] {
    let typed = Name(texts.joinedByBlanks)
    let found = earlier.filter { Name($0.description) == typed }.flatMap(\.entries)
    let projects = found.compactMap(\.project)
    let longNames = domain.longNames(ofAll: projects)
    var names: [String] = []
    if !words.contains(where: { $0.hasPrefix("@") }) {
      names += projects.compactMap { domain.shownName(of: $0, longNames).map { "@\($0)" } }
    }
    for tag in found.flatMap(\.tags) {
      if let name = domain.tags.resolve(tag).flatMap({ domain.tags.live($0)?.name.text }) {
        names.append("#\(name)")
      }
    }
    var offered = Set(words)
    return names.filter { offered.insert($0).inserted && isRead($0, asText: nil) }
      .map { ($0, "as before") }
  }

  /// The rests of the descriptions that begin with the typed words.
  private var rests: [(text: String, meaning: String)] {
    let typed = Name(texts.joinedByBlanks)
    let key = Name(query).key
    var offered: Set<String> = []
    return earlier.compactMap { earlier in
      let parts = earlier.description.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count > texts.count,
        Name(parts.prefix(texts.count).map(String.init).joinedByBlanks) == typed
      else { return nil }
      let rest = parts.dropFirst(texts.count).map(String.init).joinedByBlanks
      guard Name(rest).key.utf8.starts(with: key.utf8), offered.insert(rest).inserted,
        isRead(rest, asText: (texts + [rest]).joinedByBlanks)
      else { return nil }
      return (rest, meaning(of: earlier))
    }
  }

  private func meaning(of earlier: Earlier) -> String {
    let times = earlier.count == 1 ? "once" : "\(earlier.count) times"
    let projects = Set(earlier.entries.map(\.project))
    if projects.count > 1 { return "\(times), in several projects" }
    let longNames = domain.longNames(ofAll: projects.compactMap { $0 })
    let name = projects.first?.flatMap { domain.shownName(of: $0, longNames) }
    return times + (name.map { ", @\($0)" } ?? "")
  }

  /// Returns whether the command reads a word after the typed ones as what it is offered for.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - text: The description with the word; `nil` for the name of a project or a tag.
  private func isRead(_ word: String, asText text: String?) -> Bool {
    guard !word.isEmpty, !word.unicodeScalars.contains(where: SafeText.isEscaped),
      !"-:".utf8.contains(word.utf8.first ?? 0),
      let read = try? EntryWords((words + [word])[...], signed: signed, in: domain),
      let before = try? EntryWords(words[...], signed: signed, in: domain)
    else { return false }
    guard let text else { return read.description == before.description }
    let isTime = words.isEmpty && EntryWords.looksLikeTime(word)
    return !isTime && read.description == text && read.project == before.project
      && read.tags == before.tags && read.times == before.times
  }
}
