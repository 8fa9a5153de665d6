import Foundation
import Testing

/// The modules that `Tools/embedded/run` compiles as they are, and with planted code.
@Suite struct EmbeddedModuleTests {
  @Test func `each module that a fold runs is compiled as Embedded Swift`() throws {
    let tree = try SourceTree.package.get()
    let folded = Self.names(
      in: try #require(tree.files["Package.swift"]), after: "let folded: Set<String> = [",
      until: "]")
    let compiled = Self.names(
      in: try #require(tree.files["Tools/embedded/run"]), after: "readonly modules=(", until: ")")
    #expect(folded.count > 10 && folded.contains("TimeTracking"))
    #expect(folded.subtracting(compiled) == [])
    #expect(compiled.contains("Counter"))
  }

  /// Returns the words of a list in a text.
  private static func names(in text: String, after start: String, until end: String) -> Set<String>
  {
    let list = text.components(separatedBy: start).dropFirst().first ?? ""
    let words = (list.components(separatedBy: end).first ?? "").split { !$0.isLetter }
    return Set(words.map(String.init))
  }
}
