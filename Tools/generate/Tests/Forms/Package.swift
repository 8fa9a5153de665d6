// swift-tools-version: 6.2
import PackageDescription

/// The declaration forms that the generator accepts, compiled with what it writes for them.
///
/// The program encodes and decodes values of each form. A test puts the forms into a copy of this
/// package.
let package = Package(
  name: "forms",
  dependencies: [.package(name: "retrace", path: "../../../..")],
  targets: [
    .executableTarget(
      name: "Forms",
      dependencies: [.product(name: "Retrace", package: "retrace")])
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
