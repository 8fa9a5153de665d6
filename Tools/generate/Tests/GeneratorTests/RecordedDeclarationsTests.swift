import Testing

@testable import Generator

/// The digest by which a build finds out that generated code is stale.
@Suite struct RecordedDeclarationsTests {
  private func digest(_ source: String) -> String {
    var declarations = RecordedDeclarations()
    declarations.add(Array(source.utf8))
    return declarations.digest
  }

  private let source = """
    import Retrace

    public struct Timer: TableEntity, Equatable {  // recorded: Clock
      public var name: String = "a { b"
      public var ends: Moment?
      var isShort: Bool { name.utf8.count < 5 }
      func show() -> String { "\\(name) } \\("x")" }
    }

    enum TimerAction: Recordable {
      case started(Timer, at: Moment)
      case stopped  // recorded: was ended
    }

    enum Timers: EntityModule {
      typealias Changes = TimerChanges
      static func decide() {}
    }

    struct View { var count = 0 }
    """

  @Test(
    arguments: [
      ("public var name", "public var title"), ("Moment?", "Moment"), ("\"a { b\"", "\"a\""),
      ("recorded: Clock", "recorded: Watch"), ("was ended", "was done"),
      ("case stopped", "case stopped(Moment)"), ("Recordable {", "Recordable, Composed {"),
      ("enum TimerAction", "enum Action"), ("public struct Timer", "struct Timer"),
      ("at: Moment", "Moment"), ("import Retrace", "public import Retrace"),
      ("  func show", "  init() {}\n  func show"),
      ("struct View {", "struct View: RecordedState {"),
      ("struct View", "struct Other: EffectLeaf {}\nstruct View"),
    ])
  func `a change of what is recorded changes the digest`(old: String, new: String) {
    let changed = source.replacing(old, with: new)
    #expect(changed != source && digest(changed) != digest(source))
  }

  @Test(
    arguments: [
      ("import Retrace", "// var name: String\n/* struct A: Recordable {} */\nimport Retrace"),
      ("name.utf8.count < 5", "if name.isEmpty { true } else { false }"),
      (
        "  func show",
        "  /// Shows it.\n  private func shown(_ a: Int) { let b = \"}\" }\n  func show"
      ),
      (
        "  var isShort",
        "  static let limit = 3\n  var isLong: Bool {\n    true\n  }\n  var isShort"
      ),
      ("var count = 0", "var count = 1\n  func f() { struct A: Recordable { var a: Int } }"),
      ("TableEntity, Equatable", "Hashable, TableEntity"), ("\n\n", "\n\n\n"),
      ("case started(Timer, at: Moment)", "case started(\n    Timer,\n    at: Moment)"),
      ("struct View", "struct Other: Hashable { var a = #\"}\"# }\nstruct View"),
    ])
  func `another change leaves the digest as it is`(old: String, new: String) {
    let changed = source.replacing(old, with: new)
    #expect(changed != source && digest(changed) == digest(source))
  }

  @Test func `the order of the files does not count, and the generator's protocols do`() {
    var (left, right) = (RecordedDeclarations(), RecordedDeclarations())
    let files = [source, "struct A: Recordable { var a: Int }"].map { Array($0.utf8) }
    for file in files { left.add(file) }
    for file in files.reversed() { right.add(file) }
    #expect(left.digest == right.digest)
    #expect(RecordedDeclarations.protocols == ProtocolNames.generated)
  }

  @Test func `a generated file states the digest of its target`() throws {
    let output = Generator.run([SourceText(path: "A.swift", text: source)])
    #expect(!output.files.isEmpty && output.diagnostics.isEmpty)
    for file in output.files {
      #expect(RecordedDeclarations.digest(statedIn: Array(file.text.utf8)) == digest(source))
    }
    #expect(RecordedDeclarations.digest(statedIn: Array(source.utf8)) == nil)
  }
}
