import Retrace
import TimeTracking

extension EntryEditorRoute {
  /// Reads the items of the link of a new entry.
  mutating func readItems(_ reader: inout DeepLinkReader) throws(DeepLinkError) {
    description = try Self.line("description", in: &reader) ?? description
    project = try Self.line("project", in: &reader) ?? project
    var names: [String] = []
    for name in reader.items("tag") {
      guard DeepLink.isLine(name), !Name(name).isEmpty else {
        throw .invalidItem("tag", value: name)
      }
      names.append(name)
    }
    tags = TextDraft(TagNames.text(of: names))
    if let start = try Self.line("start", in: &reader) {
      // Whether there is such a time may depend on the zone, but not whether it is a time.
      let context = ReportCalendar(.utc).expressionContext(
        at: Moment(microseconds: 0), after: nil)
      guard (try? TimeExpression(start.text, in: context, takesDigits: true)) != nil else {
        throw .invalidItem("start", value: start.text)
      }
      self.start = start
    }
    isBillable = try reader.item("billable")
  }

  private static func line(
    _ name: String, in reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> TextDraft? {
    guard let text: String = try reader.item(name) else { return nil }
    guard DeepLink.isLine(text) else { throw .invalidItem(name, value: text) }
    return TextDraft(text)
  }
}

extension DeepLink {
  /// Returns whether a text has no control characters, so that it could have been typed.
  static func isLine(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) }
  }
}
