import Figures
import Foundation
import RetraceScreen
import TerminalUI

private let size = Screen.Size(columns: 200, rows: 60)
private let rows = 100_000
private let frames = 100

/// Registers a row of painting a table anew after it scrolled by a page, beside Textual.
///
/// Both compose all cells and make the bytes for a terminal. Textual takes its process, its widgets
/// and its event loop along, as an app on it does; ours is the widget and the renderer.
func registerTableRow() {
  let cells = tableCells()
  compare(
    Row(
      "repaint of a scrolled table, 200x60, 100,000 rows",
      input: "5 columns, from the change to the bytes", unit: .microseconds, rounds: 3),
    ours: { ours(cells) },
    yardsticks: [
      Yardstick("Textual 8.2", .fasterThanYardstick(atLeast: 20)) { try inTextual(cells) }
    ])
}

/// The cells of 1,000 rows; row `i` of the table has those of row `i % 1,000`.
private func tableCells() -> [[String]] {
  let subjects = [
    "Write the report", "Review the draft of the migration guide", "Gespräch über Größen",
    "会議の準備をする", "Fix a crash when the log is full", "Call with the bank",
  ]
  return (0..<1_000).map { index in
    [
      "\(10 + index % 14):\(10 + index % 50)", "\(index % 9):\(10 + index % 50)",
      "\(subjects[index % subjects.count]) \(index)", "Project \(index % 37)",
      String(repeating: "#tag\(index % 7) ", count: index % 5),
    ]
  }
}

private func ours(_ cells: [[String]]) -> Measured {
  var renderer = AnsiRenderer(palette: TerminalPalette(.direct, on: .dark), extensions: [])
  let columns = [
    TableColumn("Start", ColumnRule(width: 5, priority: 2)),
    TableColumn("Time", ColumnRule(width: 6, priority: 3), aligned: .right),
    TableColumn("Description", ColumnRule(width: 60, cutTo: 10, priority: 1, grows: true)),
    TableColumn("Project", ColumnRule(width: 20, cutTo: 6, priority: 1)),
    TableColumn("Tags", ColumnRule(width: 30, cutTo: 6, priority: 0)),
  ]
  var state = ListState()
  return timed(by: .thread) {
    for frame in 1...frames {
      // Each frame shows other rows.
      let row = Int64(55 * (frame + 1) % rows)
      state = ListState(selected: row, offset: row)
      var canvas = Canvas(size)
      let table = Table(columns: columns, count: rows, state: state) { row, column, _ in
        Screen.Run(cells[row % cells.count][column])
      }
      table.draw(in: canvas.bounds, on: &canvas)
      _ = renderer.draw(Screen(canvas), size: size)
    }
    return (UInt64(frames), UInt64(state.selected))
  }
}

private func inTextual(_ cells: [[String]]) throws -> Measured {
  let folder = try scratch("textual")
  defer { removeScratch(folder) }
  let (input, output) = (folder + "/texts", folder + "/output")
  try cells.map { $0.joined(separator: "\t") }.joined(separator: "\n")
    .write(toFile: input, atomically: false, encoding: .utf8)
  let top = FileManager.default.currentDirectoryPath
  let command = """
    exec "\(top)/.build/textual/bin/python" "\(top)/Benchmarks/Screens/textual_table.py" \
    \(rows) \(frames) <"\(input)"
    """
  let run = try ToolRun.run("/bin/sh", ["-c", command], output: output)
  let printed = try String(contentsOfFile: output, encoding: .utf8)
  let numbers = printed.split(separator: "\n").last?.split(separator: " ") ?? []
  guard run.status == 0, numbers.count == 3, let shown = UInt64(numbers[0]),
    let last = UInt64(numbers[1]), let milliseconds = Double(numbers[2])
  else { throw FiguresError("Textual ended with \(run.status) and printed: \(printed)") }
  return Measured(
    nanoseconds: Int64(milliseconds * 1e6), operations: shown, checksum: last)
}
