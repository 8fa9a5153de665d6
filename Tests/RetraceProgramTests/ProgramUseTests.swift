import Testing

@testable import RetraceProgram

@Suite struct ProgramUseTests {
  @Test func `a word is the store, and without one it is the default`() throws {
    #expect(try ProgramUse([]) == .run(nil))
    #expect(try ProgramUse(["store"]) == .run("store"))
    #expect(try ProgramUse(["--help", "more"]) == .help)
    #expect(try ProgramUse(["-h"]) == .help)
  }

  @Test(arguments: [["--colour"], ["-v", "store"], [""], ["store", "add"]])
  func `other words are refused with the exit code 64`(words: [String]) {
    let failure = #expect(throws: ToolFailure.self) { try ProgramUse(words) }
    #expect(failure?.exitCode == 64)
  }

  @Test func `the help has lines of at most 100 characters, and names the default store`() {
    let help = ProgramUse.help(of: "kitchen", store: StoreLocation(app: "kitchen").help)
    #expect(help.contains("retrace/kitchen below XDG_DATA_HOME"))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
