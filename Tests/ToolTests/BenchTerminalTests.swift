import Testing
import ToolTestSupport

/// `replay bench` on a terminal of its own.
@Suite struct BenchTerminalTests {
  /// What a bench shows on a terminal of so many columns.
  private func shown(_ store: String, columns: Int, noColor: String) throws -> String {
    let result = try shell(
      """
      script -qec 'stty cols '"$2"' rows 24; replay bench --rounds 3 --store '"$1" /dev/null \
        </dev/null
      """, [store, "\(columns)"],
      environment: ["NO_COLOR": noColor, "TERM": "xterm", "COLUMNS": ""])
    #expect(result.status == 0, "\(result.errors)\(result.output)")
    // A terminal ends lines in two characters.
    return result.output.replacing("\r\n", with: "\n")
  }

  @Test func `bars are as wide as the terminal allows, in color unless that is not wanted`() throws
  {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try expectFine(["track", "start", "write", "--user", "anna", "--store", store])
      let wide = try shown(store, columns: 100, noColor: "")
      let narrow = try shown(store, columns: 46, noColor: "1")
      #expect(wide.contains("\u{1B}[36m####") && wide.contains("#\u{1B}[0m"))
      #expect(!narrow.contains("\u{1B}"))
      func longest(_ text: String) -> Int {
        text.split(separator: "\n").filter { !$0.hasPrefix("note: ") }
          .map { $0.replacing(/\x{1B}\[\d+m/, with: "").count }.max() ?? 0
      }
      #expect(longest(wide) <= 100 && longest(wide) > 60)
      #expect(longest(narrow) <= 46)
    }
  }
}
