import Foundation
import Generator
import Testing

/// Tests of the files that the command reads and writes, and of its reports.
@Suite struct GenerateCommandTests {
  @Test func `a generated file is written, checked, reported as stale and removed`() throws {
    try withFolder { folder in
      let generated = folder.appending(path: "Generated/Recordable.swift")
      let declaration = folder.appending(path: "A.swift")
      try write("struct A: Recordable { var a: Int }", to: declaration)

      #expect(run(["--check", folder.path]) == Outcome(1, ["stale: \(generated.path)"]))
      #expect(!FileManager.default.fileExists(atPath: generated.path))
      #expect(run([folder.path]) == Outcome(0, ["wrote \(generated.path)"]))
      #expect(run(["--check", folder.path]) == Outcome(0))
      #expect(run([folder.path]) == Outcome(0))

      // A nested type in a file that records nothing changes the generated code, too.
      try write("struct A: Recordable { var a: Item }", to: declaration)
      #expect(run([folder.path]) == Outcome(0, ["wrote \(generated.path)"]))
      try write("extension A { struct Item {} }", to: folder.appending(path: "Far/B.swift"))
      #expect(run(["--check", folder.path]) == Outcome(1, ["stale: \(generated.path)"]))

      try write("struct A { var a: Int }", to: declaration)
      #expect(run(["--check", folder.path]) == Outcome(1, ["stale: \(generated.path)"]))
      #expect(run([folder.path]) == Outcome(0, ["removed \(generated.path)"]))
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "Generated").path))
      #expect(run(["--check", folder.path]) == Outcome(0))
    }
  }

  @Test(arguments: [
    "  \tstruct A: Recordable { var a: Int }",
    "@available(macOS 99, *) struct A {}\n@frozen struct B: Recordable { var a: Int }",
    "enum O { struct A: Recordable { var a: Int } }",
    "struct A\n  // a comment\n  : Hashable,\n  Recordable\n  where Int: Hashable { var a: Int }",
    "struct A: RetraceAvro . Recordable { var a: Int }",
  ])
  func `a declaration is found however it is laid out`(source: String) throws {
    try withFolder { folder in
      try write(source, to: folder.appending(path: "A.swift"))
      #expect(run(["--check", folder.path]).status == 1)
      #expect(run([folder.path]).errors.isEmpty)
    }
  }

  @Test
  func `a rejected declaration keeps the old generated file; other folders are generated`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "One/A.swift")
      try write("struct A: Recordable { var a: Int }", to: file)
      try write("struct B: Recordable {}", to: folder.appending(path: "Two/B.swift"))
      let generated = folder.appending(path: "One/Generated/Recordable.swift")
      #expect(run([folder.appending(path: "One").path]).status == 0)
      let before = try Data(contentsOf: generated)
      try write("struct A: Recordable {\n  var a = f()\n}", to: file)
      let outcome = run(["One", "Two"].map { folder.appending(path: $0).path })
      #expect(outcome.status == 1)
      #expect(
        outcome.errors
          == ["\(file.path):2: error: the property has no type annotation; add one"])
      #expect(
        outcome.reports
          == ["wrote \(folder.appending(path: "Two/Generated/Recordable.swift").path)"])
      #expect(try Data(contentsOf: generated) == before)
    }
  }

  @Test
  func `declarations are sorted by path; build products and symbolic links are skipped`() throws {
    try withFolder { folder in
      for name in ["b", "A", "A/B", "A+C", "ä", ".build/X", "Generated/Y"] {
        try write(
          "struct S\(name.utf8.count)\(name.filter { $0.isASCII && $0.isLetter }): Recordable {}",
          to: folder.appending(path: "\(name).swift"))
      }
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "Linked"), withDestinationURL: folder.appending(path: "A"))
      #expect(run([folder.path]).errors.isEmpty)
      let text = try String(
        contentsOf: folder.appending(path: "Generated/Recordable.swift"), encoding: .utf8)
      let names = text.matches(of: #/(?m)^extension (\w+)/#).map { String($0.output.1) }
      #expect(names == ["S3AC", "S1A", "S3AB", "S1b", "S2"])
    }
  }

  @Test func `a missing folder is an error`() {
    let outcome = run(["/there/is/no/such/folder"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 1)
  }

  private struct Outcome: Equatable {
    var status: Int32
    var reports: [String] = []
    var errors: [String] = []

    init(_ status: Int32, _ reports: [String] = []) {
      self.status = status
      self.reports = reports
    }
  }

  private func run(_ arguments: [String]) -> Outcome {
    var outcome = Outcome(0)
    outcome.status = GenerateCommand.run(
      arguments, report: { outcome.reports.append($0) },
      reportError: { outcome.errors.append($0) })
    return outcome
  }

  private func write(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "generate-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
