import Retrace
import RetraceReplay
import RetraceToolSupport

/// What the player shows beside the timeline for a record, in any size.
struct PlayerDetails {
  /// The record.
  var sequence: UInt64
  /// What happened, when and where, and what it changed.
  var lines: [Screen.Line] = []
  /// The moment of the record; `nil` if it cannot be read.
  var moment: Moment?
  /// What the row says.
  var text = ""
  /// The number of lines before those about what changed; `nil` without those.
  var headCount: Int?
  /// The scenes that have a screen.
  var scenes: [Int64] = []
  /// The last record of the last complete batch, after which the screens are shown.
  var batchEnd: UInt64 = 0
  /// Why the state is not known.
  var problem: String?

  /// Returns the scene that is shown for a wish: that one, or the first one.
  func scene(_ wanted: Int64?) -> Int64? {
    wanted.flatMap { scenes.contains($0) ? $0 : nil } ?? scenes.first
  }

  /// What changed, and then what happened, for a pane of few rows.
  private var shortLines: [Screen.Line] {
    guard let headCount else { return lines }
    return lines[headCount...] + [Screen.Line(""), Screen.Line(text, .faint)]
  }

  /// Returns the lines, broken where they do not fit.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - isShort: Whether only what changed and what happened is wanted, in this order.
  /// - Complexity: O(bytes of the lines).
  func lines(fitting columns: Int, isShort: Bool = false) -> [Screen.Line] {
    (isShort ? shortLines : lines).flatMap { line -> [Screen.Line] in
      let text = line.text
      guard TextWidth.of(text) > columns else { return [line] }
      let style = line.runs.first?.style ?? .plain
      // Continued lines stand a little to the right.
      let lead = text.prefix { $0 == " " }
      let indent = String(repeating: " ", count: min(lead.count + 2, columns / 2))
      let wrapped = WrappedText(
        String(text[lead.endIndex...]), columns: columns - TextWidth.of(indent))
      return wrapped.rows.indices.map { row in
        // A blank at the end of a row is beyond the columns.
        let text = String(wrapped[row].reversed().drop { $0 == " " }.reversed())
        return Screen.Line((row == 0 ? String(lead) : indent) + text, style)
      }
    }
  }
}

extension PlayerDetails {
  /// Adds the number, the moment and the text of a row.
  mutating func add(_ row: TimelineRow, text: String, user: String) {
    self.text = text
    let count = row.first == row.last ? "\(row.first)" : "\(row.first)-\(row.last)"
    guard let record = row.record else {
      lines.append(Screen.Line("record \(count)", .strong))
      return lines.append(Screen.Line(row.problem, .warning))
    }
    let envelope = record.envelope
    lines.append(Screen.Line("record \(count)\(row.local.map { "  \($0)" } ?? "")", .strong))
    lines.append(Screen.Line(text))
    // The name is what a filter takes.
    var remarks = [record.action ?? record.commandName.map { "command \($0)" }].compactMap { $0 }
    remarks.append("session \(envelope.session)")
    if !user.isEmpty { remarks.append("by \(user)") }
    if let clock = record.clock { remarks.append(clock.localText) }
    if let cause = envelope.cause { remarks.append("sent by the effect of \(cause)") }
    if envelope.hasEffect { remarks.append("has an effect") }
    if !envelope.startsBatch { remarks.append("goes on with a batch") }
    lines.append(Screen.Line(remarks.joined(separator: ", "), .faint))
  }

  /// Adds what changed, in words.
  ///
  /// Of an entity that is new or gone, values that say nothing are left out.
  ///
  /// - Parameters:
  ///   - difference: The changes.
  ///   - names: The names of entities.
  mutating func add<State: RecordedState>(
    _ difference: StateDifference, _ names: RecordNames<State>
  ) {
    lines.append(Screen.Line(""))
    headCount = lines.count
    for change in difference.changes {
      if let entity = change.entity {
        let kind = change.kind == .changed ? "" : " \(change.kind.rawValue)"
        let title = "\(RecordWords.words(entity.name)) #\(entity.id)\(kind)"
        let name = names.name(of: entity).map { "  \(SafeText.line($0))" } ?? ""
        lines.append(Screen.Line([Screen.Run(title, .strong), Screen.Run(name, .faint)]))
      }
      for field in change.fields {
        let (before, after) = (field.before, field.after)
        func words(_ value: JSONValue?) -> String? {
          names.named(value, of: field.path, in: change.entity).flatMap(RecordWords.value)
        }
        var text: String?
        switch change.kind {
        case .changed: text = "\(words(before) ?? "nothing") -> \(words(after) ?? "nothing")"
        case .created: text = after == .bool(false) ? nil : words(after)
        case .removed: text = before == .bool(false) ? nil : words(before)
        }
        guard let text else { continue }
        let path = change.entity == nil ? place(ofPath: field.path) : field.path
        let name = path.isEmpty ? "value" : SafeText.line(path, bytesMax: 400)
        lines.append(Screen.Line("\(change.entity == nil ? "" : "  ")\(name): \(text)"))
      }
    }
    if difference.isTruncated {
      lines.append(Screen.Line("and more; raise --limit to see them", .faint))
    }
    if difference.isEmpty { lines.append(Screen.Line("nothing changed", .faint)) }
  }

  /// Returns a path in words: within a screen the screen and the field, such as `entry editor
  /// description text`; else the path, without the scene if there is only one.
  private func place(ofPath path: String) -> String {
    let parts = path.split(separator: ".").map(String.init)
    let route = parts.indices.last { index in
      parts[index] == "route" && index > 0 && parts[index - 1].hasPrefix("entries[")
    }
    if let route, route + 1 < parts.count {
      return parts[(route + 1)...].filter { !$0.hasPrefix("_") }.map(RecordWords.words)
        .joined(separator: " ")
    }
    let isInScene = parts.count > 1 && parts[0].hasPrefix("scenes[") && scenes.count < 2
    return isInScene ? parts[1...].joined(separator: ".") : path
  }
}
