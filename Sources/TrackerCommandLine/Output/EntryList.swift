import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Entries under the days on which they began, in the output of a command.
struct EntryList {
  private let entries: [EntryText]
  private let calendar: ReportCalendar
  private let times: [CivilDate: ElapsedTime]

  /// Creates a list, in order of the starts.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - calendar: The calendar of the days.
  ///   - times: The whole times of days on which other entries may have begun, too.
  init(
    _ entries: [EntryText], in calendar: ReportCalendar, times: [CivilDate: ElapsedTime] = [:]
  ) {
    self.entries = entries.sorted { ($0.entry.start, $0.id) < ($1.entry.start, $1.id) }
    self.calendar = calendar
    self.times = times
  }

  /// Prints the entries, the sum of each day and the total.
  ///
  /// The time in a range follows if it is less than the total.
  func print(_ style: OutputStyle, _ form: ShownTimes, in range: Range<Moment>? = nil) {
    let (table, notes) = table(form, in: range)
    table.print(style)
    style.print(notes: notes)
  }

  /// Returns the entries as a page.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - form: The form of times.
  ///   - range: The range that was asked for; `nil` for the latest entries, which have no chart.
  ///   - moment: The end of running entries.
  func page(
    _ title: String, _ form: ShownTimes, in range: EntryRange?, at moment: Moment
  ) -> OutputPage {
    let (table, notes) = table(form, in: range?.moments)
    let chart = ReportChart(of: range?.dates, in: calendar, daysMax: OutputPage.daysMax)
    let sums = days.map { day in
      (date: day.date, time: day.entries.reduce(ElapsedTime.zero) { $0.adding($1.elapsed) })
    }
    return OutputPage(
      title: title, chartTitle: OutputPage.chartTitle(chart.grouping), bars: chart.bars(of: sums),
      table: table, notes: notes, footer: OutputPage.footer(at: moment, in: calendar))
  }

  /// Returns the table of the entries, and the notes below it.
  private func table(
    _ form: ShownTimes, in range: Range<Moment>?
  ) -> (table: TextTable, notes: [String]) {
    let shown = form.styled(as: calendar.style)
    var table = TextTable([.left, .left, .right, .left, .text, .text, .text, .text])
    let isOfSeveral = Set(entries.map(\.entry.user)).count > 1
    var notes: [String] = []
    var sums: [ElapsedTime] = []
    for (day, entries) in days {
      let sum = entries.reduce(ElapsedTime.zero) { $0.adding($1.elapsed) }
      sums.append(sum)
      notes += shown.notes(on: entries.map(\.elapsed), sum: sum)
      if !entries.allSatisfy({ agrees($0, shown) }) { notes.append(shown.note) }
      table.addHeading(
        shown.text(day), over: 2, then: [shown.text(sum)],
        tail: tail(of: day, entries, sum, shown))
      for text in entries {
        let labels = text.labels
        let project = text.project
        table.add(
          [
            "  #\(text.id.value)", times(text, shown), shown.text(text.elapsed),
            text.entry.isBillable ? "$" : "", text.shownDescription, project ?? "",
            labels.tags.map { "#\($0)" }.joined(separator: " "), isOfSeveral ? labels.user : "",
          ], color: TextTable.CellColor(project == nil ? nil : text.projectColor, at: 5))
        for annotation in text.entry.annotations {
          let lines = annotation.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
          for line in lines { table.addNote(String(line), at: 4) }
        }
      }
    }
    let sum = entries.reduce(ElapsedTime.zero) { $0.adding($1.elapsed) }
    table.addHeading("Total", over: 2, then: [shown.text(sum)])
    let inside = range.map { range in
      entries.reduce(ElapsedTime.zero) { $0.adding($1.elapsed(in: range)) }
    }
    if let inside, inside != sum {
      table.addHeading("In the range", over: 2, then: [shown.text(inside)])
    }
    notes += shown.notes(on: sums, sum: sum)
    return (table, Array(notes.prefix(1)))
  }

  /// Returns the text after the sum of a day: the time of all its entries if only some are listed,
  /// and the part of the sum on the day itself if entries go on after it.
  private func tail(
    of day: CivilDate, _ entries: [EntryText], _ sum: ElapsedTime, _ shown: ShownTimes
  ) -> String {
    let whole = times[day].flatMap { $0 == sum ? nil : " of \(shown.text($0))" } ?? ""
    let range = calendar.range(of: day)
    let inside = entries.reduce(ElapsedTime.zero) { $0.adding($1.elapsed(in: range)) }
    return inside == sum ? whole : "\(whole), \(shown.text(inside)) on this day"
  }

  /// Returns whether the shown start, end and duration of an entry agree.
  private func agrees(_ text: EntryText, _ shown: ShownTimes) -> Bool {
    guard let end = text.entry.end else { return true }
    return shown.agrees(text.elapsed, from: text.entry.start, to: end, in: calendar.rules)
  }

  /// The days with their entries, in order.
  private var days: [(date: CivilDate, entries: [EntryText])] {
    var days: [(date: CivilDate, entries: [EntryText])] = []
    for text in entries {
      let date = calendar.day(at: text.entry.start)
      if days.last?.date == date {
        days[days.count - 1].entries.append(text)
      } else {
        days.append((date, [text]))
      }
    }
    return days
  }

  /// Returns the start and the end of an entry.
  private func times(_ text: EntryText, _ shown: ShownTimes) -> String {
    let entry = text.entry
    guard let end = entry.end else {
      let mark = calendar.rules.offsetMark(at: entry.start)
      let end = text.isPlanned ? text.activity : "now"
      return "\(shown.text(calendar.rules.local(at: entry.start)))\(mark) - \(end)"
    }
    return shown.text(from: entry.start, to: end, in: calendar.rules)
  }
}
