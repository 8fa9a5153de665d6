import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// A page for a browser: a chart, a table and notes, which can be printed.
///
/// All text comes from the data of the user, so it is escaped. The page has no script, and its
/// policy forbids every request.
struct OutputPage {
  static let formatOption = CommandOption(
    "format", value: "format", choices: ["text", "csv", "html"],
    "The form of the output: text, csv as --csv prints, or html, a page with a chart, which a "
      + "browser shows and prints without a connection. The default is text.")

  var title: String
  /// The name of what the bars show; without bars there is no chart.
  var chartTitle: String
  var bars: [BarChart.Bar]
  var table: TextTable
  var notes: [String]
  /// The line at the end, such as when running entries were counted.
  var footer: String

  /// Returns whether the output is a page and whether it is CSV, as with the option of it.
  static func form(_ arguments: CommandArguments, csv: CommandOption) -> (
    isPage: Bool, isCSV: Bool
  ) {
    let format = arguments[formatOption]
    return (format == "html", arguments.has(csv) || format == "csv")
  }

  /// Checks that the options give the output one form.
  ///
  /// - Throws: The failure for two forms at once.
  static func requireOneForm(
    _ arguments: CommandArguments, csv: CommandOption, isJSON: Bool
  ) throws(ToolFailure) {
    let (isPage, isCSV) = form(arguments, csv: csv)
    guard [isCSV, isJSON, isPage].count(where: { $0 }) < 2,
      arguments[formatOption] != "text" || !(isCSV || isJSON)
    else {
      throw .usage(
        "The output has one form.", advice: "Give one of --csv, --json and --format.")
    }
  }

  /// Prints the page.
  func print(_ output: Output) {
    output.startBuffering()
    for line in lines { output.printRaw(line) }
  }

  /// The lines of the page.
  ///
  /// - Complexity: O(cells + bars).
  private var lines: [String] {
    let policy =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    var lines = [
      "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">",
      "<meta name=\"viewport\" content=\"width=device-width\">",
      "<title>\(Self.text(title))</title>", "<style>\(Self.style)</style>", "</head>", "<body>",
      "<h1>\(Self.text(title))</h1>",
    ]
    if !bars.isEmpty { lines += chart }
    lines += table.html
    lines += notes.map { "<p>\(Self.text($0))</p>" }
    return lines + ["<footer>\(Self.text(footer))</footer>", "</body>", "</html>"]
  }

  /// The most days that have a bar each.
  static var daysMax: Int { 31 }

  /// Returns the name of a chart of days, weeks or months.
  static func chartTitle(_ grouping: ReportGrouping) -> String {
    switch grouping {
    case .week: "Time of each week"
    case .month: "Time of each month"
    default: "Time of each day"
    }
  }

  /// Returns the line at the end of a page: when running entries were counted.
  static func footer(at moment: Moment, in calendar: ReportCalendar) -> String {
    let local = calendar.rules.local(at: moment)
    let day = calendar.style.withWeekday(local.date)
    return "Running entries count until \(day) \(calendar.style.clock(local))."
  }

  // MARK: The chart

  /// The height of the longest bar, and the widths of the chart, of which bars have four fifths.
  private static var height: Int { 120 }
  private static var width: Int { 720 }

  private var chart: [String] {
    let step = max(1, Self.width / bars.count)
    // Labels and texts are about six units a character, and must not meet.
    let longest = bars.map { max($0.label.count, $0.text.count) }.max() ?? 1
    let each = (longest * 7 + step - 1) / step
    let (bottom, most) = (16 + Self.height, max(1, bars.map { $0.value }.max() ?? 1))
    var lines = [
      "<figure>", "<figcaption>\(Self.text(chartTitle))</figcaption>",
      "<svg viewBox=\"0 0 \(step * bars.count) \(bottom + 18)\" role=\"img\""
        + " aria-label=\"\(Self.text(chartTitle))\">",
    ]
    for (index, bar) in bars.enumerated() {
      let share = Double(max(0, bar.value)) / Double(most)
      let length = share > 0 ? max(1, Int((share * Double(Self.height)).rounded())) : 0
      let (left, middle) = (index * step + step / 10, index * step + step / 2)
      lines.append("<g><title>\(Self.text("\(bar.label): \(bar.text)"))</title>")
      lines.append(
        "<rect x=\"\(left)\" y=\"\(bottom - length)\" width=\"\(max(1, step * 4 / 5))\""
          + " height=\"\(length)\"/>")
      if index % each == 0 {
        lines.append("<text x=\"\(middle)\" y=\"\(bottom + 14)\">\(Self.text(bar.label))</text>")
        if length > 0 {
          lines.append(
            "<text x=\"\(middle)\" y=\"\(bottom - length - 4)\">\(Self.text(bar.text))</text>")
        }
      }
      lines.append("</g>")
    }
    lines.append("<line x1=\"0\" x2=\"\(step * bars.count)\" y1=\"\(bottom)\" y2=\"\(bottom)\"/>")
    return lines + ["</svg>", "</figure>"]
  }

