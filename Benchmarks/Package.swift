// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "retrace-benchmarks",
  dependencies: [
    .package(name: "retrace", path: "..")
  ],
  targets: [
    // The yardstick: the same bytes read and folded by a C program over the same liblmdb.
    .target(
      name: "CBaseline",
      cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("lmdb")]),
    // From the log to the state, beside the yardstick.
    .executableTarget(
      name: "log-to-state",
      dependencies: [
        "CBaseline",
        .product(name: "RetraceStorage", package: "retrace"),
        .product(name: "RetraceLog", package: "retrace"),
        .product(name: "RetraceAvro", package: "retrace"),
        .product(name: "RetraceArchitecture", package: "retrace"),
        .product(name: "TimeTracking", package: "retrace"),
      ],
      path: "Sources/LogToState"),
    // Writes the made-up time log that stands in for the published one.
    .executableTarget(
      name: "look-alike",
      dependencies: [.product(name: "RetraceTestSupport", package: "retrace")],
      path: "Sources/LookAlike"),
  ],
  swiftLanguageModes: [.v6]
)

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

for target in package.targets where target.name != "CBaseline" {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
