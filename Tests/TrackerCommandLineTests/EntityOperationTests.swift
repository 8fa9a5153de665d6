import RetraceToolSupport
import Testing

@testable import TrackerCommandLine

/// The words after `track projects` and the like.
@Suite struct EntityOperationTests {
  private func read(_ words: [String], canMerge: Bool = true) throws -> String? {
    try EntityOperation(words, noun: "project", duration: "estimate", canMerge: canMerge)
      .map { "\($0)" }
  }

  @Test(
    "Each operation takes its names",
    arguments: [
      (["create", "a b"], #"create("a b")"#), (["set", "a"], #"set("a")"#),
      (["rename", "a", "b"], #"rename("a", to: "b")"#),
      (["merge", "a", "b"], #"merge("a", into: "b")"#),
      (["archive", "a"], #"archive("a", isArchived: true)"#),
      (["restore", "a"], #"archive("a", isArchived: false)"#), (["delete", "a"], #"delete("a")"#),
    ])
  func operations(words: [String], operation: String) throws {
    #expect(try read(words) == operation)
  }

  @Test("Without words there is no operation")
  func list() throws { #expect(try read([]) == nil) }

  @Test(
    "Wrong words are refused with the right form",
    arguments: [
      (["create"], "Write it after `create`."),
      (["rename", "a"], "Write it after `rename`."),
      (["set", "a", "40h"], "Give the duration as an option: --estimate 40h."),
      (["set", "a", "b"], "Quote a name that has blanks."),
      (["new", "a"], "Write `track projects create NAME`."),
      (["ls"], "`track projects` without a word lists them."),
      (["delte", "a"], "Did you mean delete? "),
    ])
  func refused(words: [String], advice: String) {
    let failure = #expect(throws: ToolFailure.self) { try read(words) }
    #expect(failure?.advice.hasPrefix(advice) == true, "\(failure.map { "\($0)" } ?? "")")
    #expect(failure?.exitCode == ToolExit.usage)
  }

  @Test("A merge of entities that cannot be merged is refused")
  func merge() {
    let failure = #expect(throws: ToolFailure.self) {
      try read(["merge", "a", "b"], canMerge: false)
    }
    #expect(failure?.why == "projects cannot be merged.")
  }
}
