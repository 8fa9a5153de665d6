import Foundation
import Generator

/// A copy of the package `Tests/Forms` with the forms and what is generated for them.
struct FormsPackage {
  private let folder: URL

  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let tests = here.deletingLastPathComponent().deletingLastPathComponent()
  private static let generator = tests.deletingLastPathComponent()
  private static let root = generator.deletingLastPathComponent().deletingLastPathComponent()

  /// Writes the package to a temporary folder.
  init(_ forms: [DeclarationForm]) throws {
    let files = FileManager.default
    folder = files.temporaryDirectory.appending(path: "forms-\(UUID())")
    try files.copyItem(at: Self.tests.appending(path: "Forms"), to: folder)
    let manifest = folder.appending(path: "Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
      .replacing("\"../../../..\"", with: "\"\(Self.root.path)\"")
    try Data(text.utf8).write(to: manifest)
    let resolved = Self.root.appending(path: "Package.resolved")
    if files.fileExists(atPath: resolved.path) {
      try files.copyItem(at: resolved, to: folder.appending(path: "Package.resolved"))
    }
    let sources = forms.enumerated().map { index, form in
      SourceText(path: "Form\(index).swift", text: Self.source(form, index))
    }
    let output = Generator.run(sources)
    let generated = output.files.map { SourceText(path: $0.name, text: $0.text) }
    let calls = forms.indices.map { "  checkForm\($0)(&checks)" }.joined(separator: "\n")
    let all = SourceText(
      path: "AllForms.swift", text: "func check(_ checks: inout Checks) {\n\(calls)\n}\n")
    for file in sources + generated + [all] {
      try Data(file.text.utf8).write(to: folder.appending(path: "Sources/Forms/\(file.path)"))
    }
  }

  /// A form with a function that checks its values.
  private static func source(_ form: DeclarationForm, _ index: Int) -> String {
    guard case .accepted(let checks) = form.outcome else { return "" }
    // The compiler warns of an import with a higher access level than needed.
    let isPublic = form.source.contains("public ") && !form.source.contains("package enum")
    let access = isPublic ? "public " : ""
    let calls = checks.map { check in
      // Before the first double quotation mark, single ones are replaced by double ones.
      let values = check.prefix { $0 != "\"" }
      return "  checks.\(values.replacing("'", with: "\""))\(check.dropFirst(values.count))\n"
    }
    let text = """
      \(access)import Retrace

      \(form.source)

      func checkForm\(index)(_ checks: inout Checks) {
        checks.form = "\(form.name.replacing("\"", with: "\\\""))"
      \(calls.joined())}

      """
    return text.replacing("R_", with: "R\(index)_")
  }

  /// Builds the package beside the generator's own products and runs it.
  func run() throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "run", "--package-path", folder.path, "--scratch-path",
      Self.generator.appending(path: ".build/forms").path, "Forms",
    ]
    let output = folder.appending(path: "output")
    try Data().write(to: output)
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
  }

  /// Removes the package, but not its build products, which the next run reuses.
  func remove() {
    try? FileManager.default.removeItem(at: folder)
  }
}
