import RetraceAvro
import RetraceCommandLine
import RetraceToolSupport

/// How texts are written into comma-separated values.
struct CSVTexts {
  /// The option of verbs that print comma-separated values.
  static let exactOption = CommandOption(
    "exact",
    "With --csv, print texts as they are. Otherwise an apostrophe precedes a text that a "
      + "spreadsheet would compute, and one that begins with an apostrophe.")

  /// Whether texts are written as they are.
  let areExact: Bool

  /// Reads the option.
  ///
  /// - Throws: A usage failure for the option without CSV.
  init(_ arguments: CommandArguments, isCSV: Bool) throws(ToolFailure) {
    areExact = arguments.has(Self.exactOption)
    guard isCSV || !areExact else {
      throw .usage("--exact is about CSV.", advice: "Add --csv, or leave --exact out.")
    }
  }

  /// Returns a text as a field.
  func field(_ text: String) -> String { areExact ? text : SpreadsheetText.marked(text) }
}
