import Testing

/// Each rule finds a violation that is planted into a copy of the package.
@Suite struct PlantedViolationTests {
  /// A few targets of the package, each with the targets that it lists.
  private static let listed: [(name: String, targets: [String])] = [
    ("CLMDB", []), ("RetraceAvro", []), ("RetraceState", ["RetraceAvro"]),
    ("RetraceScreen", ["RetraceAvro"]),
    ("RetraceArchitecture", ["RetraceState", "RetraceScreen"]), ("RetraceSystem", []),
    ("RetraceLMDB", ["CLMDB", "RetraceSystem"]),
    ("RetraceStorage", ["RetraceArchitecture", "RetraceLMDB"]),
    ("RetraceRecording", ["RetraceStorage"]), ("RetraceReplay", ["RetraceStorage"]),
    ("TimeTracking", ["RetraceArchitecture"]),
    ("TrackerApp", ["TimeTracking", "RetraceRecording"]), ("audit", ["RetraceStorage"]),
    ("track", ["TrackerApp"]),
  ]

  /// Those targets and two of tests; each with the targets that it reaches, as in the package.
  private static let manifest = Manifest(
    targets: listed.map { name, targets in
      let kind: Manifest.Kind =
        name == "CLMDB" ? .system : ["audit", "track"].contains(name) ? .executable : .library
      return Manifest.Target(
        name: name, kind: kind, path: "Sources/\(name)", targets: reached(from: targets),
        products: [])
    }
      + ["TimeTracking", "RetraceReplay"].map { name in
        Manifest.Target(
          name: "\(name)Tests", kind: .test, path: "Tests/\(name)Tests", targets: [name],
          products: [])
      })

  private static func reached(from names: [String]) -> [String] {
    let hidden = ["CLMDB", "RetraceLMDB"]
    return names
      + names.filter { !hidden.contains($0) }.flatMap { name in
        reached(from: listed.first { $0.name == name }?.targets ?? []).filter {
          !hidden.contains($0)
        }
      }
  }

  /// A small package that keeps every rule.
  private static let clean = SourceTree(
    manifest: manifest,
    files: [
      "Package.swift": """
      let package = Package(
        products: [.library(name: "TimeTracking", targets: ["TimeTracking"])],
        dependencies: [
          // The reason.
          .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")
        ],
        targets: [
          .target(name: "RetraceAvro"),
          .target(name: "TimeTracking", dependencies: ["RetraceArchitecture"]),
          .target(name: "RetraceReplay", dependencies: ["RetraceStorage"]),
        ]
      )
      """,
      "Sources/CLMDB/shim.h": "#include <lmdb.h>\n",
      "Sources/RetraceReplay/Replayer.swift": "internal import RetraceStorage\n",
      "Sources/RetraceReplay/RetraceReplay.docc/RetraceReplay.md":
        String(repeating: "word ", count: 50),
      "Tests/RetraceReplayTests/A.swift": "@Test func a() {}\n",
      "Sources/TimeTracking/State.swift":
        "// unsafe words in a comment, print(1)\nlet a = \"unsafe\"\n",
      "Sources/RetraceLMDB/Call.swift": "let a = unsafe call()\nlet b = try !a()\n",
    ])

  private static func planted(_ path: String, _ text: String) -> SourceTree {
    var tree = clean
    tree.files[path] = (tree.files[path] ?? "") + text
    return tree
  }

  /// Returns the clean package with another target in place of the one with its name.
  private static func changed(
    _ name: String, _ change: (inout Manifest.Target) -> Void
  ) throws -> SourceTree {
    var tree = clean
    let index = try #require(tree.manifest.targets.firstIndex { $0.name == name })
    change(&tree.manifest.targets[index])
    return tree
  }

  @Test("The clean package has no findings except missing pages and tests")
  func clean() {
    let tree = PlantedViolationTests.clean
    #expect(WallRules(tree).dependencies() == [])
    #expect(WallRules(tree).imports() == [])
    #expect(EdgeRules(tree).repeated() == [])
    #expect(WallRules(tree).purity() == [])
    #expect(WallRules(tree).safety() == [])
    #expect(WallRules(tree).locks() == [])
    #expect(LayoutRules(tree).topLevel() == [])
    #expect(LayoutRules(tree).names() == [])
    #expect(LayoutRules(tree).manifests() == [])
    #expect(NameRules(tree).files() == [])
    #expect(NameRules(tree).types() == [])
    #expect(!LayoutRules(tree).pagesAndTests().contains { $0.path.contains("RetraceReplay/") })
    #expect(!LayoutRules(tree).pagesAndTests().contains { $0.path.contains("RetraceReplayTests") })
    #expect(TextRules(tree).lines() == [])
    #expect(TextRules(tree).leftoverMarks() == [])
    #expect(TextRules(tree).functions() == [])
    #expect(TextRules(tree).machinePaths() == [])
    #expect(ClockRules(tree).timesOfDay() == [])
  }

