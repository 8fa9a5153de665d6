import CivilTime
import RetraceState
import Testing
import TimeTracking
import TrackerFormats

/// Files of klog as rows, with the examples of its specification and of its parser's tests.
@Suite struct KlogFileTests {
  private static let berlin = ZoneRules(posixRule: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc

  private static func read(_ text: String, zone: ZoneRules = .utc) -> ReadRows {
    var rows = ReadRows()
    #expect(throws: Never.self) {
      let type = try #require(ImportSources.named("klog"))
      var source = type.init(ImportOptions(user: Name("Ann"), zone: zone))
      try source.read(Array(text.utf8), into: &rows)
      try source.finish(into: &rows)
    }
    return rows
  }

  private static func rows(_ text: String, zone: ZoneRules = .utc) -> [ImportedRow] {
    read(text, zone: zone).rows.map(\.row)
  }

  /// Returns the rejections as `line: reason: value`.
  private static func rejections(_ text: String, zone: ZoneRules = .utc) -> [String] {
    read(text, zone: zone).rejections.map { "\($0.line): \($0.reason): \($0.value)" }
  }

  /// Returns the times of rows such as `24 08:30-17:00`.
  private static func times(_ rows: [ImportedRow], zone: ZoneRules = .utc) -> [String] {
    rows.map { row in
      let (start, end) = (zone.local(at: row.start), zone.local(at: row.end))
      return "\(start.date.day) \(start.clock)-\(end.date == start.date ? "" : "\(end.date.day) ")"
        + end.clock
    }
  }

  @Test(
    arguments: [
      ("8:00 - 9:00", "24 08:00-09:00"), ("11:00am - 1:00pm", "24 11:00-13:00"),
      ("12:00am-12:30pm", "24 00:00-12:30"), ("<23:40 - 3:12", "23 23:40-24 03:12"),
      ("0:30> - 4:00>", "25 00:30-04:00"), ("22:00 - 1:00>", "24 22:00-25 01:00"),
      ("22:00 - 24:00", "24 22:00-25 00:00"), ("<24:00 - 1:00", "24 00:00-01:00"),
      ("<11:00pm   -   1:00", "23 23:00-24 01:00"), ("8:00 - 8:00", "24 08:00-08:00"),
      ("2h30m", "24 00:00-02:30"), ("+4h12m", "24 00:00-04:12"), ("5m", "24 00:00-00:05"),
      ("119m", "24 00:00-01:59"), ("50h", "24 00:00-26 02:00"), ("0m", "24 00:00-00:00"),
    ])
  func `ranges and durations are read`(entry: String, times: String) {
    for indentation in ["  ", "   ", "    ", "\t"] {
      let rows = Self.rows("2018-03-24\n\(indentation)\(entry) text\n")
      #expect(Self.times(rows) == [times] && rows.map(\.description) == ["text"])
    }
  }