  /// Returns a text that is only text in HTML, without control characters.
  fileprivate static func text(_ text: String) -> String {
    Markup.escaped(SafeText.line(text, bytesMax: .max))
  }

  private static var style: String {
    """
    :root{color-scheme:light dark;--line:#8886;--bar:#2a7ab8}\
    body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
    h1{font-size:1.3rem;font-weight:600}\
    table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}\
    td,th{padding:.2rem .6rem;text-align:left;white-space:pre-wrap;vertical-align:top;\
    font-weight:inherit}\
    tr{border-top:1px solid var(--line)}.strong{font-weight:600}.right{text-align:right}\
    .wide td{border:0;padding-left:2rem}\
    figure{margin:1rem 0}figcaption{font-weight:600}svg{max-width:100%}\
    svg text{font-size:11px;text-anchor:middle;fill:currentColor}\
    svg rect{fill:var(--bar)}svg line{stroke:var(--line)}\
    .bar{width:10rem;height:.7rem}.mark{width:.7rem;height:.7rem;margin-right:.4rem}\
    footer{margin-top:2rem;opacity:.7}\
    @media print{body{margin:0;max-width:none}tr{break-inside:avoid}}
    """
  }
}

extension TextTable {
  /// The rows as a table of HTML, in lines.
  ///
  /// - Complexity: O(cells).
  fileprivate var html: [String] {
    let shown = columns.indices.filter { !isEmpty($0) }
    return ["<table>"] + rows.map { html(of: $0, shown) } + ["</table>"]
  }

  private func html(of row: Row, _ shown: [Int]) -> String {
    func cell(_ text: String, _ column: Int, mark: String = "") -> String {
      let alignment = columns[column].isRight ? " class=\"right\"" : ""
      return "<td\(alignment)>\(mark)\(OutputPage.text(text))</td>"
    }
    switch row {
    case .note(let text, _):
      return
        "<tr class=\"wide\"><td colspan=\"\(shown.count + 1)\">\(OutputPage.text(text))</td></tr>"
    case .heading(let text, let count, let cells, let tail):
      let over = max(1, shown.count(where: { $0 < count }))
      let rest = shown.filter { $0 >= count }.map { column in
        column - count < cells.count ? cell(cells[column - count], column) : "<td></td>"
      }
      let end = tail.isEmpty ? "" : "<td>\(OutputPage.text(tail))</td>"
      return "<tr class=\"strong\"><th colspan=\"\(over)\">\(OutputPage.text(text))</th>"
        + rest.joined() + end + "</tr>"
    case .cells(let cells, let share, let isBold, let color):
      let fill = color.map { " fill=\"\(Markup.color(RGB($0.color)))\"" } ?? ""
      let texts = shown.map { column -> String in
        guard column < cells.count else { return "<td></td>" }
        let isMarked = color?.column == column && !cells[column].isEmpty
        let mark =
          "<svg class=\"mark\" viewBox=\"0 0 10 10\">"
          + "<circle cx=\"5\" cy=\"5\" r=\"5\"\(fill)/></svg>"
        return cell(cells[column], column, mark: isMarked ? mark : "")
      }
      let bar = share.map { share in
        let length = Int((min(1, max(0, share)) * 100).rounded(.up))
        return "<td><svg class=\"bar\" viewBox=\"0 0 100 7\" preserveAspectRatio=\"none\">"
          + "<rect width=\"\(length)\" height=\"7\"\(fill)/></svg></td>"
      }
      return "<tr\(isBold ? " class=\"strong\"" : "")>" + texts.joined() + (bar ?? "") + "</tr>"
    }
  }
}
