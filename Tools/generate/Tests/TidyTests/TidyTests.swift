import Testing

/// The rules of the root package, run on the root package.
@Suite struct TidyTests {
  private let tree: SourceTree

  init() throws { tree = try SourceTree.package.get() }

  @Test("The package and all of its targets were found")
  func found() {
    let manifest = tree.manifest
    #expect(manifest.targets.count > 20)
    // Each folder with Swift files belongs to a target, so the rules see all of them.
    let folders = Set(
      tree.rootSwiftFiles.filter { $0.hasPrefix("Sources/") || $0.hasPrefix("Tests/") }
        .map { $0.split(separator: "/").prefix(2).joined(separator: "/") })
    #expect(folders.subtracting(manifest.targets.map(\.path)) == [])
    let log = manifest.targets.first { $0.name == "RetraceLog" }
    #expect(log?.targets.contains("RetraceState") == true)
    #expect(manifest.targets.first { $0.name == "audit" }?.products == ["ArgumentParser"])
  }

  @Test("No target reaches a module behind a wall")
  func dependencies() {
    expectNone(WallRules(tree).dependencies())
    expectNone(WallRules(tree).names())
  }

  @Test("Each dependency is listed once, and used")
  func edges() {
    let rules = EdgeRules(tree)
    expectNone(rules.found())
    expectNone(rules.unused())
    expectNone(rules.repeated())
    #expect(rules.listed["RetraceAvro"] == ["RetraceHashing"])
    #expect(rules.listed["CLMDB"] == [])
  }

  @Test("A program sees the types that signatures of a product name")
  func exports() {
    let modules = [
      "RetraceRecording", "RetraceReplay", "RetraceReplayTool", "TerminalUI", "RetraceTerminal",
      "RetraceProgram",
    ]
    expectNone(EdgeRules(tree).notExported(from: modules))
  }

  @Test("Each import is a declared and allowed dependency")
  func imports() { expectNone(WallRules(tree).imports()) }

  @Test("Pure modules use no clock, no randomness and no input or output [H1, H3, H6]")
  func purity() { expectNone(WallRules(tree).purity()) }

  /// Reads the object files of the debug build, which `Tools/test` makes before.
  @Test("No code that a fold runs follows the toolchain's Unicode tables")
  func unicodeTables() throws {
    let findings = try FoldLint.findings()
    for finding in findings { Issue.record("\(finding)") }
  }

  @Test("Unsafe code is only in the modules that may have it")
  func safety() { expectNone(WallRules(tree).safety()) }

  @Test("All code uses the one lock")
  func locks() {
    expectNone(WallRules(tree).locks())
    #expect(tree.files[Walls.lockFile] != nil)
  }

  @Test("Only the listed files write to the standard outputs")
  func outputFiles() {
    expectNone(WallRules(tree).outputFiles())
    #expect(Set(Walls.outputFiles.keys).subtracting(tree.files.keys) == [])
  }

  @Test("The top level has only the known files and folders")
  func topLevel() { expectNone(LayoutRules(tree).topLevel()) }

  @Test("Every module has a page and tests")
  func pagesAndTests() { expectNone(LayoutRules(tree).pagesAndTests()) }

  @Test("An executable is an entry point, and its code a library")
  func executables() {
    expectNone(LayoutRules(tree).executables())
    let executables = tree.manifest.names(.executable)
    #expect(Set(Walls.longExecutables.keys).subtracting(executables) == [])
  }

  @Test("Files are named for what they hold")
  func names() { expectNone(LayoutRules(tree).names()) }

  @Test("No two files have one name")
  func fileNames() { expectNone(NameRules(tree).files()) }

  @Test("No two modules declare a type of one name")
  func typeNames() { expectNone(NameRules(tree).types()) }

  @Test("The entity that was added last is its folder and a line in each of two lists")
  func lastEntity() {
    let folder = "Sources/TimeTracking"
    expectNone(
      LayoutRules(tree).lastEntity(
        of: "\(folder)/DomainEntities.swift", state: "\(folder)/DomainState.swift"))
  }

  @Test("A format of imports is its folder and a line in a list")
  func formats() {
    expectNone(
      LayoutRules(tree).formats(of: "Sources/TrackerFormats/Import/ImportSources.swift"))
  }

  @Test("Files that a page names exist")
  func namedFiles() { expectNone(LayoutRules(tree).namedFiles()) }

  @Test("Every dependency has its reason, and no flag of a library is unsafe")
  func manifests() { expectNone(LayoutRules(tree).manifests()) }

  @Test("Lines are short and clean")
  func lines() { expectNone(TextRules(tree).lines()) }

  @Test("Scripts stop where something fails")
  func scripts() {
    #expect(tree.files["Tools/test"] != nil)
    expectNone(TextRules(tree).scripts())
  }

  @Test("Nothing is left for later")
  func leftoverMarks() { expectNone(TextRules(tree).leftoverMarks()) }

  @Test("Functions fit a screen")
  func functions() { expectNone(TextRules(tree).functions()) }

  @Test("Tests fix the clock of commands that name a time of the day")
  func timesOfDay() { expectNone(ClockRules(tree).timesOfDay()) }

  @Test("No file has a path of one machine")
  func machinePaths() { expectNone(TextRules(tree).machinePaths()) }

  @Test("Texts name the replay tool as it was started")
  func replayNames() { expectNone(TextRules(tree).replayNames()) }

  private func expectNone(
    _ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for finding in findings { Issue.record("\(finding)", sourceLocation: sourceLocation) }
  }
}