  @Test func `a complete record is read, in any line ends`() {
    let text = """
      \u{FEFF}
      1970/08/29 (8h15m!)
      Record summary with
      multiple lines of text
          1h
          1h1m Duration with summary
          1h2m Duration with
              multiline summary
          8:00-9:30
          9:00-10:31 Range with summary
          10:00-11:32 Range with multiple
              lines of
                summary text
          11:00-?
              Open range
       \t
      1970-08-30
      """
    let list = Self.read(text)
    let rows = Self.rows(text)
    #expect(Self.rows(text.replacing("\n", with: "\r\n")) == rows)
    #expect(list.running == ["1970-08-29T11:00 ann"] && list.rows.count == 6)
    let summary = "Record summary with multiple lines of text"
    #expect(
      rows.map(\.description) == [
        summary, "Duration with summary", "Duration with multiline summary", summary,
        "Range with summary", "Range with multiple lines of summary text",
      ])
    // Durations begin where the last range ends.
    #expect(
      Self.times(rows) == [
        "29 11:32-12:32", "29 12:32-13:33", "29 13:33-14:35", "29 08:00-09:30", "29 09:00-10:31",
        "29 10:00-11:32",
      ])
    let note = "A duration without times in klog."
    #expect(
      rows.map(\.annotations)
        == [[note], [summary, note], [summary, note], [], [summary], [summary]])
    #expect(rows.map(\.id).first == "1970-08-29 duration ann")
    #expect(Set(rows.map(\.id)).count == 6)
  }

  @Test(
    arguments: [
      ("Long day at #school", "Long day at", ["school"]),
      ("#gym #24hours", "", ["gym", "24hours"]),
      ("#home_office, then #読む out", "#home_office, then #読む out", ["home_office", "読む"]),
      (
        "Office day (#coding, #Meetings)", "Office day (#coding, #Meetings)",
        ["coding", "meetings"]
      ),
      ("x #ticket=891 #ticket=", "x", ["ticket=891", "ticket"]),
      ("#project=\"22/48.3\" y #call='Liz Jones'", "y", ["project=22/48.3", "call=Liz Jones"]),
      ("y #call=\"Liz Jones", "y #call=\"Liz Jones", ["call"]), ("a # b", "a # b", []),
    ])
  func `tags of a summary are tags`(summary: String, text: String, tags: [String]) throws {
    let row = try #require(Self.rows("2018-03-24\n  1:00 - 2:00 \(summary)\n").first)
    #expect(row.description == text && row.tags == tags.map { Name($0) })
    let shared = try #require(Self.rows("2018-03-24\n\(summary)\n  1:00 - 2:00 #a\n").first)
    #expect(shared.description == text && shared.tags == (["a"] + tags).map { Name($0) })
  }

  @Test func `a line that is not an entry is rejected with its number`() {
    let text = """
      2018-03-24
      First day at my new job
          30m
          -2000h Lunch break
          25:00 - 26:00
          13:00am - 14:00
          24:00> - 24:00>
          17:00 - 9:00
            x
         y
      z
          1h60m
          1000h
          8:00 - 8:30> ?
          8:00

      2018-02-30
          1h

      2018-03-25 today
          1h

       2018-03-26
      a,b,c
      """
    let noEntry = "neither a range such as 8:00 - 9:00 nor a duration such as 1h30m"
    let noDate = "no date such as 2018-03-24 or 2018-03-24 (8h!), so its record is left out"
    #expect(
      Self.rejections(text) == [
        "4: the entries of its record are shorter than this duration below zero: "
          + "-2000h Lunch break",
        "5: no such day or time: 25:00 - 26:00", "6: no such day or time: 13:00am - 14:00",
        "7: no such day or time: 24:00> - 24:00>", "8: the duration is negative: 17:00 - 9:00",
        "9: not indented as the entries of its record: x",
        "10: not indented as the entries of its record: y",
        "11: not indented as the entries of its record: z", "12: \(noEntry): 1h60m",
        "13: the duration is longer than 999:00:00: 1000h", "15: \(noEntry): 8:00",
        "17: no such day or time: 2018-02-30", "20: \(noDate): 2018-03-25 today",
        "23: \(noDate): 2018-03-26",
      ])
  }

  @Test func `durations below zero are taken off the nearest longer entry, first of those before`()
    throws
  {
    let text = """
      2018-03-24
        8:00 - 12:00
        30m
        -45m Lunch #break
        -15m
        9h

      2018-03-25
        -1h
        13:00 - 14:00
        14:00 - 16:30 b
        17:00 - ?
      """
    let rows = Self.rows(text)
    #expect(
      Self.times(rows) == [
        "24 08:00-11:15", "24 11:15-11:30", "24 11:30-20:30", "25 13:00-14:00", "25 14:00-15:30",
      ])
    #expect(rows[0].annotations == ["Taken off the end in klog: -45m Lunch #break"])
    #expect(rows[1].annotations.last == "Taken off the end in klog: -15m")
    #expect(rows[3].annotations.isEmpty && Self.rejections(text).isEmpty)
    #expect(rows.map(\.id) == Self.rows(text.replacing("-45m", with: "-44m")).map(\.id))
    let only = "2018-03-24\n  -1h a\n  1h b\n  -30m c\n"
    #expect(Self.times(Self.rows(only)) == ["24 00:00-00:00"])
    #expect(Self.rejections(only).map { $0.prefix(2) } == ["4:"])
    let several = Self.rows("2018-03-24\n  8:00 - 12:00\n  13:00 - 17:00\n  -5h off\n")
    #expect(Self.times(several) == ["24 08:00-11:00", "24 13:00-13:00"])
    #expect(several.allSatisfy { $0.annotations == ["Taken off the end in klog: -5h off"] })
  }

  @Test func `a date after entries begins a record without a blank line before it`() {
    let text = "2018-03-24\n  9:00 - 10:00 a\n2018-03-25\n#b\n  9:00 - 11:00\n  -30m\n"
    #expect(Self.times(Self.rows(text)) == ["24 09:00-10:00", "25 09:00-10:30"])
    #expect(Self.rejections(text).isEmpty)
  }

  @Test func `durations of a day that is too short for them begin at midnight`() {
    let text = "2018-03-24\n  20:00 - 22:00\n  1h\n  30m\n\n2018-03-24\n  31m\n"
    #expect(
      Self.times(Self.rows(text)) == [
        "24 20:00-22:00", "24 00:00-01:00", "24 01:00-01:30", "24 01:30-02:01",
      ])
    // The first gap between ranges, including the ranges of the day before.
    let night = "2018-03-23\n  23:00 - 1:00>\n\n2018-03-24\n  1:00 - 6:00\n  20:00 - 23:30\n  1h\n"
    #expect(Self.times(Self.rows(night)).last == "24 06:00-07:00")
    // A range of the next record that begins on this day.
    let next = Self.rows("2018-03-24\n  8:00 - 9:00\n  1h\n\n2018-03-25\n  <23:00 - 1:00\n")
    #expect(Self.times(next)[1] == "24 09:00-10:00")
    let fitting = text.replacing("31m", with: "30m")
    #expect(Self.times(Self.rows(fitting)).last == "24 23:30-25 00:00")
  }

  @Test func `times that clocks skip are rejected, and those shown twice are counted`() throws {
    let skipped = "2018-03-25\n  2:30 - 4:00\n  1:30 - 3:30\n"
    #expect(Self.rejections(skipped, zone: Self.berlin).count == 1)
    #expect(
      Self.rows(skipped, zone: Self.berlin).map { $0.end.elapsed(since: $0.start).seconds } == [
        3_600
      ])
    let repeated = "2018-10-28\n  2:30 - 2:45\n"
    let row = try #require(Self.read(repeated, zone: Self.berlin).rows.first)
    #expect(row.repeated.earlier == 2 && row.repeated.later == 0)
  }
}