  @Test(
    "A dependency that the rules do not allow is found",
    arguments: [
      ("RetraceReplay", "RetraceRecording"), ("TimeTracking", "RetraceSystem"),
      ("TrackerApp", "CLMDB"),
    ])
  func dependency(user: String, used: String) throws {
    let tree = try PlantedViolationTests.changed(user) { $0.targets.append(used) }
    #expect(WallRules(tree).dependencies().count == 1)
  }

  @Test("A module behind several others is found")
  func wallBehindOthers() throws {
    let tree = try PlantedViolationTests.changed("audit") { $0.targets.append("TrackerApp") }
    let problems = WallRules(tree).dependencies().map(\.problem)
    #expect(problems.contains { $0.hasPrefix("audit may not reach RetraceRecording") })
    #expect(problems.contains { $0.hasPrefix("audit may not reach TimeTracking") })
  }

  @Test("A wall that names no target is found")
  func wallWithoutTarget() throws {
    let before = WallRules(PlantedViolationTests.clean).names().count
    let tree = try PlantedViolationTests.changed("audit") { $0.name = "audit2" }
    #expect(WallRules(tree).names().count == before + 1)
  }

  /// A package in which `TimeTracking` lists two modules and uses both.
  private static func edges(_ change: (inout SourceTree) -> Void) -> EdgeRules {
    var tree = clean
    tree.files["Package.swift"] = """
      let package = Package(
        targets: [
          .target(name: "RetraceState"),
          .target(name: "CivilTime"),
          .target(name: "RetraceScreen", dependencies: ["RetraceState"]),
          .target(name: "TimeTracking", dependencies: ["RetraceState", "CivilTime"]),
          .testTarget(name: "TimeTrackingTests", dependencies: ["TimeTracking"]),
        ])
      """
    tree.manifest.targets = [
      ("RetraceState", []), ("CivilTime", []), ("RetraceScreen", ["RetraceState"]),
      ("TimeTracking", ["RetraceState", "CivilTime"]),
    ].map { name, targets in
      Manifest.Target(
        name: name, kind: .library, path: "Sources/\(name)", targets: targets, products: [])
    }
    tree.files["Sources/RetraceState/Moment.swift"] = "public struct Moment {}\n"
    tree.files["Sources/RetraceScreen/Key.swift"] =
      "import RetraceState\npackage func key(_ moment: Moment) {}\n"
    tree.files["Sources/CivilTime/Moment+Text.swift"] =
      "extension Moment {\n  public var timestamp: String { \"\" }\n  var own: Int { 1 }\n}\n"
    tree.files["Sources/TimeTracking/State.swift"] =
      "import RetraceState\nimport CivilTime\nlet a = Moment().timestamp\n"
    change(&tree)
    return EdgeRules(tree)
  }

  @Test("Edges that are used are not found")
  func usedEdges() {
    let rules = PlantedViolationTests.edges { _ in }
    #expect(rules.listed.count == 5)
    #expect(rules.unused() == [] && rules.repeated() == [] && rules.found() == [])
  }

