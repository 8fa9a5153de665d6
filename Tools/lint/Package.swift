// swift-tools-version: 6.2
import PackageDescription

/// The lint of code that a fold runs, which reads the object files of a debug build.
///
/// A package of its own without dependencies, so that an app's team builds nothing else for it.
let package = Package(
  name: "lint",
  targets: [
    .target(name: "FoldLint"),
    .executableTarget(name: "lint", dependencies: ["FoldLint"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
