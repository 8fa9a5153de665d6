import Generator
import Testing

/// Tests of all forms of declarations, accepted and refused.
@Suite struct DeclarationFormTests {
  @Test(arguments: DeclarationForm.rejected)
  func `a refused form is reported with its file and line [H7]`(form: DeclarationForm) throws {
    guard case .rejected(let line, let message) = form.outcome else { return }
    let output = Generator.run([SourceText(path: "Sources/A.swift", text: form.source)])
    #expect(output.text == nil)
    #expect(output.diagnostics.count == 1, "\(output.diagnostics)")
    let text = output.diagnostics.first?.description ?? ""
    #expect(text.hasPrefix("Sources/A.swift:\(line): error: "), "\(text)")
    #expect(text.contains(message), "\(text)")
  }

  @Test(
    arguments: [
      "recorded: k", "Recorded : k", "RECORDED: k", "recoded: k", "rcordd: k", "recordeded\t: k",
      "recorded was k", "as recorded: k",
    ])
  func `a comment is refused in a target that records nothing`(comment: String) {
    for text in ["struct A {\n  var a = 1  // \(comment)\n}", "struct A {\n  // \(comment)\n}"] {
      let output = Generator.run([SourceText(path: "A.swift", text: text)])
      #expect(output.diagnostics.map(\.line) == [2], "\(text)")
    }
  }

  @Test(arguments: DeclarationForm.accepted)
  func `a form is accepted`(form: DeclarationForm) throws {
    let output = Generator.run([SourceText(path: "Sources/A.swift", text: form.source)])
    #expect(output.diagnostics.isEmpty, "\(output.diagnostics)")
    #expect(output.text != nil)
  }

  /// Compiles all forms at once: in two minutes on two cores the first time, then in a few seconds.
  @Test func `accepted forms compile, and their values are read back`() throws {
    let package = try FormsPackage(DeclarationForm.accepted)
    defer { package.remove() }
    let result = try package.run()
    #expect(result.status == 0, "\(result.output)")
    let checks = DeclarationForm.accepted.reduce(0) { count, form in
      guard case .accepted(let checks) = form.outcome else { return count }
      return count + checks.count
    }
    let summary = try #require(
      result.output.split(separator: "\n").last?.wholeMatch(of: /(\d+) checks, 0 failed/),
      "\(result.output)")
    #expect(Int(summary.output.1) ?? 0 >= checks)
  }

  @Test func `every refusal of a target is reported at once`() {
    let files = ["A", "B"].map {
      SourceText(path: "\($0).swift", text: "struct \($0): Recordable {\n  let a = 1\n}")
    }
    let output = Generator.run(files)
    #expect(output.diagnostics.map(\.path) == ["A.swift", "B.swift"])
  }

  @Test func `a type of another file is known`() throws {
    let rejected = Generator.run([
      SourceText(path: "A.swift", text: "extension Box { struct A: Recordable {} }"),
      SourceText(path: "B.swift", text: "struct Box<T> {}"),
    ])
    #expect(rejected.diagnostics.map(\.message) == ["`A` is nested in `Box`, which is generic"])
    let accepted = Generator.run([
      SourceText(path: "A.swift", text: "struct A: Recordable { var b: B = .b }"),
      SourceText(path: "B.swift", text: "enum B: Recordable { case a, b }"),
    ])
    #expect(accepted.diagnostics.isEmpty)
    #expect(accepted.text?.contains("composer.defaultValue(B.b)") == true)
  }
}
