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
  ],
  swiftLanguageModes: [.v6]
)
