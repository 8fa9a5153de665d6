import Foundation
import Testing
import ToolTestSupport

/// What the types of effects refuse, so that the written order cannot mislead.
@Suite struct EffectTypeTests {
  /// Expressions of type `Effect<Beep, Room>`, and whether they compile.
  private let effects: [(String, compiles: Bool)] = [
    (".send(.beeped)", true),
    (".concatenate([.send(.beeped), .send(.beeped).delayed(by: .zero).cancellable(\"a\")])", true),
    (".merge([.send(.beeped).delayed(by: .zero), .cancel(\"a\")])", true),
    (".concatenate([.send(.beeped)]).cancellable(\"a\", cancelInFlight: true)", true),
    (".concatenate([.send(.beeped), .cancel(\"a\")])", false),
    (".concatenate([.send(.beeped), .cancelAll])", false),
    (".concatenate([.send(.beeped).cancellable(\"a\", cancelInFlight: true)])", false),
    (".cancel(\"a\").delayed(by: .zero)", false),
    (".cancel(\"a\").cancellable(\"b\")", false),
    (".send(.beeped).debounced(\"a\", for: .zero).delayed(by: .zero)", false),
    (".run { _, send in try await send(.beeped) }", false),
  ]
  /// Policies of a leaf that sends actions while it runs, and whether they compile.
  private let policies: [(String, compiles: Bool)] = [
    (".drop", true), (".send(.beeped)", true), (".resume", true), (".run", false),
  ]

  @Test func `a cancellation is no work, and a stream does not run again`() throws {
    var lines = ["import RetraceArchitecture", "import RetraceAvro", "import RetraceState"]
    lines += ["struct Room: Sendable {}", "enum Beep: Recordable {", "  case beeped"]
    lines += ["  static var recordedName: String { \"Beep\" }"]
    lines += ["  static func schema(in composer: inout SchemaComposer) -> Schema { .long }"]
    lines += ["  func encode(into writer: inout AvroWriter) { writer.long(0) }"]
    lines += ["  init(decoding reader: inout AvroReader) throws(AvroError) {"]
    lines += ["    _ = try reader.long()", "    self = .beeped", "  }", "}"]
    var expected: [Int] = []
    for (index, (expression, compiles)) in effects.enumerated() {
      lines.append("func effect\(index)() -> Effect<Beep, Room> { \(expression) }")
      if !compiles { expected.append(lines.count) }
    }
    for (index, (policy, compiles)) in policies.enumerated() {
      lines.append("func policy\(index)() -> StreamInterruptionPolicy<Beep> { \(policy) }")
      if !compiles { expected.append(lines.count) }
    }
    try withTemporaryDirectory { folder in
      let file = "\(folder)/effects.swift"
      try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "Modules").path
      let result = try run(
        "/usr/bin/env", ["swiftc", "-swift-version", "6", "-typecheck", "-I", modules, file])
      let errors = result.errors.split(separator: "\n").filter { $0.contains(": error: ") }
      let found = errors.compactMap { Int($0.dropFirst(file.count + 1).prefix { $0 != ":" }) }
      #expect(Array(Set(found)).sorted() == expected, "\(result.errors)")
      #expect(result.errors.contains("declare an EffectLeaf"))
    }
  }
}
