// swift-tools-version: 6.2
import PackageDescription

/// The libraries, the tools, and the tests of both.
///
/// Code is a module of its own where the compiler has to refuse a dependency. A target lists what
/// it depends on directly; the loop at the end of this file adds the modules that these reach. The
/// rules in `Tools/generate/Tests/TidyTests` read these lists.
let package = Package(
  name: "retrace",
  products: [
    // What states, reducers, features and screens of an app import.
    .library(name: "Retrace", targets: ["Retrace"]),
    // What an app imports to open a store, its replay tool to read one, and its tests.
    .library(name: "RetraceRecording", targets: ["RetraceRecording"]),
    .library(name: "RetraceStorage", targets: ["RetraceStorage"]),
    // The log in one file, for a page.
    .library(name: "RetraceBundle", targets: ["RetraceBundle"]),
    .library(name: "RetraceReplay", targets: ["RetraceReplay"]),
    .library(name: "RetraceReplayTool", targets: ["RetraceReplayTool"]),
    .library(name: "RetraceTesting", targets: ["RetraceTesting"]),
    // Seeded random values, for benchmarks, too, which link no test framework.
    .library(name: "RetraceRandom", targets: ["RetraceRandom"]),
    // Screens on a terminal, and its keys; an app with a store on it.
    .library(name: "TerminalUI", targets: ["TerminalUI"]),
    .library(name: "RetraceTerminal", targets: ["RetraceTerminal"]),
    // A whole program: an app on a terminal, and its replay tool.
    .library(name: "RetraceProgram", targets: ["RetraceProgram"]),
    // The hash functions, which callers pass to the pure modules.
    .library(name: "RetraceSystem", targets: ["RetraceSystem"]),
    // The app that the benchmarks measure, and the time log that they import.
    .library(name: "TrackerFeatures", targets: ["TrackerFeatures"]),
    .library(name: "RetraceFixtures", targets: ["RetraceFixtures"]),
    // Runs tools as processes, for the tests of the examples.
    .library(name: "ToolTestSupport", targets: ["ToolTestSupport"]),
    .executable(name: "track", targets: ["track"]),
    .executable(name: "replay", targets: ["replay"]),
    .executable(name: "audit", targets: ["audit"]),
    .plugin(name: "ReducerFingerprint", targets: ["ReducerFingerprint"]),
  ],
  dependencies: [
    // The command lines of replay and audit.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // C and unsafe code.
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    // SHA-256 of the chain and of the state: hardware accelerated, no allocation for a digest.
    // XXH64 of the blocks: 3,490 instructions for 4,000 bytes, 13 % fewer than in Swift.
    .systemLibrary(
      name: "CHashes", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev", "libxxhash-dev"])]),
    // What Swift's Glibc module leaves out, such as `pipe2` and open file description locks.
    .target(name: "CRetraceSystem"),
    // It implements the protocol of hashers.
    .target(name: "RetraceSystem", dependencies: ["RetraceHashing", "CHashes", "CRetraceSystem"]),
    // Reads data files of LMDB without LMDB, which trusts them.
    .target(name: "LMDBFile", dependencies: ["RetraceSystem"]),
    // It locks with the lock that all modules use.
    .target(name: "RetraceLMDB", dependencies: ["CLMDB", "RetraceSystem"]),

    // Pure modules: no clock, no file, no randomness.
    .target(name: "RetraceHashing"),
    // Digests are recorded values.
    .target(name: "RetraceAvro", dependencies: ["RetraceHashing"]),
    .target(name: "RetraceSchema", dependencies: ["RetraceAvro"]),
    .target(name: "RetraceState", dependencies: ["RetraceAvro"]),
    // Keys and texts of a screen are recorded.
    .target(name: "RetraceScreen", dependencies: ["RetraceAvro"]),
    // Instants are those of the state.
    .target(name: "CivilTime", dependencies: ["RetraceState"]),
    .target(
      name: "RetraceArchitecture",
      dependencies: ["RetraceScreen", "RetraceSchema", "CivilTime"]),
    .target(name: "RetraceLog", dependencies: ["RetraceArchitecture"]),
    // The log in one file, which storage and pages read.
    .target(name: "RetraceBundle", dependencies: ["RetraceLog"]),
    // It exports all of them; what is built on them imports it in place of its parts.
    .target(name: "Retrace", dependencies: ["RetraceLog"]),
    // What a page of a bundle runs in WebAssembly, for any app.
    .target(name: "RetracePage", dependencies: ["Retrace", "RetraceBundle"]),
    // Writes such a page: its script, its style, the module of the app and the bundle.
    .target(
      name: "RetracePageFile", dependencies: ["RetraceHashing"],
      resources: [
        .embedInCode("Parts/module.js"), .embedInCode("Parts/page.js"),
        .embedInCode("Parts/page.css"), .embedInCode("Parts/page.html"),
      ]),
    // Help has lines of a width in cells.
    .target(name: "RetraceCommandLine", dependencies: ["RetraceScreen"]),
    .target(name: "RetraceFilter"),

    // The log on disk, the store that records, and replay, which cannot reach recording.
    .target(
      name: "RetraceStorage",
      dependencies: ["Retrace", "RetraceBundle", "RetraceLMDB", "LMDBFile", "RetraceSystem"]),
    .target(name: "RetraceRecording", dependencies: ["RetraceStorage"]),
    .target(name: "RetraceReplay", dependencies: ["RetraceStorage"]),

    // The tools of any app. `audit` reaches neither replay nor an app, and `track` does not link
    // the argument parser.
    .target(name: "TerminalUI", dependencies: ["RetraceScreen", "RetraceSystem"]),
    // Runs an app that records on a terminal, or line by line.
    .target(name: "RetraceTerminal", dependencies: ["RetraceRecording", "TerminalUI"]),
    .target(
      name: "RetraceToolSupport",
      dependencies: ["RetraceStorage", "RetraceCommandLine", "RetraceFilter"]),
    .target(
      name: "RetraceToolCommands",
      dependencies: [
        "RetraceToolSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Plays a log of any app: for `replay step`, and in the rail of `track app`. So it links no
    // argument parser, and `audit`, which has neither replay nor screens, does not reach it.
    .target(name: "RetracePlayer", dependencies: ["RetraceReplay", "RetraceToolSupport"]),
    .target(
      name: "RetraceReplayTool",
      dependencies: [
        "RetracePlayer", "RetraceToolCommands", "TerminalUI", "RetracePageFile",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // It reaches what records and what replays. Of the apps that do one of them, only `track` links
    // the other, because it plays its own past.
    .target(name: "RetraceProgram", dependencies: ["RetraceReplayTool", "RetraceTerminal"]),
    .executableTarget(
      name: "audit",
      dependencies: [
        "RetraceToolCommands",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tools/audit"),

    // The tracker.
    .target(
      name: "TimeTracking", dependencies: ["RetraceArchitecture", "RetraceFilter"],
      plugins: ["ReducerFingerprint"]),
    .target(name: "TrackerFormats", dependencies: ["TimeTracking"]),
    .target(
      name: "TrackerFeatures", dependencies: ["Retrace", "TimeTracking"],
      plugins: ["ReducerFingerprint"]),
    .target(
      name: "TrackerApp",
      dependencies: [
        "TrackerFeatures", "TrackerFormats", "RetraceRecording", "RetracePlayer", "TerminalUI",
      ]),
    .target(name: "TrackerCommandLine", dependencies: ["TrackerApp"]),
    .executableTarget(name: "track", dependencies: ["TrackerCommandLine"], path: "Tools/track"),
    .executableTarget(
      name: "replay", dependencies: ["RetraceReplayTool", "TrackerFeatures"],
      path: "Tools/replay"),

    // Hashes the sources of a reducer while its target is built. It has no dependencies, because
    // the build would compile them a second time, for the host.
    .executableTarget(name: "reducer-fingerprint", path: "Tools/fingerprint/Digest"),
    .plugin(
      name: "ReducerFingerprint", capability: .buildTool(), dependencies: ["reducer-fingerprint"],
      path: "Tools/fingerprint/Plugin"),

    // Random values that a seed determines.
    .target(name: "RetraceRandom", dependencies: ["RetraceSystem"]),
    // What tests of any app use. It imports the toolchain's Testing and XCTest, so only tests may
    // link it.
    .target(name: "RetraceTesting", dependencies: ["RetraceReplay", "RetraceRandom"]),
    // The apps and the data of the tests of this package.
    .target(
      name: "RetraceFixtures", dependencies: ["RetraceArchitecture", "RetraceRandom"],
      path: "Tests/Fixtures", plugins: ["ReducerFingerprint"]),
    // Runs the tools as processes for the tests. It imports Foundation, so no tool may link it.
    .target(
      name: "ToolTestSupport", dependencies: ["RetraceSystem", "CivilTime"],
      path: "Tests/Support", exclude: ["Python"]),
    // An app for the tests: its reducer traps on some actions, and some actions contain a secret.
    .executableTarget(
      name: "testapp",
      dependencies: [
        "RetraceReplayTool", "RetraceTerminal", "RetraceLMDB", "RetraceFixtures",
      ],
      path: "Tests/TestApp"),

    .testTarget(
      name: "RetraceLMDBTests",
      dependencies: [
        "RetraceLMDB", "CLMDB", "RetraceSystem", "RetraceTesting", "ToolTestSupport",
      ]),
    .testTarget(
      name: "LMDBFileTests",
      dependencies: ["LMDBFile", "RetraceLMDB", "RetraceTesting", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceSystemTests",
      dependencies: ["RetraceSystem", "RetraceTesting", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceAvroTests",
      dependencies: ["RetraceAvro", "RetraceTesting", "ToolTestSupport"],
      exclude: ["Python"]),
    .testTarget(
      name: "RetraceStateTests",
      dependencies: ["RetraceState", "RetraceFixtures", "RetraceTesting"]),
    .testTarget(
      name: "RetraceScreenTests",
      dependencies: ["RetraceScreen", "RetraceTesting", "ToolTestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "CivilTimeTests",
      dependencies: ["CivilTime", "RetraceTesting", "ToolTestSupport"],
      exclude: ["Python"]),
    .testTarget(
      name: "RetraceArchitectureTests",
      dependencies: ["RetraceArchitecture", "RetraceFixtures", "RetraceTesting"]),
    .testTarget(
      name: "RetraceLogTests", dependencies: ["RetraceLog", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceBundleTests",
      dependencies: ["RetraceBundle", "RetraceFixtures", "RetraceTesting"]),
    .testTarget(
      name: "RetracePageTests",
      dependencies: ["RetracePage", "RetraceFixtures", "RetraceTesting"]),
    .testTarget(
      name: "RetracePageFileTests", dependencies: ["RetracePageFile", "RetraceHashing"]),
    .testTarget(
      name: "RetraceCommandLineTests", dependencies: ["RetraceCommandLine", "RetraceTesting"]),
    .testTarget(
      name: "RetraceFilterTests", dependencies: ["RetraceFilter", "RetraceTesting"]),
    .testTarget(
      name: "RetraceStorageTests",
      dependencies: [
        "RetraceStorage", "RetraceLMDB", "LMDBFile", "RetraceFixtures", "RetraceTesting",
        "ToolTestSupport",
      ]),
    .testTarget(
      name: "RetraceTestingTests",
      dependencies: ["RetraceTesting", "RetraceRecording", "RetraceFixtures", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceRecordingTests",
      dependencies: [
        "RetraceRecording", "RetraceReplay", "RetraceLMDB", "RetraceFixtures", "RetraceTesting",
      ]),
    .testTarget(
      name: "RetraceReplayTests",
      dependencies: [
        "RetraceReplay", "RetraceReplayTool", "RetraceRecording", "RetraceFixtures",
        "RetraceTesting",
      ]),
    .testTarget(
      name: "TerminalUITests",
      dependencies: ["TerminalUI", "RetraceFixtures", "RetraceTesting", "ToolTestSupport"],
      // Its C program is built by the tests that use it.
      exclude: ["Python", "Emulators/vterm.c"]),
    .testTarget(
      name: "RetraceTerminalTests",
      dependencies: ["RetraceTerminal", "RetraceFixtures"]),
    .testTarget(name: "RetraceProgramTests", dependencies: ["RetraceProgram"]),
    .testTarget(
      name: "RetraceReplayToolTests",
      dependencies: [
        "RetraceReplayTool", "RetraceHashing", "RetraceRecording", "RetraceFixtures",
        "RetraceTesting", "ToolTestSupport", "track", "replay", "testapp",
      ],
      exclude: ["Player/Golden"]),
    .testTarget(
      name: "TimeTrackingTests",
      dependencies: [
        "TimeTracking", "RetraceReplay", "RetraceRecording", "RetraceFixtures", "RetraceTesting",
        "ToolTestSupport",
      ]),
    .testTarget(
      name: "TrackerFormatsTests",
      dependencies: ["TrackerFormats", "RetraceFixtures", "RetraceTesting", "ToolTestSupport"],
      exclude: ["Golden", "Python"]),
    .testTarget(
      name: "TrackerFeaturesTests",
      dependencies: [
        "TrackerFeatures", "RetracePlayer", "RetraceRecording", "RetraceFixtures",
        "RetraceTesting", "ToolTestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "TrackerAppTests",
      dependencies: [
        "TrackerApp", "RetraceReplay", "RetraceFixtures", "RetraceTesting", "ToolTestSupport",
        "track",
      ]),
    .testTarget(
      name: "TrackerCommandLineTests",
      dependencies: [
        "TrackerCommandLine", "RetraceTesting", "ToolTestSupport", "track", "replay", "audit",
      ],
      exclude: ["Python", "Output/Golden"]),
    // Logs that older builds wrote, read by each build after them.
    .testTarget(
      name: "EvolutionTests",
      dependencies: [
        "RetraceReplay", "RetraceRecording", "TrackerFeatures", "RetraceFixtures", "RetraceTesting",
        "ToolTestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "RecoveryTests",
      dependencies: [
        "RetraceToolSupport", "RetraceReplay", "RetraceRecording", "RetraceLMDB", "LMDBFile",
        "TrackerFeatures", "RetraceFixtures", "RetraceTesting", "ToolTestSupport", "track",
        "replay", "audit", "testapp",
      ],
      // Built by the test that loads it into other programs.
      exclude: ["PowerCut/recorder.c"]),
    // Code that `Tools/lint` has to find, and code that it must not report.
    .testTarget(
      name: "FoldLintTests", dependencies: ["RetraceArchitecture", "ToolTestSupport"]),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "RetraceRecording", "RetraceFixtures", "RetraceTesting", "ToolTestSupport", "track",
        "replay", "audit", "testapp",
      ],
      exclude: ["Python"]),
  ],
  swiftLanguageModes: [.v6]
)

/// One list of settings for every target, each with the reason it is on.
let settings: [SwiftSetting] = [
  // `any` is written, so that an existential is a decision.
  .enableUpcomingFeature("ExistentialAny"),
  // An import is internal unless the module's interface needs it.
  .enableUpcomingFeature("InternalImportsByDefault"),
  // A member is visible only where its module is imported.
  .enableUpcomingFeature("MemberImportVisibility"),
  // A conformance of an isolated type is isolated unless it says otherwise.
  .enableUpcomingFeature("InferIsolatedConformances"),
  // A nonisolated async function stays on the caller's executor.
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  // Spans that depend on what they were borrowed from.
  .enableExperimentalFeature("Lifetimes"),
  // Unsafe code has to say so.
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}

/// The modules that a fold runs, which `Tools/embedded/run` compiles as Embedded Swift, too.
let folded: Set<String> = [
  "RetraceHashing", "RetraceAvro", "RetraceSchema", "RetraceState", "RetraceScreen", "CivilTime",
  "RetraceArchitecture", "RetraceLog", "RetraceBundle", "Retrace", "RetracePage", "RetraceFilter",
  "TimeTracking", "TrackerFeatures",
]

// So each build names untyped throws there, and casts to protocols.
for target in package.targets where folded.contains(target.name) {
  target.swiftSettings?.append(.treatWarning("EmbeddedRestrictions", as: .error))
}

/// The modules around the store and the screens, which `Tools/test` does not optimize: their code
/// runs briefly and compiles long.
let brief: Set<String> =
  Context.environment["RETRACE_TESTS"] == nil
  ? []
  : [
    "TrackerCommandLine", "RetraceReplayTool", "RetraceToolCommands", "RetraceCommandLine",
    "RetracePageFile", "ToolTestSupport", "reducer-fingerprint", "testapp",
  ]

// In an optimized build, only the tested code is optimized: when tests were, too, they took 975 of
// the 1,641 seconds of processor time.
for target in package.targets where target.type == .test || brief.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}

/// The modules over C, and the reader of LMDB's files: only targets that list them may import them.
let sealed: Set<String> = ["CLMDB", "CHashes", "CRetraceSystem", "RetraceLMDB", "LMDBFile"]

/// The names of the targets that each target lists.
let listed = Dictionary(
  uniqueKeysWithValues: package.targets.map { target in
    let names = target.dependencies.compactMap { dependency -> String? in
      guard case .byNameItem(let name, _) = dependency else { return nil }
      return name
    }
    return (target.name, names)
  })

/// The executables, whose modules a test that runs them need not see.
let executables = Set(package.targets.filter { $0.type == .executable }.map(\.name))

/// Returns the modules that a target reaches through those that it lists.
func reached(from name: String) -> Set<String> {
  (listed[name] ?? []).reduce(into: []) { found, next in
    guard !sealed.contains(next), !executables.contains(next) else { return }
    found.formUnion(listed[next] ?? [])
    found.formUnion(reached(from: next))
  }
}

// A member is visible only where its module is imported, so a target may import all it reaches.
for target in package.targets where target.type != .system && target.type != .plugin {
  let more = reached(from: target.name).subtracting(sealed).subtracting(listed[target.name] ?? [])
  target.dependencies += more.sorted().map { .byName(name: $0) }
}
