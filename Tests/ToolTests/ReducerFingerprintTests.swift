import Foundation
import RetraceAvro
import RetraceSystem
import Testing
import ToolTestSupport

/// The plugin, applied in a small package of its own, at two places.
///
/// One is built for debugging, the other for release, so each compiles the plugin only once for all
/// tests. The release builds are left out unless `RETRACE_FULL` is 1.
@Suite(.serialized) struct ReducerFingerprintTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let isFull = cycles(10) == 10
  private static let places = Result { () throws -> [URL] in
    let folder = root.appending(path: ".build/fingerprint")
    try? FileManager.default.removeItem(at: folder)
    return ["here", "some/where else"].map { folder.appending(path: $0) }
  }

  /// Where the package is built for debugging, and where for release.
  private let here: URL
  private let there: URL

  init() throws {
    let places = try Self.places.get()
    (here, there) = try (places.element(0), places.element(1))
    for place in places { try Self.makePackage(in: place) }
  }

  @Test
  func `a reducer has one fingerprint wherever and however it is built, and a byte changes it`()
    throws
  {
    let debug = try Self.fingerprint(in: here, "debug")
    #expect(debug == (try Self.expected(in: here)))
    if Self.isFull { #expect(try Self.fingerprint(in: there, "release") == debug) }

    // One byte in a module that the reducer reaches.
    try Self.append("\n", to: here.appending(path: "RetraceAvro/Digest.swift"))
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
    let reached = try Self.fingerprint(in: here, "debug", conditions: ["RetraceAvro": "NEW"])
    #expect(reached == (try Self.expected(in: here, conditions: ["RetraceAvro": "NEW"])))
    let own = try Self.fingerprint(in: here, "debug", conditions: ["App": "NEW"])
    #expect(own == (try Self.expected(in: here, conditions: ["App": "NEW"])))
    let plain = try Self.fingerprint(in: here, "debug")
    #expect(plain == (try Self.expected(in: here)))
    #expect(Set([plain, reached, own]).count == 3)
  }

  @Test func `conditions that only the build sets are part of the fingerprint where they are used`()
    throws
  {
    for place in [here, there] {
      try Self.append(
        """
        // #if this were code, it would be none
        let prose = "#if let"
        #if !os(Linux) || (DEBUG && !NEW_ROUNDING)
        #endif

        """, to: place.appending(path: "RetraceAvro/Digest.swift"))
    }
    let debug = try Self.shown(in: here)
    let rounding = try Self.shown(in: here, "-Xswiftc", "-DNEW_ROUNDING")
    let base = try Self.expected(in: here)
    if Self.isFull {
      #expect(try Self.shown(in: there, "-c", "release") == base)
      #expect(try Self.shown(in: there, "-c", "release", "-Xswiftc", "-DOTHER") == base)
    }
    #expect(debug == (try Self.combined(base, ["DEBUG"])))
    #expect(rounding == (try Self.combined(base, ["DEBUG", "NEW_ROUNDING"])))
    #expect(Set([debug, base, rounding]).count == 3)
  }

  @Test func `a build fails while generated code is stale, and says what to run`() throws {
    let generated = here.appending(path: "App/Generated")
    try FileManager.default.createDirectory(at: generated, withIntermediateDirectories: true)
    let declarations = Array("2\0struct Timer Recordable\nvar name : String".utf8)
    let digest = SHA256Hasher.digest(of: declarations.span).hex.prefix(32)
    try "// Generated\n// Declarations: \(digest)\n".write(
      to: generated.appending(path: "AppCodec.swift"), atomically: true, encoding: .utf8)
    func build(_ members: String) throws -> String {
      try "protocol Recordable {}\nstruct Timer: Recordable {\n  \(members)\n}\n".write(
        to: here.appending(path: "App/Timer.swift"), atomically: true, encoding: .utf8)
      let result = try runProgram(
        "/usr/bin/env", ["swift", "build", "--target", "App", "--package-path", here.path])
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

  /// Makes the package as it is before a test, with the build of the tests before.
  private static func makePackage(in folder: URL) throws {
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let plugin = folder.appending(path: "fingerprint")
    if !files.fileExists(atPath: plugin.path) {
      try files.copyItem(at: root.appending(path: "Tools/fingerprint"), to: plugin)
    }
    // A digest that an earlier build wrote is none of the next build.
    try? files.removeItem(at: folder.appending(path: ".build/plugins/outputs"))
    for (module, path, text) in sources {
      try? files.removeItem(at: folder.appending(path: module))
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

  private static func append(_ text: String, to file: URL) throws {
    let before = try String(contentsOf: file, encoding: .utf8)
    try (before + text).write(to: file, atomically: true, encoding: .utf8)
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

  private static let version = Result {
    try run(["swiftc", "--version"]).split(separator: "\n").element(0)
  }

  /// Computes the fingerprint as the documentation describes it.
  private static func expected(
    in folder: URL, conditions: [String: String] = [:]
  ) throws -> String {
    let version = try Self.version.get()
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
