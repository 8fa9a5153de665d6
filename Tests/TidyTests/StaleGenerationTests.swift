import Foundation
import Testing
import ToolTestSupport

/// Generated code belongs to the declarations beside it; the quick check goes by their hashes.
@Suite struct StaleGenerationTests {
  @Test("Generated code is of the declarations beside it")
  func fresh() throws {
    let result = try check([])
    #expect(result.status == 0, "\(result.output)")
  }

  @Test("A changed declaration makes generated code stale, a new one misses it")
  func planted() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tidy-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let generated = folder.appending(path: "Generated")
    try FileManager.default.createDirectory(at: generated, withIntermediateDirectories: true)
    let declaration = folder.appending(path: "A.swift")
    try Data("public struct A: Recordable {\n}\n".utf8).write(to: declaration)
    #expect(try check([folder.path]).output.contains("missing: "))
    let output = generated.appending(path: "Recordable.swift")
    try Data("// input: 0123456789abcdef A.swift\n".utf8).write(to: output)
    let stale = try check([folder.path])
    #expect(stale.status == 1)
    #expect(stale.output.contains("stale: "))
  }

  private func check(_ folders: [String]) throws -> (status: Int32, output: String) {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let result = try runProgram(
      root.appending(path: "Tools/generate/run").path, ["--check-fast"] + folders)
    return (result.status, result.output + result.errors)
  }
}
