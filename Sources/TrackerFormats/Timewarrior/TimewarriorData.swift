import RetraceState

/// A reader of timewarrior's data files, which have a line for each interval:
/// `inc START - END # tag "tag with blanks" # "annotation"`.
enum TimewarriorData {
  /// Returns whether a file begins as a data file does.
  static func isData(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = bytes.drop { " \t\r\n".utf8.contains($0) }
    return text.starts(with: "inc ".utf8) || text.starts(with: "inc\n".utf8)
  }

  /// Returns the intervals of the lines, and rejects other lines.
  ///
  /// - Complexity: O(bytes).
  static func intervals(
    in bytes: [UInt8], rejecting rows: inout ReadRows
  ) -> [TimewarriorRow] {
    var intervals: [TimewarriorRow] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      let text = String(decoding: line, as: UTF8.self)
      if let interval = interval(of: text, line: index + 1) {
        // A line of `inc` alone is an interval without times.
        if !interval.start.isEmpty { intervals.append(interval) }
      } else {
        rows.rejections.append(
          RowRejection(
            line: index + 1, column: nil, value: String(text.prefix(200)), reason: .notInterval))
      }
    }
    return intervals
  }

  /// Returns the interval of a line; `nil` for another line.
  private static func interval(of line: String, line number: Int) -> TimewarriorRow? {
    guard var words = words(of: line)?[...], words.popFirst()?.text == "inc" else { return nil }
    var interval = TimewarriorRow(line: number, start: "", end: nil)
    if let first = words.first, first.text != "#" {
      interval.start = first.text
      words.removeFirst()
      if words.first?.text == "-" {
        words.removeFirst()
        guard let end = words.popFirst() else { return nil }
        interval.end = end.text
      }
    }
    guard words.isEmpty || words.popFirst()?.text == "#" else { return nil }
    // A quoted tag "#" is taken for the beginning of the annotation, too.
    while let word = words.popFirst(), word.text != "#" { interval.tags += parts(of: word) }
    interval.annotation = words.flatMap { parts(of: $0) }.joined(separator: " ")
    interval.tags = Set(interval.tags).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return interval
  }

  /// Returns the words that timewarrior reads in a word: without quotes, `7-zip` is 7 and -zip, and
  /// `1.5/x` is 1.5 and /x.
  private static func parts(of word: (text: String, isQuoted: Bool)) -> [String] {
    var rest = word.text.utf8[...]
    func skip(_ letters: String) -> Bool {
      guard let letter = rest.first, letters.utf8.contains(letter) else { return false }
      rest.removeFirst()
      return true
    }
    func skipDigits() -> Bool {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest[digits.endIndex...]
      return !digits.isEmpty
    }
    guard !word.isQuoted, skipDigits() else { return [word.text] }
    if skip(".") { _ = skipDigits() }
    if skip("eE") {
      _ = skip("+-")
      guard skipDigits() else { return [word.text] }
    }
    guard let sign = rest.first, "+-/=*()%!<>~^".utf8.contains(sign) else { return [word.text] }
    return [String(word.text[..<rest.startIndex]), String(Substring(rest))]
  }

  /// Returns the words of a line; `nil` if a quote is not closed.
  private static func words(of line: String) -> [(text: String, isQuoted: Bool)]? {
    var words: [(text: String, isQuoted: Bool)] = []
    var rest = Array(line.unicodeScalars)[...]
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    while true {
      rest = rest.drop(while: isBlank)
      guard let first = rest.first else { return words }
      guard first == "\"" else {
        let word = rest.prefix { !isBlank($0) }
        words.append((text(of: word), false))
        rest = rest.dropFirst(word.count)
        continue
      }
      var (word, isClosed): ([Unicode.Scalar], Bool) = ([], false)
      rest.removeFirst()
      while let next = rest.popFirst() {
        if next == "\"" {
          isClosed = true
          break
        }
        word.append(next == "\\" ? escaped(&rest) : next)
      }
      guard isClosed else { return nil }
      words.append((text(of: word[...]), true))
    }
  }

  /// Returns the character after a backslash, and removes it.
  private static func escaped(_ rest: inout ArraySlice<Unicode.Scalar>) -> Unicode.Scalar {
    guard let letter = rest.popFirst() else { return "\\" }
    switch letter {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "u":
      let digits = String(String.UnicodeScalarView(rest.prefix(4)))
      guard digits.utf8.count == 4, let value = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(value)
      else { return letter }
      rest = rest.dropFirst(4)
      return scalar
    default: return letter
    }
  }

  private static func text(of scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}

extension RowRejection.Reason {
  /// The line is not an interval of timewarrior.
  static var notInterval: Self {
    .other("no interval such as inc 20260302T080000Z - 20260302T090000Z # tag")
  }
}
