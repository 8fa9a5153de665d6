import Figures
import Foundation

/// Reads what the suites measured and shows it.
///
///     figures-table FILE --machine TEXT [--markdown FILE] [--targets FILE] [--chart FILE]
///                   [--json FILE]
///
/// The table of the rows with targets, and the chart, are written only if every row was measured.
///
/// Exit code 1: a target was missed, a row failed, or there is no row.
@main
enum FiguresTable {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst().makeIterator()
    var input = ""
    var machine = ""
    var markdown: String?
    var targets: String?
    var chart: String?
    var json: String?
    while let argument = arguments.next() {
      switch argument {
      case "--machine": machine = arguments.next() ?? ""
      case "--markdown": markdown = arguments.next()
      case "--targets": targets = arguments.next()
      case "--chart": chart = arguments.next()
      case "--json": json = arguments.next()
      default: input = argument
      }
    }
    let text = (try? String(contentsOfFile: input, encoding: .utf8)) ?? ""
    let records = try text.split(separator: "\n").map {
      try JSONDecoder().decode(Record.self, from: Data($0.utf8))
    }
    let table = FigureRows(machine: machine, records: records)
    print(table.text)
    if let markdown {
      try table.markdown.write(toFile: markdown, atomically: true, encoding: .utf8)
    }
    if let targets, table.isMeasured {
      try table.targets.write(toFile: targets, atomically: true, encoding: .utf8)
    }
    if let chart, table.isMeasured {
      try Chart(records: records, machine: machine).svg.write(
        toFile: chart, atomically: true, encoding: .utf8)
    }
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try encoder.encode(table.document).write(to: URL(fileURLWithPath: json))
    }
    if !table.isMet { exit(1) }
  }
}