  @Test(
    "An edge that no file uses is found",
    arguments: [
      // Imported nowhere.
      ("import RetraceState\nlet a = Moment()\n", "CivilTime"),
      // Imported, and nothing of it is named: neither what another module declares, nor what is
      // internal, nor what is in a comment.
      ("import RetraceState\nimport CivilTime\nlet a = Moment()\n", "CivilTime"),
      ("import RetraceState\nimport CivilTime\nlet a = Moment().own\n", "CivilTime"),
      ("import RetraceState\nimport CivilTime\nlet a = b.timestamp // Moment\n", "RetraceState"),
    ])
  func unusedEdge(text: String, module: String) {
    let rules = PlantedViolationTests.edges { $0.files["Sources/TimeTracking/State.swift"] = text }
    let problems = rules.unused().map(\.problem)
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("TimeTracking lists \(module)") == true)
  }

  @Test("What a module exports is used by who imports it")
  func exportedEdge() {
    func unused(_ line: String) -> [String] {
      PlantedViolationTests.edges { tree in
        tree.files["Sources/CivilTime/Moment+Text.swift"] = line
        tree.files["Sources/TimeTracking/State.swift"] =
          "import RetraceState\nimport CivilTime\nlet a = Moment()\n"
      }.unused().map(\.problem)
    }
    #expect(unused("@_exported public import RetraceState\n") == [])
    #expect(unused("public import RetraceState\n").count == 1)
  }

  @Test("A module that signatures name and that is not exported is found")
  func notExported() {
    func problems(_ line: String) -> [String] {
      PlantedViolationTests.edges { tree in
        tree.files["Sources/TimeTracking/State.swift"] = "public import CivilTime\n"
        tree.files["Sources/TimeTracking/Exports.swift"] = line
      }.notExported(from: ["TimeTracking"]).map(\.problem)
    }
    #expect(problems("") == ["TimeTracking imports CivilTime publicly, and does not export it"])
    #expect(problems("@_exported public import CivilTime\n") == [])
  }

  @Test("A module that is reached through another one and listed again is found")
  func repeatedEdge() {
    let rules = PlantedViolationTests.edges { tree in
      tree.files["Package.swift"]?.replace(
        "[\"RetraceState\", \"CivilTime\"]",
        with: "[\"RetraceState\", \"CivilTime\", \"RetraceScreen\"]")
    }
    #expect(
      rules.repeated().map(\.problem)
        == ["TimeTracking lists RetraceState, which it reaches through RetraceScreen"])
    // The package manager was not asked again, so it does not know the third.
    #expect(rules.found().count == 1)
  }

  @Test("A product of another package that the rules forbid is found")
  func product() throws {
    let tree = try PlantedViolationTests.changed("RetraceAvro") { $0.products.append("Crypto") }
    #expect(WallRules(tree).dependencies().count == 1)
  }

  @Test(
    "A forbidden import is found",
    arguments: [
      ("Sources/RetraceReplay/A.swift", "import RetraceRecording\n"),
      ("Sources/RetraceReplay/A.swift", "internal import Foundation\n"),
      ("Sources/TimeTracking/A.swift", "public import Glibc\n"),
      ("Sources/TimeTracking/A.swift", "import func Glibc.time\n"),
      ("Sources/TimeTracking/A.swift", "import Synchronization\n"),
      ("Sources/RetraceArchitecture/A.swift", "@_exported import Dispatch\n"),
      ("Sources/RetraceStorage/A.swift", "import CLMDB\n"),
      ("Sources/TrackerApp/A.swift", "import RetraceLMDB\n"),
      ("Sources/TimeTracking/A.swift", "import RetraceScreen\n"),
      ("Sources/Elsewhere/A.swift", "let a = 1\n"),
      ("Tests/TimeTrackingTests/A.swift", "@testable import RetraceAvro\n"),
    ])
  func importLine(path: String, text: String) {
    let findings = WallRules(PlantedViolationTests.planted(path, text)).imports()
    #expect(findings.map(\.path) == [path])
  }

  @Test(
    "An impurity is found",
    arguments: [
      "let a = Date()", "let a = Int.random(in: 0...1)", "let a = UUID()",
      "let a = ContinuousClock().now", "print(1)", "let a = \"\\(b.hashValue)\"",
      "Task { }", "let a = b.shuffled()",
    ])
  func impurity(text: String) {
    let path = "Sources/TimeTracking/State.swift"
    #expect(WallRules(PlantedViolationTests.planted(path, text)).purity().first?.line == 3)
    let tool = PlantedViolationTests.planted("Sources/TrackerApp/A.swift", text)
    #expect(WallRules(tool).purity() == [])
  }

  @Test(
    "Unsafe code in another module is found",
    arguments: [
      "let a = unsafe b", "struct A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1",
      "let a = try! b()", "let a = b as! C", "unowned let a: B", "let a = \"\\(unsafe b)\"",
    ])
  func unsafeCode(text: String) {
    let tree = PlantedViolationTests.planted("Sources/RetraceStorage/A.swift", text)
    #expect(WallRules(tree).safety().map(\.line) == [1])
  }

  @Test("Another lock is found, also in tests")
  func otherLock() {
    let planted = PlantedViolationTests.planted
    let lock = "let a = Mutex(0)\nlet b = Lock(0) // not a Mutex\n"
    for path in ["Sources/RetraceStorage/A.swift", "Tests/RetraceReplayTests/A.swift"] {
      #expect(WallRules(planted(path, lock)).locks().map(\.path) == [path])
    }
    #expect(WallRules(planted(Walls.lockFile, lock)).locks() == [])
  }

  @Test("Output from a file that may not write it is found")
  func outputFile() {
    let planted = PlantedViolationTests.planted
    let outputFile = "Sources/TrackerApp/Scene/PipeDriver.swift"
    for call in ["try Console.write(text)\n", "let mode = try RawMode()\n"] {
      let rules = WallRules(planted("Sources/TrackerApp/A.swift", call))
      #expect(rules.outputFiles().map(\.line) == [1])
      #expect(WallRules(planted(outputFile, call)).outputFiles() == [])
    }
  }

  @Test(
    "A file out of place is found",
    arguments: ["NOTES.md", "Scripts/run", "Package.resolved", "Tools/generate/Package.resolved"])
  func place(path: String) {
    let tree = PlantedViolationTests.planted(path, "a\n")
    #expect(LayoutRules(tree).topLevel().map(\.path) == [path])
  }

  @Test("A missing page, an empty page and missing tests are found")
  func pagesAndTests() {
    var tree = PlantedViolationTests.clean
    func paths() -> [String] { LayoutRules(tree).pagesAndTests().map(\.path) }
    let page = "Sources/RetraceReplay/RetraceReplay.docc/RetraceReplay.md"
    #expect(!paths().contains(page))
    tree.files[page] = "# ``RetraceReplay``\n"
    #expect(paths().contains(page))
    tree.files[page] = nil
    #expect(paths().contains(page))
    #expect(!paths().contains("Tests/RetraceReplayTests/"))
    tree.files["Tests/RetraceReplayTests/A.swift"] = "// nothing yet\n"
    #expect(paths().contains("Tests/RetraceReplayTests/"))
  }

  @Test("An executable with more code than an entry point is found")
  func executable() throws {
    var tree = try PlantedViolationTests.changed("audit") { $0.kind = .executable }
    tree.files["Sources/audit/A.swift"] = String(repeating: "\n", count: 600)
    #expect(LayoutRules(tree).executables() == [])
    tree = try PlantedViolationTests.changed("track") { $0.kind = .executable }
    tree.files["Sources/track/Main.swift"] = String(repeating: "\n", count: 200)
    #expect(LayoutRules(tree).executables() == [])
    tree.files["Sources/track/Verb.swift"] = "\n"
    #expect(LayoutRules(tree).executables().map(\.path) == ["Sources/track"])
  }

  @Test(
    "A name that is too general is found",
    arguments: ["Utils.swift", "StringHelpers.swift", "Misc.swift", "Common+A.swift"])
  func name(file: String) {
    let tree = PlantedViolationTests.planted("Sources/TimeTracking/\(file)", "\n")
    #expect(LayoutRules(tree).names().count == 1)
  }

  @Test(
    "A file with the name of another one is found",
    arguments: ["Sources/TimeTracking/Call.swift", "Benchmarks/Codec/Call.swift"])
  func fileOfOneName(path: String) throws {
    let tree = PlantedViolationTests.planted(path, "\n")
    let finding = try #require(NameRules(tree).files().first)
    #expect("\(finding)".contains(path))
    #expect("\(finding)".contains("Sources/RetraceLMDB/Call.swift"))
  }

  @Test("Manifests and entry points may have one name")
  func fileOfAllowedName() {
    var tree = PlantedViolationTests.planted("Tools/lint/Package.swift", "\n")
    tree.files["Tools/lint/Sources/lint/Main.swift"] = "@main enum Main {}\n"
    tree.files["Tools/track/Main.swift"] = "@main enum Main {}\n"
    #expect(NameRules(tree).files() == [])
    #expect(NameRules(tree).types() == [])
  }

  @Test(
    "A type with the name of a type in another module is found",
    arguments: [
      ("Sources/TrackerApp/A.swift", "struct Timer {}"),
      ("Sources/TrackerApp/A.swift", "private final class Timer {}"),
      ("Sources/track/A.swift", "public typealias Timer = Int"),
      ("Tools/lint/Sources/FoldLint/A.swift", "enum Timer { case a }"),
    ])
  func typeOfOneName(path: String, text: String) {
    var tree = PlantedViolationTests.planted(path, text + "\n")
    #expect(NameRules(tree).types() == [])
    tree.files["Sources/TimeTracking/Timer.swift"] = "public protocol Timer {}\n"
    #expect(NameRules(tree).types().count == 1)
  }

  @Test(
    "A nested type, a type of the same module and a type of a test may have the name of another",
    arguments: [
      ("Sources/TrackerApp/A.swift", "enum Clock { struct Timer {} }"),
      ("Sources/TrackerApp/A.swift", "func clock() { struct Timer {} }"),
      ("Sources/TimeTracking/A.swift", "private struct Timer {}"),
      ("Tests/TimeTrackingTests/B.swift", "struct Timer {}"),
      ("Sources/Examples/A.swift", "struct Timer {}"),
    ])
  func typeOfAllowedName(path: String, text: String) {
    var tree = PlantedViolationTests.planted(path, text + "\n")
    tree.files["Sources/TimeTracking/Timer.swift"] = "public protocol Timer {}\n"
    #expect(NameRules(tree).types() == [])
  }

  @Test("A file that a page names and that does not exist is found")
  func namedFile() {
    let page = "`Sources/TimeTracking` exists, `Sources/TimeTracking/Gone.swift` does not.\n"
    let tree = PlantedViolationTests.planted("Sources/TimeTracking/Page.md", page)
    let problems = LayoutRules(tree).namedFiles().map(\.problem)
    #expect(problems == ["there is no Sources/TimeTracking/Gone.swift"])
  }

  @Test("A dependency without its reason and unsafe flags are found")
  func manifest() {
    var bare = PlantedViolationTests.clean
    bare.files["Package.swift"]?.replace("    // The reason.\n", with: "")
    #expect(LayoutRules(bare).manifests().count == 1)
    let flags = PlantedViolationTests.planted("Package.swift", ".unsafeFlags([\"-O\"])\n")
    #expect(LayoutRules(flags).manifests().count == 1)
    let ofTests = "for target in package.targets where target.type == .test {\n.unsafeFlags([])\n"
    let allowed = PlantedViolationTests.planted("Package.swift", ofTests)
    #expect(LayoutRules(allowed).manifests().isEmpty)
  }

  @Test(
    "A line that is long or unclean is found",
    arguments: [String(repeating: "a", count: 101), "let a = 1 ", "\tlet a = 1", "let a = 1\r"])
  func line(text: String) {
    let planted = PlantedViolationTests.planted
    #expect(TextRules(planted("Sources/TimeTracking/A.swift", text + "\n")).lines().count == 1)
    #expect(TextRules(planted("Tools/run", text + "\n")).lines().count == 1)
    let generated = "// Generated by a tool.\n" + text
    #expect(TextRules(planted("Sources/TimeTracking/A.swift", generated)).lines() == [])
  }

  @Test("A script that continues after a failure is found")
  func script() {
    func count(_ text: String) -> Int {
      TextRules(PlantedViolationTests.planted("Tools/run", text)).scripts().count
    }
    #expect(count("#!/bin/bash\nset -euo pipefail\necho a\n") == 0)
    #expect(count("#!/bin/bash\necho a\n") == 1)
    #expect(count("set -euo pipefail\necho a\n") == 1)
  }

  @Test("A mark for later work is found", arguments: ["// FIX" + "ME later", "# TO" + "DO: x"])
  func leftover(text: String) {
    #expect(TextRules(PlantedViolationTests.planted("README.md", text)).leftoverMarks().count == 1)
  }

  @Test("A fixed name of the replay tool is found")
  func replayName() {
    func count(_ line: String, in path: String = "Sources/RetraceReplayTool/A.swift") -> Int {
      TextRules(PlantedViolationTests.planted(path, line + "\n")).replayNames().count
    }
    #expect(count("  advice: \"Run `replay verify` first.\")") == 1)
    #expect(count("  replay show --last 20") == 1)
    #expect(count("  /// As `replay show` prints it.") == 0)
    #expect(count("  advice: \"Run `\\(ToolProcess.replay) verify` first.\")") == 0)
    #expect(count("  \"Compare with ../old-build/replay step by step.\"") == 0)
    #expect(count("  advice: \"Run `replay verify`.\"", in: "Tools/audit/A.swift") == 0)
  }

  @Test("A long function is found")
  func function() {
    let body = String(repeating: "  a += 1\n", count: 69)
    let path = "Sources/TimeTracking/A.swift"
    let fits = PlantedViolationTests.planted(path, "func a() {\n" + body.dropFirst(9) + "}\n")
    #expect(TextRules(fits).functions() == [])
    let long = PlantedViolationTests.planted(path, "struct B {\nfunc a() {\n\(body)}\n}\n")
    #expect(TextRules(long).functions().map(\.line) == [2])
    let maker = PlantedViolationTests.planted(
      path, "struct B {\ninit(\n  a: Int\n) {\n\(body)}\n}\n")
    #expect(TextRules(maker).functions().map(\.line) == [2])
  }

  @Test(
    "The name of a machine or of an unknown host is found",
    arguments: [
      "cd /wo" + "rk/main", "\"/ro" + "ot/x\"", "/tm" + "p/wt/a", "PATH=/op" + "t/swift/usr/bin",
      "see htt" + "ps://packages.internal/simple", "pip --index-" + "url=x",
    ])
  func machine(text: String) {
    #expect(TextRules(PlantedViolationTests.planted("README.md", text)).machinePaths().count == 1)
  }

  @Test(
    "A time of the day on the real clock is found",
    arguments: [
      #"func a() throws { try expectFine(["track", "add", "8:00 - 9:00", "x"] + store) }"#,
      #"func a() throws { let b = ["log", "monday"]; try expectFine(["track"] + b) }"#,
      #"func a() throws { for b in ["9:00"] { try expectFine(["track", "stop", b]) } }"#,
      #"func a() throws { try with { desk in try desk.timeless("add 9:00 - 10:00 x") } }"#,
      #"func a() throws { try shell("track start '9:00' x; track stop") }"#,
      #"func a() { run("start", "1\(b):00") }; func run(_ c: String...) { d(["track"] + c) }"#,
      #"struct A { let b = ["stop", "9:00"]; func c() { run(["track"] + b) } }"#,
      #"let b = Self.now; func a() { let b = c; run(["track", "stop", "9:00"] + b) }"#,
    ])
  func timeOfDay(text: String) {
    let path = "Tests/RetraceReplayTests/B.swift"
    let tree = PlantedViolationTests.planted(path, "import ToolTestSupport\n\(text)\n")
    #expect(ClockRules(tree).timesOfDay().map(\.line) == [2])
  }

  @Test(
    "A time of the day is no violation with a fixed clock or a date, or if it is expected",
    arguments: [
      #"func a() throws { try expectFine(["track", "add", "8:00", "--now", b] + store) }"#,
      #"func a() throws { try expectFine(["track", "add", "2026-03-02", "8:00 - 9:00", "x"]) }"#,
      #"func a() throws { try expectFine(["track", "stop", "3/2/2026 9:00"]) }"#,
      #"struct A { let now = ["--now", b]; func c() { run(["track", "stop", "9:00"] + now) } }"#,
      #"func a() { b { s in run(["track", "stop", "9:00"] + s) } }; func b() { c("--now") }"#,
      #"func a() throws { try with { desk in try desk.fine("add 9:00 - 10:00 x") } }"#,
      #"func a() throws { #expect(try run(["track", "log"]) == ["9:00", b]) }"#,
      #"func a() throws { #expect(try run(["track", "log"]).contains(" 9:00 ")) }"#,
      #"func a() throws { try expectFailure(["track", "log"], mentions: ["9:00"]) }"#,
      #"func a() throws { try expectFine(["track", "preferences", "--week-start", "monday"]) }"#,
      #"func a() throws { read("9:00") }"#,
    ])
  func noTimeOfDay(text: String) {
    let path = "Tests/RetraceReplayTests/B.swift"
    let tree = PlantedViolationTests.planted(path, "import ToolTestSupport\n\(text)\n")
    #expect(ClockRules(tree).timesOfDay() == [])
  }

  @Test("A time of the day in a script on the real clock is found")
  func timeOfDayInScript() {
    func count(_ text: String) -> Int {
      ClockRules(PlantedViolationTests.planted("Tools/run", text)).timesOfDay().count
    }
    #expect(count("track start 9:00 work\n") == 1)
    #expect(count("track start 9:00 work --now \"$now\"\n") == 0)
    #expect(count("track start '2026-03-02 9:00' work\necho 9:00\n") == 0)
  }

  @Test("Comments and string literals are not code, but interpolations are")
  func code() {
    let code = SwiftCode(
      ##"""
      let a = "x // \(b("y")) z" /* c /* d */ e */ + f
      let g = """
        h \(i)
        """
      let j = #"k" \#(l) \(m)"# // n
      """##)
    let words = code.tokens.map(\.text).filter { $0.allSatisfy(\.isLetter) && !$0.isEmpty }
    #expect(words == ["let", "a", "b", "f", "let", "g", "i", "let", "j", "l"])
    #expect(code.lines(with: "i") == [3])
  }
}
