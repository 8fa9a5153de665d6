// swift-tools-version: 6.2
import PackageDescription

/// The generator of Recordable conformances, and the rules on the source tree.
///
/// A package of its own, because only it uses swift-syntax. `Tools/generate/package` builds it with
/// the swift-syntax of the toolchain, which reads the grammar of the compiler.
let package = Package(
  name: "generate",
  targets: [
    .target(name: "Generator"),
    .executableTarget(name: "generate", dependencies: ["Generator"], path: "Sources/generate"),
    .testTarget(name: "GeneratorTests", dependencies: ["Generator"], exclude: ["Golden"]),
    // The rules on the source tree, here because they parse Swift with swift-syntax.
    .testTarget(name: "TidyTests", dependencies: ["Generator"]),
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
