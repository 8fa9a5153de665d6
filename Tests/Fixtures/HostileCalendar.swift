package import RetraceRandom

/// A calendar file (iCalendar, RFC 5545) with hostile texts in its properties: an event for each
/// text of ``HostileText/short``, and one with a long text.
package struct HostileCalendar {
  /// The titles of the events.
  package let titles: [String]
  /// The file, whose texts are escaped and folded, so that each event can be read.
  package let text: String
  /// The file with the texts as they are, so that one with a line end breaks its line.
  package let unescapedText: String

  /// Makes a file with the events of a day, from midnight in UTC on.
  ///
  /// - Parameters:
  ///   - random: The generator.
  ///   - day: The day, such as `20260302`.
  package init(_ random: inout SeededGenerator, on day: String) {
    let titles = HostileText.short + [HostileText.long(&random)]
    self.titles = titles
    let name = HostileText.text(&random)
    let others = titles.map { _ in HostileText.text(&random) }
    func file(_ value: (String) -> String) -> String {
      var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:\(value(name))"]
      lines.append("X-WR-CALNAME:\(value(name))")
      for (number, (title, other)) in zip(titles, others).enumerated() {
        lines += ["BEGIN:VEVENT", "UID:\(value(other))\(number)"]
        lines += Self.times(number, on: day)
        // A quoted parameter has neither quotes nor line ends.
        let language = other.unicodeScalars.filter { $0 != "\"" && $0 != "\n" }
        lines += [
          "SUMMARY;LANGUAGE=\"\(language.map { String($0) }.joined())\":\(value(title))",
          "LOCATION:\(value(other))", "DESCRIPTION:\(value(title))",
          "CATEGORIES:\(value(other))", "ORGANIZER;CN=x:mailto:\(value(other))", "END:VEVENT",
        ]
      }
      return (lines + ["END:VCALENDAR"]).map { Self.folded($0) }.joined()
    }
    text = file(Self.escaped)
    unescapedText = file { $0 }
  }

  /// Returns the lines of the times of an event; each fifth one is of the whole day.
  private static func times(_ number: Int, on day: String) -> [String] {
    if number % 5 == 4 { return ["DTSTART;VALUE=DATE:\(day)"] }
    let minute = number * 40
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return [
      "DTSTART:\(day)T\(padded(minute / 60 % 24))\(padded(minute % 60))00Z", "DURATION:PT45M",
    ]
  }

  /// Escapes a text as section 3.3.11 says.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if ["\\", ";", ","].contains(scalar) { result.append("\\") }
      if scalar == "\n" {
        result += "\\n".unicodeScalars
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Folds a line as section 3.1 says, and ends it.
  private static func folded(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    var bytes = 0
    for scalar in line.unicodeScalars {
      bytes += scalar.utf8.count
      if bytes > 75 {
        result += "\r\n ".unicodeScalars
        bytes = 1 + scalar.utf8.count
      }
      result.append(scalar)
    }
    return String(result + "\r\n".unicodeScalars)
  }
}
