import CivilTime
import Foundation
import RetraceState
import Testing
import ToolTestSupport

/// The tables of the page on expressions.
@Suite(.enabled(if: ZoneFiles.exist))
struct ExpressionsPageTests {
  /// Returns the texts in the first column of the tables of a section, and of those whose header
  /// is `Refused`.
  private static func texts(of section: String) throws -> (read: [String], refused: [String]) {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Sources/CivilTime/CivilTime.docc/Expressions.md")
    let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
    var (read, refused): ([String], [String]) = ([], [])
    var isInSection = false
    var isRefused = false
    for line in lines {
      if line.hasPrefix("### ") { isInSection = line == "### \(section)" }
      guard isInSection, line.hasPrefix("| ") else { continue }
      let cell = line.components(separatedBy: " | ")[0]
      if !cell.contains("`") {
        if !cell.contains("---") { isRefused = cell == "| Refused" }
        continue
      }
      let pieces = cell.components(separatedBy: "`")
      let spans = stride(from: 1, to: pieces.count, by: 2).map { pieces[$0] }
      if isRefused { refused += spans } else { read += spans }
    }
    return (read, refused)
  }

  @Test
  func `The page's times are read, and its other texts refused`() throws {
    let context = try Contexts.berlin()
    let changing = try Contexts.at("2026-10-25 10:00:00")
    let texts = try Self.texts(of: "Times")
    #expect(texts.read.count > 20 && texts.refused.count > 5)
    for text in texts.read {
      let isSummer = text.hasPrefix("02:30 CEST")
      #expect(throws: Never.self, "\(text)") {
        try TimeExpression(text, in: isSummer ? changing : context)
      }
    }
    for text in texts.refused {
      #expect(throws: ExpressionError.self, "\(text)") { try TimeExpression(text, in: context) }
    }
  }

  @Test
  func `The page's durations are read, and its other texts refused`() throws {
    let texts = try Self.texts(of: "Durations")
    #expect(texts.read.count > 12 && texts.refused.count > 7)
    for text in texts.read {
      #expect(throws: Never.self, "\(text)") { try DurationExpression(text) }
    }
    for text in texts.refused {
      #expect(throws: ExpressionError.self, "\(text)") { try DurationExpression(text) }
    }
  }

  @Test
  func `The page's ranges are read`() throws {
    let context = try Contexts.berlin()
    let texts = try Self.texts(of: "Ranges")
    #expect(texts.read.count > 20 && texts.refused.isEmpty)
    for text in texts.read {
      #expect(throws: Never.self, "\(text)") { try RangeExpression(text, in: context) }
    }
  }
}
