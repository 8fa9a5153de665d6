/// Returns a text with an apostrophe before it if a spreadsheet would read it as a formula.
package func spreadsheetText(_ text: String) -> String {
  switch text.utf8.first {
  case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): "'" + text
  default: text
  }
}
