/// The boundaries between modules, and what is allowed where.
///
/// The manifest lists what each module depends on. A wall is what no such list may do.
enum Walls {
  /// Modules that others may not reach.
  struct Wall {
    var of: Set<String>
    var unreachable: Set<String>
    var reason: String
  }

  /// The modules that know time tracking.
  static let tracker: Set<String> = [
    "TimeTracking", "TrackerFormats", "TrackerFeatures", "TrackerApp", "TrackerCommandLine",
    "track", "replay",
  ]

  /// The modules for any app.
  static let generic: Set<String> = pure.subtracting(tracker).union([
    "RetraceSystem", "RetraceLMDB", "LMDBFile", "RetraceStorage", "RetraceRecording",
    "RetraceReplay", "RetraceToolSupport", "RetraceToolCommands", "RetracePlayer",
    "RetraceReplayTool",
    "RetraceRandom", "RetraceTesting", "RetraceFixtures", "TerminalUI", "RetraceTerminal",
    "RetraceProgram", "audit",
  ])

  /// The walls, each with its reason.
  static let walls = [
    Wall(
      of: [
        "RetraceReplay", "RetracePlayer", "RetraceReplayTool", "replay", "audit", "TerminalUI",
      ],
      unreachable: ["RetraceRecording", "RetraceTerminal", "RetraceProgram"],
      reason: "replay runs no effect"),
    Wall(
      of: ["audit"],
      unreachable: [
        "RetraceReplay", "RetracePlayer", "RetraceReplayTool", "TerminalUI",
      ],
      reason: "an audit does not depend on the code of replay or of an app"),
    Wall(
      of: ["TrackerCommandLine", "track"],
      unreachable: [
        "RetraceToolCommands", "RetraceReplayTool", "RetraceProgram", "ArgumentParser",
      ],
      reason: "short commands run in prompts"),
    Wall(of: generic, unreachable: tracker, reason: "the engine knows no time tracking"),
  ]

  /// Imports that a module may not have, although it reaches what they name; each with the reason.
  static let forbiddenImports: [String: [String: String]] = [
    "TimeTracking": ["RetraceScreen": "the domain has no screens"],
    "TrackerFormats": ["RetraceScreen": "files have no screens"],
  ]

  /// Modules that only the listed modules may use, although others reach them.
  static let onlyUsers: [String: Set<String>] = [
    "CLMDB": ["RetraceLMDB"],
    "CHashes": ["RetraceSystem"],
    "CRetraceSystem": ["RetraceSystem"],
    "RetraceLMDB": ["RetraceStorage"],
    "LMDBFile": ["RetraceStorage"],
    "RetraceRandom": ["RetraceTesting", "RetraceFixtures", "testapp"],
    "RetraceTesting": [],
    "RetraceFixtures": [],
    "ToolTestSupport": [],
  ]

  /// The modules from outside this package that may be used, each with the modules that may use it.
  static let externalModules: [String: Set<String>] = [
    // The plugin's tool is built before any module, so it calls C itself.
    "Glibc": ["RetraceSystem", "RetraceLMDB", "reducer-fingerprint"],
    "PackagePlugin": ["ReducerFingerprint"],
    "ArgumentParser": ["RetraceToolCommands", "RetraceReplayTool", "audit"],
    "Synchronization": ["RetraceLMDB", "RetraceSystem", "RetraceStorage", "RetraceRecording"],
    // A store of the main actor can be observed.
    "Observation": ["RetraceRecording"],
    // The issues of a test store are recorded by the framework that runs the test.
    "Testing": ["RetraceTesting"],
    "XCTest": ["RetraceTesting"],
  ]

  /// The modules without clocks, files, storage and randomness, so that a state depends on the log
  /// alone.
  static let pure: Set<String> = [
    "RetraceHashing", "RetraceAvro", "RetraceSchema", "RetraceState", "RetraceScreen",
    "RetraceArchitecture", "RetraceLog", "RetraceBundle", "RetraceCommandLine", "RetraceFilter",
    "Retrace", "RetracePage", "RetracePageFile", "CivilTime", "TimeTracking", "TrackerFormats",
    "TrackerFeatures",
  ]

  /// The modules that may call C and contain unsafe code.
  static let unsafe: Set<String> = ["RetraceLMDB", "RetraceSystem"]

  /// Files in other modules that may contain unsafe code, each with the reason.
  static let unsafeExceptions: [String: String] = [
    "Sources/RetraceRecording/Publishing/StateNode.swift":
      "a checked cast for each view and state would take a third of the time of asking it",
    "Sources/RetraceRecording/Views/Selector.swift":
      "as StateNode, of whose values only one thread at a time tells",
    "Sources/RetraceTesting/Issues/XCTestFailure.swift":
      "XCTest takes the path of a file as a static string, which a source location has not",
    "Tests/Support/PseudoTerminal.swift": "only tests make terminals",
    "Tools/fingerprint/Digest/SourceFiles.swift": "reads files before RetraceSystem is built",
  ]

  /// The only file that uses a lock of the standard library or of C.
  static let lockFile = "Sources/RetraceSystem/Threads/Lock.swift"

  /// Files that write to the standard outputs, each with the reason why that is safe.
  static let outputFiles: [String: String] = [
    "Sources/RetraceToolSupport/StandardStreams.swift":
      "written to by Output, which prints text escaped by SafeText or as JSON",
    "Sources/TerminalUI/Session/TerminalSession.swift": "writes what AnsiRenderer made of a screen",
    "Sources/RetraceTerminal/TerminalProgram+Lines.swift":
      "writes lines of PlainRenderer and SafeText",
    "Sources/RetraceReplayTool/Step/TerminalLines.swift": "writes the cells of a typed line",
    "Sources/TrackerApp/Scene/PipeDriver.swift": "writes lines of PlainRenderer and SafeText",
  ]

  /// Modules without a test target of their own, each with its reason.
  static let untested: [String: String] = [
    "CLMDB": "a header of another project",
    "CHashes": "tested through RetraceSystem",
    "RetraceFixtures": "used by the tests of every other module",
    "RetraceRandom": "tested in RetraceTestingTests, through the module that exports it",
    "ToolTestSupport": "used by the tests that run the tools",
    "RetraceToolSupport": "tested through the three tools, in ToolTests",
    "RetracePlayer": "tested in RetraceReplayToolTests, with the tool that shows it",
    "RetraceToolCommands": "tested through replay and audit, in ToolTests",
    "Retrace": "only exports other modules",
    "RetraceHashing": "tested through RetraceSystem and RetraceAvro",
    "RetraceSchema": "tested in RetraceAvroTests, whose generated types it resolves",
  ]

  /// Executables with more lines than ``LayoutRules/executableLinesMax``, each with its reason.
  static let longExecutables: [String: String] = [
    "audit": "a file for each subcommand; what they share is RetraceToolCommands",
    "testapp": "an app for the tests alone",
    "reducer-fingerprint": "has no dependencies, because the build compiles it for the host, too",
  ]

  /// Returns why a module may not use another one of this package; `nil` if it may.
  static func violation(of used: String, by user: String) -> String? {
    if let users = onlyUsers[used], !users.contains(user) {
      return "\(user) uses \(used), which is for \(users.sorted()) only"
    }
    return forbiddenImports[user]?[used].map { "\(user) may not import \(used): \($0)" }
  }
}
