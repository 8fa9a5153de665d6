// swift-tools-version: 6.2
import PackageDescription

/// The targets in the order of the flow: action, store, reducer, log, replay, route, screen.
///
/// A module exists where the compiler should be able to say no; `Tests/TidyTests` compares the
/// edges below with the documented list.
let package = Package(
  name: "retrace",
  products: [
    .library(name: "RetraceLMDB", targets: ["RetraceLMDB"]),
    // The hash functions that the pure modules and benchmarks are given.
    .library(name: "RetraceSystem", targets: ["RetraceSystem"]),
    .library(name: "RetraceAvro", targets: ["RetraceAvro"]),
    .library(name: "RetraceArchitecture", targets: ["RetraceArchitecture"]),
    .library(name: "RetraceLog", targets: ["RetraceLog"]),
    .library(name: "RetraceStorage", targets: ["RetraceStorage"]),
    .library(name: "RetraceRecording", targets: ["RetraceRecording"]),
    .library(name: "RetraceReplay", targets: ["RetraceReplay"]),
    .library(name: "RetraceReplayTool", targets: ["RetraceReplayTool"]),
    .library(name: "TimeTracking", targets: ["TimeTracking"]),
    .library(name: "TerminalUI", targets: ["TerminalUI"]),
    .library(name: "RetraceTestSupport", targets: ["RetraceTestSupport"]),
    .executable(name: "track", targets: ["track"]),
    .executable(name: "replay", targets: ["replay"]),
    .executable(name: "audit", targets: ["audit"]),
    .plugin(name: "ReducerFingerprint", targets: ["ReducerFingerprint"]),
  ],
  dependencies: [
    // Command lines of the three tools.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .target(name: "RetraceLMDB", dependencies: ["CLMDB"]),
    // SHA-256 of the chain and of the state; hardware accelerated, no allocation per digest.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "RetraceSystem", dependencies: ["RetraceAvro", "CCrypto"]),
    .target(name: "RetraceTerminal", dependencies: ["RetraceSystem"]),
    .target(name: "RetraceAvro"),
    .target(name: "RetraceArchitecture", dependencies: ["RetraceAvro"]),
    .target(name: "RetraceLog", dependencies: ["RetraceArchitecture", "RetraceAvro"]),
    .target(
      name: "RetraceStorage",
      dependencies: [
        "RetraceLog", "RetraceLMDB", "RetraceSystem", "RetraceArchitecture", "RetraceAvro",
      ]),
    .target(
      name: "RetraceRecording",
      dependencies: [
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
      ]),
    .target(
      name: "RetraceReplay",
      dependencies: [
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
      ]),
    .target(
      name: "RetraceToolSupport",
      dependencies: [
        "RetraceTerminal",
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "RetraceReplayTool",
      dependencies: [
        "RetraceTerminal",
        "RetraceReplay", "RetraceToolSupport", "TerminalUI", "RetraceStorage", "RetraceLog",
        "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "RetraceTestSupport", dependencies: ["RetraceArchitecture", "RetraceAvro"],
      plugins: ["ReducerFingerprint"]),
    // How tests run the tools as processes; Foundation, so no tool may link it.
    .target(name: "ToolTestSupport", dependencies: ["RetraceSystem"], path: "Tests/Support"),
    .target(
      name: "TimeTracking", dependencies: ["RetraceArchitecture", "RetraceAvro"],
      // The schemas that were released, for `replay schema --check`.
      exclude: ["Schemas"],
      plugins: ["ReducerFingerprint"]),
    .target(
      name: "TerminalUI", dependencies: ["RetraceTerminal", "RetraceArchitecture", "RetraceSystem"]),
    .target(
      name: "TrackerApp",
      dependencies: [
        "RetraceTerminal",
        "TimeTracking", "RetraceRecording", "TerminalUI", "RetraceStorage", "RetraceLog",
        "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
      ]),
    .executableTarget(
      name: "track",
      dependencies: [
        "RetraceTerminal",
        "TrackerApp", "RetraceToolSupport", "TimeTracking", "RetraceRecording", "TerminalUI",
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tools/track"),
    .executableTarget(
      name: "replay",
      dependencies: [
        "RetraceReplayTool", "TimeTracking", "RetraceArchitecture",
      ],
      path: "Tools/replay"),
    .executableTarget(
      name: "audit",
      dependencies: [
        "RetraceToolSupport", "RetraceStorage", "RetraceLog", "RetraceAvro", "RetraceSystem",
        "RetraceArchitecture",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tools/audit"),
    // Hashes the sources of a reducer while its target is built. It depends on nothing, since
    // what a plugin needs is built for the machine that builds, beside everything else.
    .executableTarget(name: "reducer-fingerprint", path: "Tools/fingerprint/Digest"),
    .plugin(
      name: "ReducerFingerprint", capability: .buildTool(), dependencies: ["reducer-fingerprint"],
      path: "Tools/fingerprint/Plugin"),
    // An app of the tests: a reducer that traps on one action, a secret in actions.
    .executableTarget(
      name: "testapp",
      dependencies: [
        "RetraceTerminal",
        "RetraceRecording", "RetraceReplay", "RetraceReplayTool", "RetraceToolSupport",
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
      ],
      path: "Tests/TestApp"),
    .testTarget(
      name: "RetraceLMDBTests",
      dependencies: ["RetraceLMDB", "CLMDB", "RetraceTestSupport", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceSystemTests",
      dependencies: ["RetraceSystem", "RetraceAvro", "RetraceTestSupport", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceTerminalTests",
      dependencies: ["RetraceTerminal", "RetraceSystem", "ToolTestSupport"]),
    .testTarget(
      name: "RetraceAvroTests",
      dependencies: [
        "RetraceAvro", "RetraceArchitecture", "RetraceSystem", "RetraceTestSupport",
        "ToolTestSupport",
      ],
      exclude: ["Python"]),
    .testTarget(
      name: "RetraceArchitectureTests",
      dependencies: [
        "RetraceArchitecture", "RetraceAvro", "RetraceSystem", "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RetraceLogTests",
      dependencies: [
        "RetraceLog", "RetraceArchitecture", "RetraceAvro", "RetraceSystem", "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RetraceStorageTests",
      dependencies: [
        "RetraceStorage", "RetraceLog", "RetraceLMDB", "RetraceArchitecture", "RetraceAvro",
        "RetraceSystem", "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RetraceRecordingTests",
      dependencies: [
        "RetraceRecording", "RetraceReplay", "RetraceStorage", "RetraceLog", "RetraceLMDB",
        "RetraceArchitecture", "RetraceAvro", "RetraceSystem", "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RetraceReplayTests",
      dependencies: [
        "RetraceReplay", "RetraceRecording", "RetraceStorage", "RetraceLog", "RetraceArchitecture",
        "RetraceAvro", "RetraceSystem", "RetraceTestSupport",
      ]),
    .testTarget(
      name: "TimeTrackingTests",
      dependencies: [
        "TimeTracking", "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
        "RetraceTestSupport", "ToolTestSupport",
      ]),
    .testTarget(
      name: "TerminalUITests",
      dependencies: ["TerminalUI", "RetraceArchitecture", "RetraceSystem", "RetraceTestSupport"]),
    .testTarget(
      name: "RetraceReplayToolTests",
      dependencies: [
        "RetraceReplayTool", "RetraceReplay", "RetraceStorage", "RetraceToolSupport",
        "RetraceArchitecture", "RetraceAvro", "RetraceSystem", "RetraceTestSupport",
        "ToolTestSupport", "track", "replay", "testapp",
      ]),
    // Logs that older builds wrote, read by each build after them.
    .testTarget(
      name: "EvolutionTests",
      dependencies: [
        "TimeTracking", "TrackerApp", "RetraceRecording", "RetraceReplay", "RetraceStorage",
        "RetraceLog", "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
        "RetraceTestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "TrackerAppTests",
      dependencies: [
        "TrackerApp", "TimeTracking", "RetraceRecording", "RetraceReplay", "TerminalUI",
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
        "RetraceTestSupport",
      ]),
    .testTarget(
      name: "RecoveryTests",
      dependencies: [
        "RetraceStorage", "RetraceLog", "RetraceArchitecture", "RetraceAvro", "RetraceSystem",
        "RetraceLMDB", "RetraceRecording", "RetraceReplay", "TimeTracking", "RetraceTestSupport",
        "RetraceToolSupport", "ToolTestSupport", "track", "replay", "audit", "testapp",
      ],
      // Built by the test that loads it into other programs.
      exclude: ["PowerCut/recorder.c"]),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "RetraceSystem", "RetraceAvro", "RetraceTestSupport", "ToolTestSupport", "track",
        "replay", "audit",
      ],
      exclude: ["Python"]),
    .testTarget(name: "TidyTests", dependencies: ["RetraceAvro", "ToolTestSupport"]),
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
