// swift-tools-version: 6.2
import PackageDescription

/// The libraries, the tools, and the tests of both.
///
/// Code is a module of its own where the compiler has to refuse a dependency. A test in
/// `Tools/generate/Tests/TidyTests` compares the dependencies below with the list in its
/// `Walls.swift`.
let package = Package(
  name: "retrace",
  products: [
    // What states, reducers, features and screens of an app import.
    .library(name: "Retrace", targets: ["Retrace"]),
    .library(name: "RetraceLMDB", targets: ["RetraceLMDB"]),
    // The hash functions, which callers pass to the pure modules.
    .library(name: "RetraceSystem", targets: ["RetraceSystem"]),
    .library(name: "RetraceAvro", targets: ["RetraceAvro"]),
    .library(name: "RetraceArchitecture", targets: ["RetraceArchitecture"]),
    .library(name: "RetraceLog", targets: ["RetraceLog"]),
    .library(name: "RetraceStorage", targets: ["RetraceStorage"]),
    .library(name: "RetraceRecording", targets: ["RetraceRecording"]),
    .library(name: "RetraceReplay", targets: ["RetraceReplay"]),
    .library(name: "RetraceReplayTool", targets: ["RetraceReplayTool"]),
    .library(name: "TimeTracking", targets: ["TimeTracking"]),
    .library(name: "TrackerFeatures", targets: ["TrackerFeatures"]),
    .library(name: "TerminalUI", targets: ["TerminalUI"]),
    .library(name: "RetraceTestSupport", targets: ["RetraceTestSupport"]),
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
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .target(name: "RetraceLMDB", dependencies: ["CLMDB", "RetraceSystem"]),
    // SHA-256 of the chain and of the state: hardware accelerated, no allocation for a digest.
    // XXH64 of the blocks: 3,490 instructions for 4,000 bytes, 13 % fewer than in Swift.
    .systemLibrary(
      name: "CHashes", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev", "libxxhash-dev"])]),
    // What Swift's Glibc module leaves out, such as `pipe2` and open file description locks.
    .target(name: "CRetraceSystem"),
    .target(name: "RetraceSystem", dependencies: ["RetraceAvro", "CHashes", "CRetraceSystem"]),
    .target(name: "RetraceTerminal", dependencies: ["RetraceSystem", "CRetraceSystem"]),
    .target(name: "RetraceAvro"),
    .target(name: "RetraceSchema", dependencies: ["RetraceAvro"]),
    .target(name: "RetraceState", dependencies: ["RetraceAvro"]),
    .target(name: "RetraceScreen", dependencies: ["RetraceAvro"]),
    .target(name: "CivilTime", dependencies: ["RetraceState"]),
    .target(
      name: "RetraceArchitecture",
      dependencies: ["RetraceScreen", "RetraceState", "RetraceSchema", "RetraceAvro"]),
    .target(
      name: "Retrace",
      dependencies: [
        "RetraceLog", "RetraceArchitecture", "RetraceScreen", "CivilTime", "RetraceState",
        "RetraceSchema", "RetraceAvro",
      ]),
    .target(
      name: "RetraceLog",
      dependencies: [
        "RetraceArchitecture", "RetraceScreen", "RetraceState", "RetraceSchema", "RetraceAvro",
      ]),
    .target(
      name: "RetraceStorage",
      dependencies: [
        "RetraceLMDB", "RetraceLog", "RetraceArchitecture", "RetraceScreen", "RetraceState",
        "RetraceSchema", "RetraceAvro", "RetraceSystem",
      ]),
    .target(
      name: "RetraceRecording",
      dependencies: [
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceScreen", "RetraceState",
        "RetraceSchema", "RetraceAvro", "RetraceSystem",
      ]),
    .target(
      name: "RetraceReplay",
      dependencies: [
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "CivilTime", "RetraceState",
        "RetraceSchema", "RetraceAvro", "RetraceSystem",
      ]),
    .target(
      name: "RetraceBench",
      dependencies: [
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceState", "RetraceSchema",
        "RetraceAvro", "RetraceSystem",
      ]),
    .target(
      name: "RetraceToolSupport",
      dependencies: [
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceScreen", "CivilTime",
        "RetraceState", "RetraceSchema", "RetraceAvro", "RetraceTerminal", "RetraceSystem",
        "RetraceConfiguration",
      ]),
    .target(
      name: "RetraceToolCommands",
      dependencies: [
        "RetraceToolSupport", "RetraceFilter", "RetraceStorage", "RetraceLog",
        "RetraceArchitecture", "CivilTime", "RetraceScreen", "RetraceState", "RetraceSchema",
        "RetraceAvro", "RetraceSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(name: "RetraceCommandLine"),
    .target(name: "RetraceFilter"),
    .target(name: "RetraceConfiguration"),
    .target(
      name: "RetraceReplayTool",
      dependencies: [
        "RetraceToolCommands", "RetraceToolSupport", "RetraceBench", "RetraceReplay",
        "RetraceStorage", "RetraceLog",
        "TerminalUI", "RetraceArchitecture", "RetraceScreen", "CivilTime", "RetraceState",
        "RetraceSchema", "RetraceAvro", "RetraceTerminal", "RetraceSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "RetraceTestSupport",
      dependencies: [
        "RetraceArchitecture", "RetraceScreen", "RetraceState", "RetraceSchema", "RetraceAvro",
        "RetraceSystem",
      ],
      plugins: ["ReducerFingerprint"]),
    // Runs the tools as processes for the tests. It imports Foundation, so no tool may link it.
    .target(
      name: "ToolTestSupport", dependencies: ["CivilTime", "RetraceState", "RetraceSystem"],
      path: "Tests/Support"),
    .target(
      name: "TimeTracking",
      dependencies: [
        "RetraceArchitecture", "RetraceFilter", "CivilTime", "RetraceState", "RetraceAvro",
      ],
      plugins: ["ReducerFingerprint"]),
    .target(name: "TrackerFormats", dependencies: ["TimeTracking", "CivilTime", "RetraceState"]),
    .target(
      name: "TrackerFeatures",
      dependencies: [
        "TimeTracking", "RetraceArchitecture", "RetraceScreen", "CivilTime", "RetraceState",
        "RetraceAvro",
      ],
      plugins: ["ReducerFingerprint"]),
    .target(
      name: "TerminalUI",
      dependencies: ["RetraceArchitecture", "RetraceScreen", "RetraceTerminal", "RetraceSystem"]),
    .target(
      name: "TrackerApp",
      dependencies: [
        "RetraceRecording", "RetraceStorage", "RetraceLog", "TrackerFeatures", "TrackerFormats",
        "TimeTracking", "TerminalUI", "RetraceArchitecture", "RetraceScreen", "CivilTime",
        "RetraceState", "RetraceAvro", "RetraceTerminal", "RetraceSystem",
      ]),
    .executableTarget(
      name: "track",
      dependencies: [
        "RetraceToolSupport", "TrackerApp", "RetraceRecording", "RetraceStorage", "RetraceLog",
        "TrackerFeatures", "TrackerFormats", "TimeTracking", "TerminalUI", "RetraceArchitecture",
        "RetraceScreen", "RetraceCommandLine", "RetraceFilter", "RetraceConfiguration", "CivilTime",
        "RetraceState", "RetraceAvro", "RetraceTerminal", "RetraceSystem",
      ],
      path: "Tools/track"),
    .executableTarget(
      name: "replay",
      dependencies: ["RetraceReplayTool", "TrackerFeatures"],
      path: "Tools/replay"),
    .executableTarget(
      name: "audit",
      dependencies: [
        "RetraceToolCommands", "RetraceToolSupport", "RetraceStorage", "RetraceLog",
        "RetraceArchitecture", "RetraceState", "RetraceSchema", "RetraceAvro", "RetraceSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tools/audit"),
    // Hashes the sources of a reducer while its target is built. It has no dependencies, because
    // the build would compile them a second time, for the host.
    .executableTarget(name: "reducer-fingerprint", path: "Tools/fingerprint/Digest"),
    .plugin(
      name: "ReducerFingerprint", capability: .buildTool(), dependencies: ["reducer-fingerprint"],
      path: "Tools/fingerprint/Plugin"),
    // An app for the tests: its reducer traps on some actions, and some actions contain a secret.
    .executableTarget(
      name: "testapp",
      dependencies: [
        "RetraceReplayTool", "RetraceToolSupport", "RetraceReplay", "RetraceRecording",
        "RetraceStorage", "RetraceLMDB", "RetraceLog", "RetraceArchitecture", "RetraceScreen",
        "RetraceState", "RetraceAvro", "RetraceTerminal", "RetraceSystem", "RetraceTestSupport",
      ],
      path: "Tests/TestApp"),
    .testTarget(
      name: "RetraceLMDBTests",
      dependencies: ["RetraceLMDB", "CLMDB", "RetraceTestSupport", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceSystemTests",
      dependencies: ["RetraceAvro", "RetraceSystem", "RetraceTestSupport", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceStateTests",
      dependencies: [
        "RetraceArchitecture", "RetraceState", "RetraceSchema", "RetraceAvro", "RetraceSystem",
        "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RetraceScreenTests",
      dependencies: ["RetraceArchitecture", "RetraceScreen", "RetraceAvro", "RetraceTestSupport"]),
    .testTarget(
      name: "CivilTimeTests",
      dependencies: [
        "RetraceArchitecture", "CivilTime", "RetraceState", "RetraceSystem", "RetraceTestSupport",
        "ToolTestSupport",
      ],
      exclude: ["Python"]),
    .testTarget(
      name: "RetraceTerminalTests",
      dependencies: ["RetraceTerminal", "RetraceSystem", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceAvroTests",
      dependencies: [
        "RetraceArchitecture", "RetraceScreen", "RetraceState", "RetraceSchema", "RetraceAvro",
        "RetraceSystem", "RetraceTestSupport", "ToolTestSupport",
      ],
      exclude: ["Python"]),
    .testTarget(
      name: "RetraceArchitectureTests",
      dependencies: [
        "RetraceArchitecture", "RetraceScreen", "RetraceState", "RetraceAvro", "RetraceSystem",
        "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RetraceLogTests",
      dependencies: [
        "RetraceLog", "RetraceArchitecture", "CivilTime", "RetraceState", "RetraceAvro",
        "RetraceSystem", "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RetraceStorageTests",
      dependencies: [
        "RetraceStorage", "RetraceLMDB", "RetraceLog", "RetraceArchitecture", "RetraceState",
        "RetraceSchema", "RetraceAvro", "RetraceSystem", "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RetraceRecordingTests",
      dependencies: [
        "RetraceReplay", "RetraceRecording", "RetraceStorage", "RetraceLMDB", "RetraceLog",
        "RetraceArchitecture", "RetraceScreen", "RetraceState", "RetraceSchema", "RetraceAvro",
        "RetraceSystem", "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RetraceReplayTests",
      dependencies: [
        "RetraceBench", "RetraceReplay", "RetraceToolCommands", "RetraceToolSupport",
        "RetraceRecording", "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceScreen",
        "CivilTime",
        "RetraceState", "RetraceSchema", "RetraceAvro", "RetraceSystem", "RetraceTestSupport",
      ]),
    .testTarget(
      name: "TimeTrackingTests",
      dependencies: [
        "RetraceReplay", "RetraceRecording", "RetraceStorage", "RetraceLog", "TimeTracking",
        "RetraceArchitecture", "RetraceScreen", "RetraceFilter", "CivilTime", "RetraceState",
        "RetraceAvro", "RetraceSystem", "RetraceTestSupport", "ToolTestSupport",
      ]),
    .testTarget(
      name: "TrackerFormatsTests",
      dependencies: [
        "TrackerFormats", "TimeTracking", "CivilTime", "RetraceState", "RetraceAvro",
        "RetraceTestSupport", "ToolTestSupport",
      ]),
    .testTarget(
      name: "TrackerFeaturesTests",
      dependencies: [
        "TrackerFeatures", "TimeTracking", "RetraceReplay", "RetraceRecording", "RetraceStorage",
        "RetraceLog", "RetraceArchitecture", "RetraceScreen", "CivilTime", "RetraceState",
        "RetraceAvro", "RetraceTestSupport", "ToolTestSupport",
      ]),
    .testTarget(name: "RetraceCommandLineTests", dependencies: ["RetraceCommandLine"]),
    .testTarget(
      name: "RetraceFilterTests", dependencies: ["RetraceFilter", "RetraceTestSupport"]),
    .testTarget(
      name: "RetraceConfigurationTests",
      dependencies: ["RetraceConfiguration", "RetraceTestSupport"]),
    .testTarget(
      name: "TerminalUITests",
      dependencies: ["TerminalUI", "RetraceArchitecture", "RetraceScreen", "RetraceTestSupport"]),
    .testTarget(
      name: "RetraceReplayToolTests",
      dependencies: [
        "RetraceReplayTool", "RetraceToolCommands", "RetraceToolSupport", "RetraceBench",
        "RetraceReplay",
        "RetraceRecording", "RetraceStorage", "RetraceLog", "RetraceArchitecture",
        "RetraceScreen", "RetraceState", "RetraceSchema", "RetraceAvro", "RetraceSystem",
        "RetraceTestSupport", "ToolTestSupport", "track", "replay", "testapp",
      ]),
    // Logs that older builds wrote, read by each build after them.
    .testTarget(
      name: "EvolutionTests",
      dependencies: [
        "RetraceReplay", "RetraceRecording", "RetraceStorage", "RetraceLog", "TrackerFeatures",
        "TimeTracking", "RetraceArchitecture", "RetraceScreen", "CivilTime", "RetraceState",
        "RetraceSchema", "RetraceAvro", "RetraceSystem", "RetraceTestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "TrackerAppTests",
      dependencies: [
        "RetraceReplay", "TrackerApp", "RetraceRecording", "RetraceStorage", "RetraceLog",
        "TrackerFeatures", "TrackerFormats", "TimeTracking", "RetraceArchitecture",
        "RetraceScreen", "CivilTime", "RetraceState", "RetraceAvro", "RetraceSystem",
        "RetraceTestSupport", "ToolTestSupport",
      ]),
    .testTarget(
      name: "RecoveryTests",
      dependencies: [
        "RetraceToolSupport", "RetraceReplay", "RetraceRecording", "RetraceStorage", "RetraceLMDB",
        "RetraceLog", "TrackerFeatures", "TimeTracking", "RetraceArchitecture", "RetraceScreen",
        "CivilTime", "RetraceState", "RetraceAvro", "RetraceSystem", "RetraceTestSupport",
        "ToolTestSupport", "track", "replay", "audit", "testapp",
      ],
      // Built by the test that loads it into other programs.
      exclude: ["PowerCut/recorder.c"]),
    // Code that `Tools/lint` has to find, and code that it must not report.
    .testTarget(
      name: "FoldLintTests",
      dependencies: ["RetraceArchitecture", "RetraceState", "RetraceAvro", "ToolTestSupport"]),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "RetraceRecording", "RetraceLog", "RetraceScreen", "RetraceState", "RetraceAvro",
        "RetraceSystem", "RetraceTestSupport", "ToolTestSupport", "TrackerApp", "TimeTracking",
        "CivilTime", "track", "replay", "audit",
      ],
      exclude: ["Python", "Verbs/Golden"]),
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
