import Foundation
import Testing
import ToolTestSupport

/// Reports and lists of entries as pages for a browser.
@Suite struct OutputPageTests {
  /// The texts of the elements with a name, in order, without markup.
  private static func texts(_ name: String, in page: String) -> [String] {
    page.components(separatedBy: "<\(name)").dropFirst().compactMap { part -> String? in
      guard let start = part.firstIndex(of: ">") else { return nil }
      let content = String(part[part.index(after: start)...])
      let parts = content.components(separatedBy: "</\(name)>")
      return parts.count > 1 ? parts[0].replacing(/<[^>]*>/, with: "") : nil
    }
  }

  @Test func `a page has the sums of the report, a bar for each day and the notes`() throws {
    try withDesk { desk in
      try desk.fine("projects create thesis --rate 90 --color #2da608")
      try desk.fine("add 2026-02-24 8:00 - 9:30 read @thesis --billable")
      try desk.fine("add 2026-02-25 8:00 - 8:45 mail @office")
      let page = try desk.fine("report 2026-02-24 - 2026-03-02 --format html")
        .joined(separator: "\n")
      let cells = Self.texts("td", in: page)
      for text in ["thesis", "1:30", "office", "0:45", "Total", "2:15", "135.00", "67%"] {
        #expect(cells.contains(text), "\(text) is missing in \(cells)")
      }
      let bars = Self.texts("title", in: page).dropFirst()
      #expect(bars.count == 7)
      #expect(bars.first?.hasSuffix(": 1:30:00") == true)
      #expect(page.contains("fill=\"#2da608\""))
      // Nothing is loaded, and nothing runs.
      #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline';"))
      for word in ["<script", "http:", "https:", "@import", "url("] {
        #expect(!page.contains(word))
      }
    }
  }

  @Test func `a list has each entry under its day, and the total`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-02-24 8:00 - 9:30 read @thesis")
      try desk.fine("add 2026-02-25 8:00 - 8:45 mail")
      let page = try desk.fine("log 2026-02-24 - 2026-02-25 --format html")
        .joined(separator: "\n")
      let headings = Self.texts("th", in: page)
      #expect(headings.count == 3 && headings.last == "Total")
      let cells = Self.texts("td", in: page)
      for text in ["read", "mail", "@thesis", "2:15"] { #expect(cells.contains(text), "\(text)") }
      // The latest entries are of no range, so there is no chart.
      #expect(try !desk.fine("log --format html").contains { $0.contains("<figure") })
    }
  }

  @Test func `texts of the user are only text in a page`() throws {
    let text = "</td><script>alert(1)</script>&amp;\u{202E}"
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 '\(text)'")
      for command in ["log --format html", "report today --by description --format html"] {
        let page = try desk.fine(command).joined(separator: "\n")
        #expect(!page.contains("<script"))
        #expect(!page.contains("\u{202E}"))
        #expect(page.contains("&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"))
      }
    }
  }

  @Test func `an output has one form`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 read")
      #expect(try desk.fine("log --format csv") == desk.fine("log --csv"))
      for command in [
        "log --csv --format html", "log --json --format html", "report --json --format csv",
        "report --csv --format text", "log --totals --format html", "report --goals --format html",
        "report --format pdf",
      ] {
        #expect(try desk.run(command).status == 64, "\(command)")
      }
    }
  }
}
