import CivilTime
import RetraceState
import Testing
import TimeTracking
import TrackerFormats

@Suite
struct TimewarriorReportTests {
  /// 2026-03-02 09:00 UTC.
  static let base = Moment(microseconds: 1_772_442_000_000_000)

  static func at(_ seconds: Double) -> Moment {
    base.adding(ElapsedTime(microseconds: Int64(seconds * 1_000_000)))
  }

  static func text(_ report: TimewarriorReport, _ intervals: [TimewarriorInterval]) -> String {
    String(decoding: report.text(intervals), as: UTF8.self)
  }

  /// The lines after the settings.
  static func body(_ report: TimewarriorReport, _ intervals: [TimewarriorInterval]) -> String {
    let text = text(report, intervals)
    return text.firstRange(of: "\n\n").map { String(text[$0.upperBound...]) } ?? ""
  }

  @Test
  func `The settings come first, then the intervals`() {
    var settings = TimewarriorConfiguration()
    settings["a"] = "1"
    settings["Z"] = "2"
    settings["ü"] = "3"
    let report = TimewarriorReport(settings, from: Self.base, tags: ["b-c", "x\"y", "a b", "b-c"])
    let interval = TimewarriorInterval(
      id: 5, start: Self.at(1.9), end: nil, tags: ["x\"y", "a b", "b-c"], annotation: "a/b")
    let text = Self.text(report, [interval])
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.prefix(2) == ["Z: 2", "a: 1"])
    #expect(lines.contains("temp.report.start: 20260302T090000Z"))
    #expect(lines.contains("temp.report.end: "))
    #expect(lines.contains(#"temp.report.tags: a b,"b-c","x\"y""#))
    #expect(lines.contains("temp.version: 1.4.3"))
    #expect(
      lines.suffix(6) == [
        "ü: 3", "", "[",
        #"{"id":5,"start":"20260302T090001Z","tags":["a b","b-c","x\"y"],"annotation":"a\/b"}"#,
        "]", "",
      ])
    #expect(Self.body(report, []) == "[\n]\n")
  }

  @Test
  func `Intervals of the range and of all tags are written`() {
    func found(
      _ start: Double?, _ end: Double?, _ from: Double, _ to: Double?, tags: [String] = []
    ) -> Bool {
      let report = TimewarriorReport(
        TimewarriorConfiguration(), from: start.map(Self.at), to: end.map(Self.at), tags: tags)
      return report.contains(
        TimewarriorInterval(
          id: 1, start: Self.at(from), end: to.map(Self.at), tags: ["a", "b"]))
    }
    #expect(found(nil, nil, 0, 10))
    #expect(found(5, 10, 0, 6) && found(5, 10, 9, 20) && found(5, 10, 6, 7) && found(5, 10, 0, 20))
    #expect(!found(5, 10, 0, 5) && !found(5, 10, 10, 20))
    #expect(found(5, nil, 100, 200) && !found(5, nil, 0, 5))
    #expect(found(5, 10, 0, nil) && !found(5, 10, 10, nil))
    // An interval without a duration is in the range that begins with it.
    #expect(found(5, 10, 5, 5) && !found(5, 10, 10, 10) && found(5, 10, 7, 7))
    #expect(found(5, 5, 5, 9) && found(5, 5, 0, 9) && !found(5, 5, 6, 9))
    // Fractions of seconds are dropped before they are compared.
    #expect(!found(5, 10, 0, 5.9) && found(5, 10, 9.9, 20) && found(5.9, 10, 5.1, 5.2))
    #expect(found(nil, nil, 0, 1, tags: ["b", "a"]) && !found(nil, nil, 0, 1, tags: ["a", "A"]))
  }

  @Test
  func `Every text is valid JSON, escaped as timewarrior does`() {
    let interval = TimewarriorInterval(
      id: -1, start: Self.base, end: Self.base, tags: ["\\", "é", "e\u{301}", "é"],
      annotation: "\u{8}\t\n\u{c}\r\u{1}\u{1f}\u{7f}\"/日")
    let report = TimewarriorReport(TimewarriorConfiguration())
    #expect(
      Self.body(report, [interval]) == """
        [
        {"id":-1,"start":"20260302T090000Z","end":"20260302T090000Z",\
        "tags":["\\\\","e\u{301}","é"],\
        "annotation":"\\b\\t\\n\\f\\r\\u0001\\u001f\u{7f}\\"\\/日"}
        ]

        """)
  }

  @Test
  func `A file that imports itself ends`() {
    var settings = TimewarriorConfiguration()
    var count = 0
    settings.read("a = 1\nimport /a/b/c/d\nb = 2") { path in
      count += 1
      return path == "/a/b/c/d" ? "c\(count) = x\nimport /a/b/c/d" : nil
    }
    #expect(count == 9)
    #expect(settings["c9"] == "x" && settings["c10"] == nil)
    #expect(settings["a"] == "1" && settings["b"] == "2")
    // A later setting replaces an earlier one and a default.
    settings.read("a = 3\nverbose = off\n") { _ in nil }
    #expect(settings["a"] == "3" && settings["verbose"] == "off")
  }
}
