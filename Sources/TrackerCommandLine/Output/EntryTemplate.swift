import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// A template such as `{project} {elapsed}`, for prompts and status bars.
struct EntryTemplate {
  /// A name between braces.
  private enum Field: String, CaseIterable {
    case id, description, client, project, task, tags, start, elapsed, minutes, state
  }

  private enum Part {
    case text(String)
    case field(Field)
  }

  private var parts: [Part] = []

  /// Reads a template; `{{` and `}}` stand for one brace each.
  ///
  /// - Throws: A usage failure that names what is wrong with it.
  init(_ template: String) throws(ToolFailure) {
    var rest = Substring(template)
    var text = ""
    while let character = rest.popFirst() {
      guard character == "{" else {
        text.append(character)
        if character == "}", rest.first == "}" { rest.removeFirst() }
        continue
      }
      if rest.first == "{" {
        rest.removeFirst()
        text.append(character)
        continue
      }
      guard let end = rest.firstIndex(of: "}") else {
        throw .usage(
          "--format has a brace that is not closed.", advice: "Write {{ for a brace alone.")
      }
      let name = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      guard let field = Field(rawValue: name) else {
        let names = Field.allCases.map(\.rawValue)
        let similar = Spelling.nearest(to: name, in: names).map { "Did you mean {\($0)}? " } ?? ""
        throw .usage(
          "--format has no field {\(name)}.",
          advice: "\(similar)The fields are \(names.joined(separator: ", ")).")
      }
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
      parts.append(.field(field))
    }
    if !text.isEmpty { parts.append(.text(text)) }
  }

  /// Returns the template with the values of an entry, with times in a zone; a field without a
  /// value is empty.
  func text(of entry: EntryText, in rules: ZoneRules) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): value(of: field, in: entry, rules)
      }
    }
    .joined()
  }

  private func value(
    of field: Field, in entry: EntryText, _ rules: ZoneRules
  ) -> String {
    let labels = entry.labels
    switch field {
    case .id: return "\(entry.id.value)"
    case .description: return entry.entry.description
    case .client: return labels.client ?? ""
    case .project: return labels.project ?? ""
    case .task: return labels.task ?? ""
    case .tags: return labels.tags.map { "#\($0)" }.joinedByBlanks
    case .start:
      let start = entry.entry.start
      return rules.local(at: start).clock + rules.offsetMark(at: start)
    case .elapsed: return entry.elapsed.hoursAndMinutes
    case .minutes: return "\(entry.elapsed.seconds / 60)"
    case .state: return entry.activity
    }
  }
}
