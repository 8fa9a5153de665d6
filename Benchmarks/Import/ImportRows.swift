import CBaseline
import Figures
import Foundation

/// Registers the rows of an import by the installed tool, beside one in C that commits as often.
func registerImportRows() {
  let imports = Imports()
  registerTime(imports)
  row("import, memory", "MiB", .atMost(300)) { Double($0.run.residentBytes) / 1_048_576 }
  row("import, log bytes per imported row", "B", .atMost(75)) {
    Double($0.pages * 4096) / Double($0.rows)
  }

  func row(
    _ name: String, _ unit: String, _ target: Target, _ value: @escaping (Imports.One) -> Double
  ) {
    var round = 0
    figure(
      Row(name, input: TimeLog.input, unit: .counted(unit), target: target, rounds: 3)
    ) {
      defer { round += 1 }
      let one = try imports.one(round)
      return Counted(value(one), operations: one.rows, checksum: one.pages)
    }
  }
}

/// The C side leaves out the steps that `Sources/CBaseline/import.c` lists, and the start of a
/// process.
private func registerTime(_ imports: Imports) {
  var round = 0
  compare(
    Row(
      "import, wall time", input: TimeLog.input, unit: .seconds, target: .atMost(10), rounds: 3,
      isWhole: true),
    ours: {
      defer { round += 1 }
      let one = try imports.one(round)
      return Measured(nanoseconds: one.run.nanoseconds, operations: one.rows, checksum: 0)
    },
    yardsticks: [
      Yardstick("C over LMDB", .timesYardstick(atMost: 10)) {
        let folder = try scratch("import-in-c")
        defer { removeScratch(folder) }
        let table = folder + "/log.csv"
        try TimeLog.write(to: table)
        let result = baseline_import(table, folder)
        guard result.error == 0 else { throw FiguresError("C failed with \(result.error)") }
        return Measured(
          nanoseconds: Int64(result.nanoseconds), operations: result.rows, checksum: 0)
      }
    ])
}

/// Imports of the time log, each into a new store, made when a round asks for them.
final class Imports {
  /// One import.
  struct One {
    var run: ToolRun
    var rows: UInt64
    var pages: UInt64
  }

  private var all: [One] = []

  /// The import of a round.
  func one(_ round: Int) throws -> One {
    while all.count <= round {
      let folder = try scratch("import")
      defer { removeScratch(folder) }
      try all.append(Imports.run(in: folder))
    }
    return all[round]
  }

  /// Imports the time log into `store` of a folder.
  static func run(in folder: String) throws -> One {
    let table = folder + "/log.csv"
    try TimeLog.write(to: table)
    let store = folder + "/store"
    let run = try ToolRun.run(
      ToolRun.tool("track"),
      [
        "import", table, "--store", store, "--format", "csv", "--source", "log",
        "--column", "start=time_log_start_date", "--column", "duration=time_log_delta_minutes",
        "--column", "user=person_key", "--column", "project=project_key",
        "--column", "description=phase_short_name", "--column", "id=time_log_fact_key",
        "--date-format", "M/d/yyyy H:mm", "--duration-unit", "minutes", "--zone", "UTC", "--json",
      ], output: folder + "/import.json")
    guard run.status == 0 else { throw FiguresError("the import ended with \(run.status)") }
    let answer = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: folder + "/import.json")))
    guard let answer = answer as? [String: Any], let rows = answer["created"] as? Int else {
      throw FiguresError("the import does not say how many rows it created")
    }
    return One(run: run, rows: UInt64(rows), pages: try pages(of: store, in: folder))
  }

  /// The pages that the log has in the store's data file.
  private static func pages(of store: String, in folder: String) throws -> UInt64 {
    let file = folder + "/pages"
    let run = try ToolRun.run("/usr/bin/mdb_stat", ["-s", "log", store], output: file)
    guard run.status == 0 else { throw FiguresError("mdb_stat ended with \(run.status)") }
    var pages: UInt64 = 0
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.dropFirst().first == "pages:", let last = words.last else { continue }
      pages += UInt64(last) ?? 0
    }
    return pages
  }
}
