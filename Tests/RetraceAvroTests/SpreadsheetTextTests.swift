import RetraceAvro
import Testing

/// Texts in tables that spreadsheets read.
@Suite struct SpreadsheetTextTests {
  @Test(arguments: [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1", "\r\n=1+1", "'=1", "'tis", "''",
  ])
  func `a text that a spreadsheet could compute, or with an apostrophe, gets one`(text: String) {
    #expect(SpreadsheetText.marked(text) == "'" + text)
    #expect(SpreadsheetText.unmarked("'" + text) == text)
  }

  @Test(arguments: ["", "a=1", " =1", "1-2"])
  func `any other text stays`(text: String) {
    #expect(SpreadsheetText.marked(text) == text && SpreadsheetText.unmarked(text) == text)
  }

  @Test func `an apostrophe that no table added stays`() {
    #expect(SpreadsheetText.unmarked("'tis") == "'tis" && SpreadsheetText.unmarked("'") == "'")
  }
}
