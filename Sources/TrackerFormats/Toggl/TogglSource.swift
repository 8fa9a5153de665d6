/// A reader of the detailed report of Toggl Track, in its older and its newer form.
struct TogglSource: ProgramSource {
  static let format = ImportFormat(
    name: "toggl", summary: "toggl for the CSV of a detailed report", fileKind: "report of Toggl",
    advice: "Export a detailed report as CSV, or name the columns with --column.",
    system: "toggl", hasColumns: true, bytesMax: nil)
  static let program = CSVProgram.toggl

  var csv: CSVSource
}
