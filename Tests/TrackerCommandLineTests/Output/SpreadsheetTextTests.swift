import RetraceToolSupport
import Testing

/// Texts in tables that spreadsheets read.
@Suite struct SpreadsheetTextTests {
  @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1", "\r\n=1+1"])
  func `a text that a spreadsheet could read as a formula gets an apostrophe`(text: String) {
    #expect(spreadsheetText(text) == "'" + text)
  }

  @Test(arguments: ["", "a=1", " =1", "1-2", "'=1"])
  func `any other text stays`(text: String) { #expect(spreadsheetText(text) == text) }
}
