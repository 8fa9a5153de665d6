/// Returns a text as a spreadsheet shows it: one that would be a formula gets an apostrophe.
package func spreadsheetText(_ text: String) -> String {
  switch text.utf8.first {
  case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): "'" + text
  default: text
  }
}
