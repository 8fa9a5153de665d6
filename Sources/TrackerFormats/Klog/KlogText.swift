import TimeTracking

/// A summary of klog: its text, and the tags in it.
struct KlogText: Sendable {
  /// The text in one line, without the tags at its beginning and end.
  ///
  /// Tags within the text stay.
  let text: String
  /// The text in one line, with all tags.
  let whole: String
  /// The tags, each once.
  ///
  /// A tag with a value is `name=value`.
  let tags: [Name]

  /// Creates the summary of some lines.
  init(_ lines: [String]) {
    let scalars = Array(lines.joined(separator: "\n").unicodeScalars)
    var found: [(range: Range<Int>, name: Name)] = []
    var index = 0
    while index < scalars.count {
      if let tag = Self.tag(at: index, in: scalars) {
        found.append(tag)
        index = tag.range.upperBound
      } else {
        index += 1
      }
    }
    var tags: [Name] = []
    for tag in found where !tags.contains(tag.name) { tags.append(tag.name) }
    self.tags = tags
    var (rest, inner) = (scalars[...].trimmed, found[...])
    while let last = inner.last, last.range.upperBound == rest.endIndex,
      rest.startIndex == last.range.lowerBound || scalars[last.range.lowerBound - 1].isKlogBlank
    {
      rest = rest[..<max(rest.startIndex, last.range.lowerBound)].trimmed
      inner.removeLast()
    }
    while let first = inner.first, first.range.lowerBound == rest.startIndex,
      first.range.upperBound < scalars.count, scalars[first.range.upperBound].isKlogBlank
    {
      rest = rest[first.range.upperBound...].trimmed
      inner.removeFirst()
    }
    func line(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
      String(String.UnicodeScalarView(scalars.map { $0 == "\n" ? " " : $0 }))
    }
    text = line(rest)
    whole = line(scalars[...].trimmed)
  }

  /// Returns the tag at a position, if any.
  private static func tag(
    at start: Int, in scalars: [Unicode.Scalar]
  ) -> (range: Range<Int>, name: Name)? {
    func end(of start: Int) -> Int {
      scalars[start...].firstIndex { !$0.isKlogName } ?? scalars.count
    }
    guard scalars[start] == "#" else { return nil }
    let nameEnd = end(of: start + 1)
    guard nameEnd > start + 1 else { return nil }
    func text(_ range: Range<Int>) -> String {
      String(String.UnicodeScalarView(scalars[range]))
    }
    let name = text(start + 1..<nameEnd)
    guard nameEnd < scalars.count, scalars[nameEnd] == "=" else {
      return (start..<nameEnd, Name(name))
    }
    let valueStart = nameEnd + 1
    var (value, tagEnd) = (valueStart..<end(of: valueStart), end(of: valueStart))
    if valueStart < scalars.count, ["\"", "'"].contains(scalars[valueStart]),
      let close = scalars[(valueStart + 1)...].firstIndex(where: {
        $0 == scalars[valueStart] || $0 == "\n"
      }), scalars[close] != "\n"
    {
      (value, tagEnd) = (valueStart + 1..<close, close + 1)
    }
    return (start..<tagEnd, Name(value.isEmpty ? name : "\(name)=\(text(value))"))
  }
}

extension Unicode.Scalar {
  /// Whether it is a blank in klog, or a line end within a summary.
  var isKlogBlank: Bool {
    self == "\t" || self == "\n" || properties.generalCategory == .spaceSeparator
  }

  /// Whether it can be part of the name of a tag.
  fileprivate var isKlogName: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: ("0"..."9").contains(self) || self == "_" || self == "-"
    }
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// The scalars without the blanks at the beginning and the end.
  fileprivate var trimmed: Self {
    guard let last = lastIndex(where: { !$0.isKlogBlank }) else { return self[endIndex...] }
    return self[...last].drop(while: \.isKlogBlank)
  }
}

/// Returns a text without the spaces and tabs around it.
func trimmed(_ text: Substring) -> String {
  let bytes = text.utf8
  guard let first = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
  guard let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
  return String(Substring(bytes[first...last]))
}
