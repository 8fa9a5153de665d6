import RetraceAvro
import RetraceScreen
package import RetraceState

/// What a list of records shows of one: what happened, and a mark.
package struct RecordSummary: Hashable, Sendable {
  package enum Mark: Hashable, Sendable {
    /// The command was refused, or the batch crashed.
    case failed
    case undo
    case redo
    /// The action has an effect.
    case effect
  }

  package var text: String
  package var mark: Mark?

  package init(text: String, mark: Mark?) {
    (self.text, self.mark) = (text, mark)
  }
}

extension DecodedRecord {
  /// Returns what happened in words, with names in place of ids; see ``RecordWords``.
  ///
  /// An action that inserts text is `typed` and the text. The moment of the record itself is left
  /// out.
  ///
  /// - Parameters:
  ///   - name: Returns the name for an id, from the recorded name of its type and its number; `nil`
  ///     leaves the number.
  ///   - time: Returns the text of a moment.
  /// - Complexity: O(size of the payload).
  package func summary(
    naming name: (_ type: String, _ id: Int64) -> String?, at time: (Moment) -> String
  ) -> RecordSummary {
    func logical(_ type: String, _ value: AvroValue) -> JSONValue? {
      guard case .long(let number) = value else { return nil }
      guard type == "timestamp-micros" else {
        return MomentFormat.readable.json(type, value) ?? name(type, number).map { .string($0) }
      }
      // Zero stands for a moment that was not known yet.
      let isKnown = number == envelope.moment.microseconds || number == 0
      return .string(isKnown ? "" : time(Moment(microseconds: number)))
    }
    switch envelope.kind {
    case .action:
      if let typed = value.typedText {
        return RecordSummary(text: "typed \(JSONValue.string(typed).text())", mark: nil)
      }
      let mark = Self.mark(ofRestore: value) ?? (envelope.hasEffect ? .effect : nil)
      return RecordSummary(text: words(logical), mark: mark)
    case .command:
      guard let command = embedded("command") else { break }
      let text = command.words(logical)
      if let refusal = embedded("refusal") {
        return RecordSummary(text: "refused \(text): \(refusal.words(logical))", mark: .failed)
      }
      return RecordSummary(text: text, mark: command.value.flatMap { Self.mark(ofRestore: $0) })
    case .sessionOpened: return RecordSummary(text: openingText, mark: nil)
    case .sessionClosed:
      let reason = content["reason"]?.stringValue ?? ""
      let isUsual = reason.isEmpty || reason == "closed"
      return RecordSummary(text: "session closed" + (isUsual ? "" : ": \(reason)"), mark: nil)
    case .effectFinished, .clockJumped:
      return RecordSummary(
        text: "\(RecordWords.words(envelope.kind.symbol)) \(words(logical))", mark: nil)
    case .crashed: break
    }
    return RecordSummary(
      text: "\(envelope.kind.symbol) \(text(MomentFormat.readable.json))",
      mark: envelope.kind == .crashed ? .failed : nil)
  }

  private var openingText: String {
    let content = content
    var text = "session opened"
    if let login = content["origin"]?["login"]?.stringValue, !login.isEmpty {
      let host = content["origin"]?["host"]?.stringValue ?? ""
      text += " by \(login)" + (host.isEmpty ? "" : "@\(host)")
    }
    return text
  }

  private static func mark(ofRestore value: AvroValue) -> RecordSummary.Mark? {
    value.restoreText.map { $0.hasPrefix("undo") ? .undo : .redo }
  }
}

extension AvroValue {
  /// The text that an action inserts into a line of text; `nil` for any other action.
  fileprivate var typedText: String? {
    switch self {
    case .record(TextReplacement.recordedName, _):
      insertion.flatMap { $0.text.utf8.isEmpty ? nil : $0.text }
    case .record(_, let fields): fields.lazy.compactMap { $0.value.typedText }.first
    case .union(_, let value): value.typedText
    default: nil
    }
  }
}
