// swift-tools-version: 6.2
import PackageDescription

/// Returns dependencies on products of this project.
func ours(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "retrace") }
}

/// An executable of rows.
///
/// Its sources are in the folder of its name, beside this file. A function `benchmarks() -> Suite`
/// registers its rows; the plugin generates the code that calls it.
func suite(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["Figures", .product(name: "Benchmark", package: "benchmark")] + dependencies,
    path: name,
    exclude: exclude,
    plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

let package = Package(
  name: "retrace-benchmarks",
  dependencies: [
    .package(name: "retrace", path: ".."),
    // Runs the rounds. Its traits are off, because they replace malloc and reference counting in
    // the measured code.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    // A yardstick: SQLite as Swift programs use it.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // A yardstick: messages generated from Codec/Protobuf/action.proto.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    // A yardstick: values that change over time, as apps observe them.
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // Rows, rounds and targets, for writing a suite.
    .target(name: "Figures", dependencies: [.product(name: "Benchmark", package: "benchmark")]),
    // Makes the table, the verdicts and the chart from the rows that the suites recorded.
    .executableTarget(
      name: "figures-table", dependencies: ["Figures"], path: "Sources/FiguresTable"),
    // Yardsticks in C, a file per concern, over the same liblmdb.
    .target(
      name: "CBaseline",
      cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("lmdb")]),
    // Appending, committing and scanning, beside C and SQLite.
    suite(
      "Storage",
      ["CBaseline", "CFold", "Workload", .product(name: "GRDB", package: "GRDB.swift")]
        + ours(
          "Retrace", "RetraceRecording", "RetraceStorage", "RetraceSystem", "RetraceRandom")),
    // Encoding, decoding and composed reducers, beside C, JSON, protobuf and a switch.
    suite(
      "Codec",
      [
        "CBaseline", "CAllocations", "Workload",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ] + ours("Retrace"), exclude: ["Protobuf/action.proto"]),
    // Counts allocations, by functions that replace the C library's.
    .target(name: "CAllocations", cSettings: [.unsafeFlags(["-O2"])]),
    // The table of entities, its hashes and snapshots, beside a plain radix and a dictionary.
    suite(
      "Pages",
      ours("Retrace", "RetraceSystem", "RetraceStorage", "RetraceRandom")),
    // Screens of long lists, composed and compared, beside C.
    suite(
      "Screens", ["CScreen"] + ours("Retrace", "TerminalUI"), exclude: ["textual_table.py"]),
    // A tree of views and selectors below a store, beside OpenCombine.
    suite(
      "Views",
      ["Workload", .product(name: "OpenCombine", package: "OpenCombine")]
        + ours("Retrace", "RetraceRecording", "RetraceSystem")),
    // The yardstick of the screens.
    .target(name: "CScreen", cSettings: [.unsafeFlags(["-O2"])]),
    // Processes from start to exit over large stores and long logs.
    suite("Start", []),
    // The release tool beside other time trackers, on the same entries.
    suite("Trackers", []),
    // What the suite Start runs and times, beside the release tools.
    .executableTarget(
      name: "start-probe",
      dependencies: ["Workload"]
        + ours(
          "Retrace", "RetraceRecording", "RetraceReplay", "RetraceStorage", "RetraceSystem",
          "TrackerFeatures"),
      path: "Sources/StartProbe",
      // As the release tools are linked.
      linkerSettings: [.unsafeFlags(["-static-executable"])]),
    // Its yardstick: a static C program without the Swift library, which does the same.
    .executableTarget(
      name: "start-yardstick", dependencies: ["CFold"], path: "Sources/StartYardstick",
      cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [
        .unsafeFlags(["-static-executable", "-nostartfiles"]),
        .linkedLibrary("lmdb"), .linkedLibrary("crypto"),
      ]),
    // Types at a program on a pseudo-terminal, and times what it shows.
    .executableTarget(
      name: "terminal-probe", path: "Sources/TerminalProbe", cSettings: [.unsafeFlags(["-O2"])]),
    // A real time log, imported and folded.
    suite(
      "Import",
      ["CBaseline"]
        + ours("Retrace", "RetraceStorage", "RetraceFixtures", "TrackerFeatures")),
    // An app with the 69-case mix of actions, and generated logs of it of any size.
    .target(
      name: "Workload",
      dependencies: [
        .product(name: "Retrace", package: "retrace"),
        .product(name: "RetraceStorage", package: "retrace"),
        .product(name: "RetraceSystem", package: "retrace"),
      ]),
    // The yardstick of its fold; libssl-dev gives the SHA-256 of its chain.
    .target(
      name: "CFold",
      cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("lmdb"), .linkedLibrary("crypto")]),
    // From the log to the state, verification, bytes on disk.
    suite(
      "Fold",
      ["Workload", "CFold"]
        + ours("Retrace", "RetraceReplay", "RetraceStorage")),
    // Writes such a log into a store.
    .executableTarget(
      name: "workload-log",
      dependencies: ["Workload"]
        + ours("Retrace", "RetraceReplay", "RetraceStorage"),
      path: "Sources/WorkloadLog"),
  ],
  swiftLanguageModes: [.v6]
)

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]

let inC = ["CBaseline", "CFold", "CAllocations", "CScreen", "start-yardstick", "terminal-probe"]
for target in package.targets where !inC.contains(target.name) {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
