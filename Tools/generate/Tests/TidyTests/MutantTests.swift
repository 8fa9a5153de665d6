import Foundation
import Testing

/// The mutants that `Tools/mutants` runs: patches that break one line each.
@Suite struct MutantTests {
  private let tree: SourceTree
  private let patches: [(path: String, text: String)]

  init() throws {
    tree = try SourceTree.package.get()
    patches = tree.files.filter { $0.key.hasPrefix("Tests/Mutants/") }
      .map { ($0.key, $0.value) }.sorted { $0.path < $1.path }
  }

  @Test func `each mutant is a patch that applies`() throws {
    #expect(patches.count >= 25)
    var root = URL(filePath: #filePath)
    for _ in 1...5 { root.deleteLastPathComponent() }
    for (path, _) in patches {
      #expect(path.hasSuffix(".patch"))
      // Each alone, because two may change one line.
      #expect(throws: Never.self, "\(path)") {
        try output(of: ["git", "-C", root.path, "apply", "--check", path])
      }
    }
  }

  @Test func `each mutant changes one line of a source`() {
    for (path, text) in patches {
      #expect(Self.changes(in: text) == ["---", "+++", "-", "+"], "\(path)")
      let file = text.firstMatch(of: /\n\+\+\+ b\/(Sources\/.*\.swift)\n/)?.1
      #expect(file.map { tree.files[String($0)] != nil } == true, "\(path)")
    }
    #expect(Self.changes(in: "--- a\n+++ b\n-1\n-2\n+3\n 4\n") == ["---", "+++", "-", "-", "+"])
  }

  @Test func `each mutant names the tests that kill it`() {
    for (path, text) in patches {
      let names = text.matches(of: /(?m)^Killed-by: (\w+)\.(\w+)$/).map { ($0.1, $0.2) }
      #expect(!names.isEmpty, "\(path)")
      for (target, suite) in names {
        let isDeclared = tree.files.contains { file, code in
          file.hasPrefix("Tests/\(target)/") && code.contains("@Test")
            && code.contains("struct \(suite) ")
        }
        #expect(isDeclared, "\(path) names \(target).\(suite)")
      }
    }
  }

  /// Returns the signs of the lines that a patch removes and adds, and the signs of its file names.
  private static func changes(in patch: String) -> [Substring] {
    patch.split(separator: "\n").compactMap { line in
      for sign in ["---", "+++", "-", "+"] where line.hasPrefix(sign) {
        return line.prefix(sign.count)
      }
      return nil
    }
  }
}
