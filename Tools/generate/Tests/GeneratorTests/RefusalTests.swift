import Generator
import Testing

/// What cannot be encoded is refused, by file and line.
@Suite struct RefusalTests {
  @Test(arguments: [
    ("struct A: Recordable {\n  var a: (Int, Int)\n}", 2, "a tuple"),
    ("struct A: Recordable {\n\n  var a: () -> Void\n}", 3, "a function"),
    ("struct A: Recordable {\n  var a: @Sendable () -> Void\n}", 2, "a function"),
    ("struct A: Recordable {\n  var a: any Error\n}", 2, "existential"),
    ("struct A: Recordable {\n  var a: [some P]\n}", 2, "existential"),
    ("struct A: Recordable {\n  var a: Int!\n}", 2, "implicitly unwrapped"),
    ("struct A: Recordable {\n  @Wrapped var a: Int\n}", 2, "wrapper"),
    ("struct A: Recordable {\n  lazy var a: Int = 1\n}", 2, "lazy"),
    ("struct A: Recordable {\n  private var a: Int\n}", 2, "private"),
    ("struct A: Recordable {\n  private(set) var a: Int\n}", 2, "private"),
    ("struct A: Recordable {\n  let a = 1\n}", 2, "constant"),
    ("struct A: Recordable {\n  var a = b\n}", 2, "not written"),
    ("struct A: Recordable {\n  var (a, b): (Int, Int)\n}", 2, "pattern"),
    ("struct A: Recordable {\n  var größe: Int\n}", 2, "not a name in Avro"),
    ("struct A: Recordable {\n  var a: Int  // recorded: was 1x\n}", 2, "not a name in Avro"),
    ("struct A: Recordable {\n  var a, b: Int  // recorded: was c\n}", 2, "one a line"),
    ("struct A: Recordable {\n  var a: Int  // recorded: b\n  var b: Int\n}", 1, "two parts"),
    (
      "struct A: Recordable {\n  var a: Int // recorded: was c\n  var b: Int // recorded: was c\n}",
      1, "two parts"
    ),
    ("enum A: Recordable {\n  case a\n  case b  // recorded: was c\n}", 1, "// recorded: c"),
    ("struct A: Recordable {\n#if X\n  var a: Int\n#endif\n}", 2, "conditional"),
    ("#if X\nstruct A: Recordable {}\n#endif", 2, "conditionally"),
    ("enum A: Recordable {}", 1, "without cases"),
    ("enum A: Recordable {\n  case a((Int) -> Int)\n}", 2, "a function"),
    ("enum A: Recordable {\n  case a, b  // recorded: was c\n}", 2, "one a line"),
    ("enum A: Recordable {\n  case a(_0: Int, b: Int, _0: Int)\n}", 2, "two parts"),
    ("enum A: RecordedState {\n  case a\n}", 1, "enum"),
    ("struct A: RecordedState {\n  var a = 1 { didSet {} }\n}", 2, "observers"),
    ("struct A: RecordedState, Recordable {}", 1, "not both"),
    ("final class A: Recordable {}", 1, "reference"),
    ("actor A: Recordable {}", 1, "reference"),
    ("private struct A: Recordable {}", 1, "cannot see"),
    ("func f() {\n  struct A: Recordable {}\n}", 2, "local"),
    ("struct G<T> {\n  struct A: Recordable {}\n}", 2, "generic"),
  ])
  func `a declaration is refused`(source: String, line: Int, message: String) {
    let output = Generator.run([SourceText(path: "Sources/A.swift", text: source)])
    #expect(output.text == nil)
    #expect(output.refusals.count == 1, "\(output.refusals)")
    let text = output.refusals.first?.description ?? ""
    #expect(text.hasPrefix("Sources/A.swift:\(line): error: "), "\(text)")
    #expect(text.contains(message), "\(text)")
  }

  @Test func `every refusal of a target is told at once`() {
    let files = ["A", "B"].map {
      SourceText(path: "\($0).swift", text: "struct \($0): Recordable {\n  let a = 1\n}")
    }
    let output = Generator.run(files)
    #expect(output.refusals.map(\.path) == ["A.swift", "B.swift"])
  }
}
