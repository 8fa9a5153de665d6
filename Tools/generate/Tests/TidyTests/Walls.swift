/// The modules that each module may use, as in the documentation.
enum Walls {
  /// The edges of the graph of modules; a module may use all modules that it reaches.
  static let edges: [String: Set<String>] = [
    "CLMDB": [],
    "CHashes": [],
    "CRetraceSystem": [],
    "RetraceAvro": [],
    // RetraceAvro declares the protocol of hashers, and RetraceSystem implements it.
    "RetraceSystem": ["RetraceAvro", "CHashes", "CRetraceSystem"],
    // RetraceSystem has the lock that every module uses.
    "RetraceLMDB": ["CLMDB", "RetraceSystem"],
    "LMDBFile": ["RetraceSystem"],
    "RetraceTerminal": ["RetraceSystem"],
    "RetraceSchema": ["RetraceAvro"],
    "RetraceState": ["RetraceAvro"],
    "RetraceScreen": ["RetraceAvro"],
    "CivilTime": ["RetraceState"],
    "RetraceArchitecture": ["RetraceState", "RetraceScreen", "RetraceSchema"],
    "RetraceLog": ["RetraceArchitecture"],
    "Retrace": ["RetraceLog", "CivilTime"],
    "RetraceStorage": ["RetraceLog", "RetraceLMDB", "LMDBFile", "RetraceSystem"],
    "RetraceRecording": ["RetraceStorage"],
    "RetraceReplay": ["RetraceStorage", "CivilTime"],
    "RetraceBench": ["RetraceStorage"],
    "TerminalUI": ["RetraceArchitecture", "RetraceTerminal"],
    "RetraceCommandLine": [],
    "RetraceFilter": [],
    "RetraceConfiguration": [],
    // Shared by the three tools; it depends on storage, not on replay, so that `audit` can use it.
    "RetraceToolSupport": [
      "RetraceStorage", "RetraceTerminal", "RetraceConfiguration", "CivilTime",
    ],
    "RetraceToolCommands": ["RetraceToolSupport", "RetraceFilter"],
    "RetraceReplayTool": ["RetraceReplay", "RetraceBench", "TerminalUI", "RetraceToolCommands"],
    "RetraceTestSupport": ["RetraceArchitecture", "RetraceSystem"],
    "ToolTestSupport": ["RetraceSystem", "CivilTime"],
    "TimeTracking": ["RetraceArchitecture", "RetraceFilter", "CivilTime"],
    "TrackerFormats": ["TimeTracking"],
    "TrackerFeatures": ["TimeTracking"],
    "TrackerApp": ["TrackerFeatures", "TrackerFormats", "RetraceRecording", "TerminalUI"],
    "TrackerCommandLine": ["TrackerApp", "RetraceToolSupport", "RetraceCommandLine"],
    "track": ["TrackerCommandLine"],
    "replay": ["RetraceReplayTool", "TrackerFeatures"],
    "audit": ["RetraceToolCommands"],
    "reducer-fingerprint": [],
    "ReducerFingerprint": ["reducer-fingerprint"],
  ]

  /// Modules that only the listed modules may use, although others reach them.
  static let onlyUsers: [String: Set<String>] = [
    "CLMDB": ["RetraceLMDB"],
    "CHashes": ["RetraceSystem"],
    "CRetraceSystem": ["RetraceSystem", "RetraceTerminal"],
    "RetraceLMDB": ["RetraceStorage"],
    "LMDBFile": ["RetraceStorage", "RetraceReplayTool"],
    "RetraceTestSupport": [],
    "ToolTestSupport": [],
  ]

  /// The modules from outside this package that may be used, each with the modules that may use it.
  static let externalModules: [String: Set<String>] = [
    // The plugin's tool is built before any module, so it calls C itself.
    "Glibc": ["RetraceSystem", "RetraceTerminal", "RetraceLMDB", "reducer-fingerprint"],
    "PackagePlugin": ["ReducerFingerprint"],
    "ArgumentParser": ["RetraceToolCommands", "RetraceReplayTool", "audit"],
    "Synchronization": [
      "RetraceLMDB", "RetraceSystem", "RetraceTerminal", "RetraceStorage", "RetraceRecording",
    ],
  ]

  /// The modules without clocks, files, storage and randomness, so that a state depends on the log
  /// alone.
  static let pure: Set<String> = [
    "RetraceAvro", "RetraceSchema", "RetraceState", "RetraceScreen", "RetraceArchitecture",
    "RetraceLog", "RetraceCommandLine", "RetraceFilter", "RetraceConfiguration", "Retrace",
    "CivilTime", "TimeTracking", "TrackerFormats", "TrackerFeatures",
  ]

  /// The modules that may call C and contain unsafe code.
  static let unsafe: Set<String> = ["RetraceLMDB", "RetraceSystem", "RetraceTerminal"]

  /// Files in other modules that may contain unsafe code, each with the reason.
  static let unsafeExceptions: [String: String] = [
    "Tools/fingerprint/Digest/SourceFiles.swift": "reads files before RetraceSystem is built"
  ]

  /// The only file that uses a lock of the standard library or of C.
  static let lockFile = "Sources/RetraceSystem/Threads/Lock.swift"

  /// Files that write to the standard outputs, each with the reason why that is safe.
  static let outputFiles: [String: String] = [
    "Sources/RetraceToolSupport/StandardStreams.swift":
      "written to by Output, which prints text escaped by SafeText or as JSON",
    "Sources/TerminalUI/Session/TerminalSession.swift": "writes what AnsiRenderer made of a screen",
    "Sources/TrackerApp/Scene/PipeDriver.swift": "writes lines of PlainRenderer and SafeText",
  ]

  /// Modules without a test target of their own, each with its reason.
  static let untested: [String: String] = [
    "CLMDB": "a header of another project",
    "CHashes": "tested through RetraceSystem",
    "RetraceTestSupport": "used by the tests of every other module",
    "ToolTestSupport": "used by the tests that run the tools",
    "RetraceToolSupport": "tested through the three tools, in ToolTests",
    "RetraceToolCommands": "tested through replay and audit, in ToolTests",
    "Retrace": "only exports other modules",
    "RetraceSchema": "tested in RetraceAvroTests, whose generated types it resolves",
    "RetraceBench": "tested in RetraceReplayTests, which record its logs",
  ]

  /// Executables with more lines than ``LayoutRules/executableLinesMax``, each with its reason.
  static let longExecutables: [String: String] = [
    "audit": "a file for each subcommand; what they share is RetraceToolCommands",
    "testapp": "an app for the tests alone",
    "reducer-fingerprint": "has no dependencies, because the build compiles it for the host, too",
  ]

  /// Returns the modules that a module reaches by the edges.
  static func reachable(from module: String) -> Set<String> {
    var reached: Set<String> = []
    var waiting = edges[module] ?? []
    while let next = waiting.popFirst() {
      guard reached.insert(next).inserted else { continue }
      waiting.formUnion(edges[next] ?? [])
    }
    return reached
  }

  /// Returns why a module may not use another one of this package; `nil` if it may.
  static func violation(of used: String, by user: String) -> String? {
    if let users = onlyUsers[used], !users.contains(user) {
      return "\(user) uses \(used), which is for \(users.sorted()) only"
    }
    return reachable(from: user).contains(used) ? nil : "\(user) may not use \(used)"
  }
}
