// swift-tools-version: 6.2
import PackageDescription

/// The generator of Recordable conformances, and the rules on the source tree.
///
/// A package of its own, so that the root package never builds swift-syntax.
let package = Package(
  name: "generate",
  dependencies: [
    // Parses Swift. The version is exact, so that every build of the generator reads one grammar.
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1")
  ],
  targets: [
    .target(
      name: "Generator",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
      ]),
    .executableTarget(name: "generate", dependencies: ["Generator"], path: "Sources/generate"),
    .testTarget(name: "GeneratorTests", dependencies: ["Generator"], exclude: ["Golden"]),
    // The rules on the source tree, here because they parse Swift with swift-syntax.
    .testTarget(
      name: "TidyTests",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
