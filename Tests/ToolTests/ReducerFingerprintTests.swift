import Foundation
import RetraceAvro
import RetraceSystem
import Testing
import ToolTestSupport

/// The plugin, applied in a small package of its own.
@Suite struct ReducerFingerprintTests {
  @Test
  func `a reducer has one fingerprint wherever and however it is built, and a byte changes it`()
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

    // Something in the manifest of its package.
    let manifest = here.appending(path: "Package.swift")
    let settings = try String(contentsOf: manifest, encoding: .utf8)
      .replacing(
        "path: \"App\",", with: "path: \"App\", swiftSettings: [.unsafeFlags([\"-Ounchecked\"])],")
    try settings.write(to: manifest, atomically: true, encoding: .utf8)
    let unchecked = try Self.fingerprint(in: here, "debug")
    #expect(unchecked != changed)
    #expect(unchecked == (try Self.expected(in: here)))
  }

  @Test
  func `the conditions of a target and of those that it reaches are part of the fingerprint`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "retrace-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.makePackage(in: folder)
    let plain = try Self.fingerprint(in: folder, "debug")
    let reached = try Self.fingerprint(in: folder, "debug", conditions: ["RetraceAvro": "NEW"])
    #expect(reached == (try Self.expected(in: folder, conditions: ["RetraceAvro": "NEW"])))
    let own = try Self.fingerprint(in: folder, "debug", conditions: ["App": "NEW"])
    #expect(own == (try Self.expected(in: folder, conditions: ["App": "NEW"])))
    #expect(Set([plain, reached, own]).count == 3)
    #expect(try Self.fingerprint(in: folder, "debug") == plain)
  }

  @Test func `conditions that only the build sets are part of the fingerprint where they are used`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "retrace-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.makePackage(in: folder)
    let reached = folder.appending(path: "RetraceAvro/Digest.swift")
    let text = try String(contentsOf: reached, encoding: .utf8)
    let conditional = """
      // #if this were code, it would be none
      let prose = "#if let"
      #if !os(Linux) || (DEBUG && !NEW_ROUNDING)
      #endif

      """
    try (text + conditional).write(to: reached, atomically: true, encoding: .utf8)
    let debug = try Self.shown(in: folder)
    let release = try Self.shown(in: folder, "-c", "release")
    let rounding = try Self.shown(in: folder, "-Xswiftc", "-DNEW_ROUNDING")
    let other = try Self.shown(in: folder, "-c", "release", "-Xswiftc", "-DOTHER")
    let base = try Self.expected(in: folder)
    #expect(release == base)
    #expect(other == base)
    #expect(debug == (try Self.combined(base, ["DEBUG"])))
    #expect(rounding == (try Self.combined(base, ["DEBUG", "NEW_ROUNDING"])))
    #expect(Set([debug, release, rounding]).count == 3)
  }

  @Test func `a build fails while generated code is stale, and says what to run`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "retrace-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.makePackage(in: folder)
    let generated = folder.appending(path: "App/Generated")
    try FileManager.default.createDirectory(at: generated, withIntermediateDirectories: true)
    let declarations = Array("2\0struct Timer Recordable\nvar name : String".utf8)
    let digest = SHA256Hasher.digest(of: declarations.span).hex.prefix(32)
    try "// Generated\n// Declarations: \(digest)\n".write(
      to: generated.appending(path: "AppCodec.swift"), atomically: true, encoding: .utf8)
    func build(_ members: String) throws -> String {
      try "protocol Recordable {}\nstruct Timer: Recordable {\n  \(members)\n}\n".write(
        to: folder.appending(path: "App/Timer.swift"), atomically: true, encoding: .utf8)
      let result = try runProgram(
        "/usr/bin/env", ["swift", "build", "--target", "App", "--package-path", folder.path])
      return result.status == 0 ? "built" : result.output + result.errors
    }
    #expect(try build("var name: String") == "built")
    #expect(try build("/// A name.\n  var name: String\n  var size: Int { 1 }") == "built")
    let failure = try build("var name: String\n  var at: Int?")
    #expect(failure.contains("App/Generated: error: the recorded declarations of App have changed"))
    #expect(failure.contains("run `Tools/generate/run App`"))
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
          .executableTarget(name: "Show", dependencies: ["App"], path: "Show"),
          .executableTarget(name: "reducer-fingerprint", path: "fingerprint/Digest"),
          .plugin(
            name: "ReducerFingerprint", capability: .buildTool(),
            dependencies: ["reducer-fingerprint"], path: "fingerprint/Plugin"),
        ])
      for target in package.targets {
        if let name = Context.environment["CONDITION_\\(target.name)"] {
          target.swiftSettings = [.define(name)]
        }
      }

      """
    try files.createDirectory(
      at: folder.appending(path: "Show"), withIntermediateDirectories: true)
    try "import App\n\nprint(fingerprint)\n".write(
      to: folder.appending(path: "Show/main.swift"), atomically: true, encoding: .utf8)
    try manifest.write(
      to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
  }

  /// Builds, and takes the fingerprint from the source that was written.
  private static func fingerprint(
    in folder: URL, _ configuration: String, conditions: [String: String] = [:]
  ) throws -> String {
    let output = try run(
      conditions.map { "CONDITION_\($0)=\($1)" } + [
        "swift", "build", "-c", configuration, "--target", "App", "--package-path", folder.path,
      ])
    let outputs = folder.appending(path: ".build/plugins/outputs")
    let written = FileManager.default.enumerator(at: outputs, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.first { $0.lastPathComponent == "ReducerFingerprint.swift" }
    let text = try written.map { try String(contentsOf: $0, encoding: .utf8) }
    let parts = (try #require(text, "\(output)")).split(separator: "\"")
    return try String(parts.element(1))
  }

  /// Builds with options, and takes the fingerprint from a program that asks for it.
  private static func shown(in folder: URL, _ options: String...) throws -> String {
    let output = try run(["swift", "run", "--package-path", folder.path] + options + ["Show"])
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return try #require(Digest(hex: output), "\(output)").hex
  }

  /// Computes the fingerprint as the documentation describes it.
  private static func expected(
    in folder: URL, conditions: [String: String] = [:]
  ) throws -> String {
    let version = try run(["swiftc", "--version"]).split(separator: "\n")[0]
    var parts = try (sources.map { ($0.0, $0.1) } + [("small", "Package.swift")]).map {
      module, path in
      (module, path, try Data(contentsOf: folder.appending(path: path)))
    }
    parts += conditions.map { ($0, "-D", Data($1.utf8)) }
    var bytes = Array(version.utf8) + [0]
    for (module, path, content) in parts.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      bytes += Array(module.utf8) + [0] + Array(path.utf8) + [0]
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
      bytes += content
    }
    return SHA256Hasher.digest(of: bytes.span).hex
  }

  /// A fingerprint with conditions that the build sets.
  private static func combined(_ hex: String, _ conditions: [String]) throws -> String {
    let base = try #require(Digest(hex: hex)).bytes
    let bytes = conditions.reduce(base) { bytes, name in
      let mask = SHA256Hasher.digest(of: (base + Array(name.utf8)).span).bytes
      return zip(bytes, mask).map { $0 ^ $1 }
    }
    let digest = Digest(bytes.span)
    return try #require(digest).hex
  }

  private static func run(_ command: [String]) throws -> String {
    let result = try runProgram("/usr/bin/env", command)
    return result.status == 0 ? result.output : result.output + result.errors
  }
}
