import ExampleTestSupport
import RetraceTesting
import Testing
import ToolTestSupport

/// The program of an app in one declaration, as its user runs it.
@Suite struct StarterProgramTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func run(
    _ arguments: [String], pressing keys: [String] = [], environment: [String: String] = [:]
  ) throws -> ToolResult {
    let tool = try RunningTool(
      LineApp.path(of: "Starter"), arguments, environment: environment)
    for key in keys { tool.send(key) }
    return tool.finish()
  }

  @Test func `the app runs, and its replay tool shows what it recorded`() throws {
    let store = folder.file("store")
    let app = try run([store], pressing: ["text:tea", "enter"])
    #expect(app.status == 0 && app.output.contains("  tea"), "\(app.errors)")
    let tool = try run(["replay", "show", "--store", store])
    #expect(tool.status == 0 && tool.output.contains("command item.add(name: \"tea\")"))
  }

  @Test func `without a store, the app and its replay tool use the one in the data folder`() throws
  {
    let environment = ["XDG_DATA_HOME": folder.path]
    let app = try run([], pressing: ["text:tea", "enter"], environment: environment)
    #expect(app.status == 0, "\(app.errors)")
    let tool = try run(["replay", "screen"], environment: environment)
    #expect(tool.status == 0 && tool.output.contains("  tea"), "\(tool.errors)")
    #expect(try run(["replay", "doctor", "--store", folder.file("retrace/starter")]).status == 0)
  }

  @Test func `arguments, a line without a key, and a path that is no store are told`() throws {
    let help = try run(["--help"])
    #expect(help.status == 0 && help.output.hasPrefix("usage: starter [STORE]"))
    for arguments in [["--colour"], [folder.file("none"), "add"], [""]] {
      let refused = try run(arguments)
      #expect(refused.status == 64, "\(arguments)")
      #expect(refused.errors.contains("  why: ") && refused.errors.contains("  do:  "))
    }
    #expect(try run([folder.file("store")], pressing: ["nokey"]).status == 64)
    let file = try run([LineApp.path(of: "Starter")])
    #expect(file.status == 6 && file.errors.contains("  exit code 6"), "\(file.errors)")
  }
}
