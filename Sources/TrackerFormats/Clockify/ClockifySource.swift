/// A reader of the detailed report of Clockify.
struct ClockifySource: ProgramSource {
  static let format = ImportFormat(
    name: "clockify", summary: "clockify for Clockify's", fileKind: "report of Clockify",
    advice: "Export a detailed report as CSV, or name the columns with --column.",
    system: "clockify", hasColumns: true, bytesMax: nil)
  static let program = CSVProgram.clockify

  var csv: CSVSource
}
