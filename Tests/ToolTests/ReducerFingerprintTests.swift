import Foundation
import RetraceAvro
import RetracePlatform
import Testing
import ToolTestSupport

/// The plugin, applied in a small package of its own.
@Suite struct ReducerFingerprintTests {
  @Test
  func `a reducer has one fingerprint wherever and however it is built, and loses it by a byte`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "retrace-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let here = folder.appending(path: "here")
    let there = folder.appending(path: "some/where else")
    for place in [here, there] { try Self.makePackage(in: place) }

    let debug = try Self.fingerprint(in: here, "debug")
    #expect(debug == (try Self.expected(in: here)))
    #expect(try Self.fingerprint(in: there, "release") == debug)

    // One byte in a module that the reducer reaches.
    let reached = here.appending(path: "RetraceAvro/Digest.swift")
    let text = try String(contentsOf: reached, encoding: .utf8)
    try (text + "\n").write(to: reached, atomically: true, encoding: .utf8)
    let changed = try Self.fingerprint(in: here, "debug")
    #expect(changed != debug)
    #expect(changed == (try Self.expected(in: here)))
  }

  private static let sources = [
    ("App", "App/Reducer.swift", "public let fingerprint = ReducerFingerprint.digest.hex\n"),
    (
      "RetraceAvro", "RetraceAvro/Digest.swift",
      """
      public struct Digest: Sendable {
        public let hex: String
        public init?(hex: String) { self.hex = hex }
        public static let zero = Digest(hex: "")!
      }

      """
    ),
  ]

  private static func makePackage(in folder: URL) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    try files.copyItem(
      at: root.appending(path: "Tools/fingerprint"), to: folder.appending(path: "fingerprint"))
    for (module, path, text) in sources {
      try files.createDirectory(
        at: folder.appending(path: module), withIntermediateDirectories: true)
      try text.write(to: folder.appending(path: path), atomically: true, encoding: .utf8)
    }
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "small",
        targets: [
          .target(name: "RetraceAvro", path: "RetraceAvro"),
          .target(
            name: "App", dependencies: ["RetraceAvro"], path: "App",
            plugins: ["ReducerFingerprint"]),
          .executableTarget(name: "reducer-fingerprint", path: "fingerprint/Digest"),
          .plugin(
            name: "ReducerFingerprint", capability: .buildTool(),
            dependencies: ["reducer-fingerprint"], path: "fingerprint/Plugin"),
        ])

      """
    try manifest.write(
      to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
  }

  /// Builds, and takes the fingerprint from the source that was written.
  private static func fingerprint(in folder: URL, _ configuration: String) throws -> String {
    let output = try run(
      "swift", "build", "-c", configuration, "--target", "App", "--package-path", folder.path)
    let outputs = folder.appending(path: ".build/plugins/outputs")
    let written = FileManager.default.enumerator(at: outputs, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.first { $0.lastPathComponent == "ReducerFingerprint.swift" }
    let text = try written.map { try String(contentsOf: $0, encoding: .utf8) }
    let parts = (try #require(text, "\(output)")).split(separator: "\"")
    return String(parts[1])
  }

  /// The fingerprint as the documentation says that it is made.
  private static func expected(in folder: URL) throws -> String {
    let version = try run("swiftc", "--version").split(separator: "\n")[0]
    var bytes = Array(version.utf8) + [0]
    for (module, path, _) in sources {
      let source = try Data(contentsOf: folder.appending(path: path))
      bytes += Array(module.utf8) + [0] + Array(path.utf8) + [0]
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: source.count >> (8 * $0)) }
      bytes += source
    }
    return SHA256Hasher.digest(of: bytes.span).hex
  }

  private static func run(_ command: String...) throws -> String {
    try runProgram("/usr/bin/env", command).output
  }
}
