import Figures

/// All rows, as they are shown.
struct FigureRows {
  /// Everything that was measured, for a program.
  struct Document: Codable {
    var machine: String
    var rows: [Record]
  }

  let machine: String
  let records: [Record]
  let lines: [Line]

  init(machine: String, records: [Record]) {
    self.machine = machine
    self.records = records
    lines = records.flatMap { Line.lines(of: $0) }
  }

  var document: Document { Document(machine: machine, rows: records) }

  /// Whether every row has its figures and reached its target.
  var isMet: Bool {
    !lines.isEmpty && lines.allSatisfy { $0.verdict == .met || $0.verdict == .shown }
  }

  /// Whether every row has its figures.
  var isMeasured: Bool { !lines.isEmpty && lines.allSatisfy { $0.verdict != .failed } }

  /// How many targets were met and missed.
  private var summary: String {
    let counts = [Line.Verdict.met, .missed, .failed].map { verdict in
      (verdict.rawValue, lines.count { $0.verdict == verdict })
    }
    let text = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    return lines.isEmpty ? "no row was measured" : text
  }

  private func suites(
    _ isIncluded: (Line) -> Bool = { _ in true }
  ) -> [(name: String, lines: [Line])] {
    var suites: [(name: String, lines: [Line])] = []
    for line in lines where isIncluded(line) {
      if let index = suites.firstIndex(where: { $0.name == line.suite }) {
        suites[index].lines.append(line)
      } else {
        suites.append((line.suite, [line]))
      }
    }
    return suites
  }

  /// The table for a terminal.
  var text: String {
    var widths = Line.titles.map(\.count)
    for line in lines {
      for (column, cell) in line.cells.enumerated() {
        widths[column] = max(widths[column], cell.count)
      }
    }
    func padded(_ cells: [String]) -> String {
      var text = ""
      for (column, cell) in cells.enumerated() {
        text += cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }
    var text = "\(machine)\n"
    for suite in suites() {
      text += "\n\(suite.name)\n" + padded(Line.titles)
      for line in suite.lines { text += padded(line.cells) }
    }
    return text + "\n\(summary)"
  }

  /// The table in Markdown, with the inputs of the rows below it.
  var markdown: String {
    var text = "Medians of interleaved rounds, \(machine): \(summary).\n"
    for suite in suites() {
      text += "\n**\(suite.name)**\n\n" + markdownRow(Line.titles)
      text += markdownRow(Line.titles.map { _ in "---" })
      for line in suite.lines { text += markdownRow(line.cells) }
      for record in records where record.suite == suite.name {
        text += "\(record.row == suite.lines.first?.row ? "\n" : "")- \(record.row): "
        text += "\(record.input)\n"
      }
    }
    return text
  }

  /// The tables of `Benchmarks/README.md`: the rows with targets, in fewer columns.
  var targets: String {
    var text = "The rows that have a target, measured \(machine): \(summary).\n"
    for suite in suites({ !$0.target.isEmpty }) {
      text += "\n**\(suite.name)**\n\n" + markdownRow(Line.targetTitles)
      text += markdownRow(Line.targetTitles.map { _ in "---" })
      for line in suite.lines { text += markdownRow(line.targetCells) }
    }
    return text
  }

  private func markdownRow(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
  }
}
