// swift-tools-version: 6.2
import PackageDescription

/// A package beside the benchmarks, so that the check builds only pure modules.
let package = Package(
  name: "retrace-instruction-counts",
  dependencies: [
    .package(name: "retrace", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "instruction-counts",
      dependencies: [
        "Workload",
        .product(name: "Retrace", package: "retrace"),
        .product(name: "TrackerFeatures", package: "retrace"),
      ],
      path: "Sources/InstructionCounts"),
    // The target of the benchmarks, without the files that import more than the pure modules.
    .target(
      name: "Workload",
      dependencies: [
        .product(name: "Retrace", package: "retrace")
      ],
      exclude: ["Generator/WorkloadLog.swift", "Model/StateHash.swift"]),
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

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
