/// The walls between modules, as the documentation draws them.
enum Walls {
  /// The drawn edges: a module may use what it can reach over them.
  static let edges: [String: Set<String>] = [
    "CLMDB": [],
    "CHashes": [],
    "RetraceLMDB": ["CLMDB"],
    "RetraceAvro": [],
    // The protocol of hashers lives in RetraceAvro; System implements it.
    "RetraceSystem": ["RetraceAvro", "CHashes"],
    "RetraceTerminal": ["RetraceSystem"],
    "RetraceSchema": ["RetraceAvro"],
    "RetraceState": ["RetraceAvro"],
    "RetraceScreen": ["RetraceAvro"],
    "CivilTime": ["RetraceState"],
    "RetraceArchitecture": ["RetraceState", "RetraceScreen", "RetraceSchema"],
    "RetraceLog": ["RetraceArchitecture"],
    "Retrace": ["RetraceLog", "CivilTime"],
    "RetraceStorage": ["RetraceLog", "RetraceLMDB", "RetraceSystem"],
    "RetraceRecording": ["RetraceStorage"],
    "RetraceReplay": ["RetraceStorage", "CivilTime"],
    "RetraceBench": ["RetraceStorage"],
    "TerminalUI": ["RetraceArchitecture", "RetraceTerminal"],
    // What the three tools share; it stands on storage, so that `audit` can use it.
    "RetraceToolSupport": ["RetraceStorage", "RetraceTerminal", "CivilTime"],
    "RetraceReplayTool": ["RetraceReplay", "RetraceBench", "TerminalUI", "RetraceToolSupport"],
    "RetraceTestSupport": ["RetraceArchitecture"],
    "ToolTestSupport": ["RetraceSystem", "CivilTime"],
    "TimeTracking": ["RetraceArchitecture", "CivilTime"],
    "TrackerApp": ["TimeTracking", "RetraceRecording", "TerminalUI"],
    "track": ["TrackerApp", "RetraceToolSupport"],
    "replay": ["RetraceReplayTool", "TimeTracking"],
    "audit": ["RetraceStorage", "RetraceToolSupport"],
    "reducer-fingerprint": [],
    "ReducerFingerprint": ["reducer-fingerprint"],
  ]

  /// Modules that only these may use, though more could reach them.
  static let onlyUsers: [String: Set<String>] = [
    "CLMDB": ["RetraceLMDB"],
    "CHashes": ["RetraceSystem"],
    "RetraceLMDB": ["RetraceStorage"],
    "RetraceTestSupport": [],
    "ToolTestSupport": [],
  ]

  /// Modules of no target of this package, and who may use them; nobody may use another.
  static let foreign: [String: Set<String>] = [
    // The tool of the plugin is built before any module is.
    "Glibc": ["RetraceSystem", "RetraceTerminal", "RetraceLMDB", "reducer-fingerprint"],
    "PackagePlugin": ["ReducerFingerprint"],
    "ArgumentParser": ["RetraceToolSupport", "RetraceReplayTool", "track", "audit"],
    "Synchronization": [
      "RetraceLMDB", "RetraceSystem", "RetraceTerminal", "RetraceStorage", "RetraceRecording",
      "RetraceReplay", "RetraceBench", "RetraceReplayTool", "RetraceToolSupport", "TerminalUI",
      "TrackerApp", "track", "audit",
      "testapp",
    ],
  ]

  /// No clock, no files, no storage, no randomness: a value of state depends on the log alone.
  static let pure: Set<String> = [
    "RetraceAvro", "RetraceSchema", "RetraceState", "RetraceScreen", "RetraceArchitecture",
    "RetraceLog", "Retrace", "CivilTime", "TimeTracking",
  ]

  /// Where C is called and unsafe code may stand.
  static let unsafe: Set<String> = ["RetraceLMDB", "RetraceSystem", "RetraceTerminal"]

  /// Files outside of them that may hold the word, each with its reason.
  static let unsafeExceptions: [String: String] = [
    "Tools/fingerprint/Digest/SourceFiles.swift": "reads files before RetraceSystem is built"
  ]

  /// Files that write to the standard outputs, each with what makes that harmless.
  static let doors: [String: String] = [
    "Sources/RetraceToolSupport/Output.swift": "passes SafeText, or JSON that escapes as much",
    "Sources/TerminalUI/Session/TerminalSession.swift": "writes what AnsiRenderer made of a screen",
    "Sources/TrackerApp/Scene/PipeDriver.swift": "writes lines of PlainRenderer and SafeText",
    "Tools/track/ProgressPrinter.swift": "writes what ProgressBar made",
  ]

  /// Modules without a test target of their own, each with its reason.
  static let untested: [String: String] = [
    "CLMDB": "a header of another project",
    "CHashes": "tested through RetraceSystem",
    "RetraceTestSupport": "used by the tests of every other module",
    "ToolTestSupport": "used by the tests that run the tools",
    "RetraceToolSupport": "tested through the three tools, in ToolTests",
    "Retrace": "only exports other modules",
    "RetraceSchema": "tested in RetraceAvroTests, whose generated types it resolves",
    "RetraceBench": "tested in RetraceReplayTests, which record its logs",
  ]

  /// What a module may use over the drawn edges.
  static func reach(of module: String) -> Set<String> {
    var reached: Set<String> = []
    var waiting = edges[module] ?? []
    while let next = waiting.popFirst() {
      guard reached.insert(next).inserted else { continue }
      waiting.formUnion(edges[next] ?? [])
    }
    return reached
  }

  /// Tells whether a module may use another of this package, and if not, why.
  static func refusal(of used: String, by user: String) -> String? {
    if let users = onlyUsers[used], !users.contains(user) {
      return "\(user) uses \(used), which is for \(users.sorted()) only"
    }
    return reach(of: user).contains(used) ? nil : "no drawn edge leads from \(user) to \(used)"
  }
}
