public import CivilTime
import RetraceArchitecture
import RetraceScreen
public import RetraceState

extension StartEditDraft {
  /// The description without the words that name a project or a tag, and those names.
  struct Words: Hashable {
    /// What is left for the description.
    var description: String
    /// The name after the last `@`.
    var project: String?
    /// The names after `#`.
    var tags: [String]
  }

  /// Takes the words that begin with `@` or `#` out of the description.
  var words: Words {
    var words = Words(description: "", project: nil, tags: [])
    // lint:allow logs of this tracker were folded so; the next one decides at the edge
    for word in description.text.split(separator: " ") {
      if word.utf8.count > 1 && word.utf8.first == UInt8(ascii: "@") {
        words.project = String(Substring(word.utf8.dropFirst()))
      } else if word.utf8.count > 1 && word.utf8.first == UInt8(ascii: "#") {
        words.tags.append(String(Substring(word.utf8.dropFirst())))
      } else {
        words.description += words.description.isEmpty ? String(word) : " " + word
      }
    }
    return words
  }

  /// The name of the project, from its field or else from the description.
  var projectName: String? { trimmed(project.text[...]).nonEmpty ?? words.project }

  /// The names of the tags, from their field and from the description.
  var tagNames: [String] {
    // lint:allow logs of this tracker were folded so; the next one decides at the edge
    tags.text.split(separator: ",").compactMap { trimmed($0).nonEmpty } + words.tags
  }

  /// Reads the duration: hours and minutes with colons, else minutes; `nil` when it is empty.
  ///
  /// - Throws: The refusal to show.
  func parsedDuration() throws(Refusal) -> ElapsedTime? {
    let text = trimmed(duration.text[...])
    if text.isEmpty { return nil }
    let format: DurationFormat = text.utf8.contains(UInt8(ascii: ":")) ? .clock : .minutes
    do {
      return try format.parse(text)
    } catch .negative {
      throw .negativeDuration
    } catch {
      throw .unreadableDuration
    }
  }

  /// Reads the start by the rules of a zone: a date and a time, or a time of today.
  ///
  /// - Parameters:
  ///   - rules: The zone of the machine.
  ///   - now: A moment of today.
  /// - Returns: `nil` when the text is empty. Of a time that clocks showed twice the earlier.
  /// - Throws: The refusal to show.
  public func parsedStart(in rules: ZoneRules, now: Moment) throws(Refusal) -> Moment? {
    let text = trimmed(start.text[...])
    if text.isEmpty { return nil }
    let today = "\(rules.local(at: now).date) "
    for (prefix, format) in Self.startFormats {
      guard let local = try? format?.parse((prefix ? today : "") + text) else { continue }
      guard let moment = rules.moments(forLocal: local).first else { throw .skippedStart }
      return moment
    }
    throw .unreadableStart
  }

  /// The formats of a start, and whether today's date is put before it.
  private static let startFormats: [(Bool, DateFormat?)] = [
    (false, try? DateFormat("y-M-d H:mm:ss")), (false, try? DateFormat("y-M-d H:mm")),
    (true, try? DateFormat("y-M-d H:mm:ss")), (true, try? DateFormat("y-M-d H:mm")),
  ]
}

extension StartEditDraft {
  /// Fills a fresh draft with an entry, the names taken from the library.
  init(_ id: TimeEntryID, _ entry: TimeEntry, user: UserID, library: Library) {
    self.init(user: user, entry: id)
    description = TextField(entry.description)
    project = TextField(entry.project.flatMap { library.projects[$0]?.name } ?? "")
    tags = TextField(entry.tags.compactMap { library.tags[$0]?.name }.joined(separator: ", "))
    start = TextField(entry.localStart.description)
    duration = TextField(entry.duration?.clock ?? "")
    isBillable = entry.isBillable
  }
}
