import RetraceScreen
import Testing

@testable import TerminalUI

@Suite struct ProgressBarTests {
  @Test("A bar is text of a fixed width")
  func golden() {
    #expect(
      ProgressBar.text(label: "Import", done: 1, total: 2, columns: 30)
        == "Import #########--------  50 %")
    #expect(ProgressBar.text(label: "Import", done: 9, total: 2, columns: 8) == "…  100 %")
    #expect(ProgressBar.text(label: "Import", done: -1, total: 0, columns: 4) == " 0 %")
    for columns in 0...90 {
      for done in [0, 1, 33, 99, 100] {
        let text = ProgressBar.text(label: "日本", done: done, total: 100, columns: columns)
        #expect(TextWidth.of(text) <= columns)
      }
    }
  }

  @Test("A pipe sees nothing, a terminal only changes")
  func updates() {
    var piped = ProgressBar(label: "Import", total: 10, columns: nil)
    #expect(piped.update(done: 5) + piped.finish() == "")
    var bar = ProgressBar(label: "Imp\u{1B}ort", total: 1_000_000, columns: 41)
    #expect(bar.finish() == "")
    #expect(bar.update(done: 0) == "\rImp\\u{1B}ort ---------------------   0 %\u{1B}[K")
    #expect(bar.update(done: 10) == "")
    #expect(bar.update(done: 1_000_000).contains("100 %"))
    #expect(bar.finish() == "\r\u{1B}[K")
  }
}
