/// Returns a text with an apostrophe before it if a spreadsheet would read it as a formula.
///
/// A spreadsheet may drop a tab or a carriage return at the beginning and read the rest.
package func spreadsheetText(_ text: String) -> String {
  guard let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) else { return text }
  return "'" + text
}
