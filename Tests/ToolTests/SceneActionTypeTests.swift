import Foundation
import Testing
import ToolTestSupport

/// Code of an app with commands that the compiler refuses, so that only deciders make facts.
@Suite struct SceneActionTypeTests {
  /// The parts of an app with commands, whose actions are numbers: positive ones are facts.
  private let parts = """
    import RetraceArchitecture
    import RetraceAvro
    import RetraceRecording
    import RetraceScreen
    import RetraceState

    struct Count: RecordedState {
      static var recordedName: String { "Count" }
      static func stateSchema(in composer: inout SchemaComposer) -> Schema { .long }
      func encodeScalars(into writer: inout AvroWriter) {}
      init(decodingScalars reader: inout AvroReader) throws(AvroError) {}
      init() {}
      mutating func visitTables(_ visitor: inout some TableVisitor) {}
      func encodeWhole(into writer: inout AvroWriter) {}
    }
    struct CountReducer: Reducer {
      func reduce(
        _ state: inout Count, _ action: Int64, at moment: Moment
      ) -> Effect<Int64, Never> { .none }
    }
    struct CountDecider: Decider {
      func decide(
        _ command: String, on state: borrowing Count, at moment: Moment
      ) throws(NoCommand) -> [Int64] { [1] }
    }
    enum CountRoute: NavigationRoute {
      case all
      var path: String { "all" }
      static var recordedName: String { "CountRoute" }
      static func schema(in composer: inout SchemaComposer) -> Schema { .long }
      func encode(into writer: inout AvroWriter) { writer.long(0) }
      init(decoding reader: inout AvroReader) throws(AvroError) { self = .all }
    }
    """

  private func app(_ name: String, _ members: [String]) -> [String] {
    ["enum \(name): ReplayableApp {"] + members + [
      "  typealias Environment = Never",
      "  static var name: String { \"count\" }",
      "  static var build: String { \"1\" }",
      "  static var reducer: CountReducer { CountReducer() }",
      "  static var initialState: Count { Count() }",
      "  static func scenes(in state: Count) -> [SceneID] { [] }",
      "  static func backStack(of scene: SceneID, in state: Count) -> BackStack<CountRoute>? {",
      "    nil",
      "  }",
      "  static func screen(",
      "    of scene: SceneID, in state: Count, at moment: Moment, size: Screen.Size",
      "  ) -> Screen { Screen(Canvas(size)) }",
      "}",
    ]
  }

  /// Statements with a store of either app, and whether they compile.
  private let statements: [(String, compiles: Bool)] = [
    ("try plain.sendBlocking([Int64(1)])", true),
    ("try plain.enqueue([Int64(1)])", true),
    ("try commanded.sendBlocking([Int8(1)])", true),
    ("try commanded.enqueue([Int8(1)])", true),
    ("try commanded.transactBlocking { (_, _) throws(Never) in [Int8(1)] }", true),
    ("try commanded.performBlocking(\"count\")", true),
    ("try commanded.sendBlocking([Int64(1)])", false),
    ("try commanded.enqueue([Int64(1)])", false),
    ("try commanded.transactBlocking { (_, _) throws(Never) in [Int64(1)] }", false),
    ("_ = try await commanded.send(Int64(1))", false),
    ("try plain.performBlocking(\"count\")", false),
  ]

  @Test func `an app with commands says what may be sent, and the compiler refuses all else`()
    throws
  {
    var lines = parts.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let decider = "  static var decider: CountDecider { CountDecider() }"
    let roles = [
      "  static func action(for sceneAction: Int8) -> Int64 { Int64(sceneAction) }",
      "  static func role(of action: Int64) -> ActionRole<String> { action > 0 ? .fact : .scene }",
    ]
    lines += app("Plain", []) + app("Commanded", [decider] + roles)
    var expected: [Int] = []
    for (index, (statement, compiles)) in statements.enumerated() {
      lines += ["func use\(index)("]
      lines += ["  _ plain: Store<Plain>, _ commanded: Store<Commanded>", ") async throws {"]
      lines += ["  \(statement)", "}"]
      if !compiles { expected.append(lines.count - 1) }
    }
    #expect(try errors(in: lines) == expected)
    // Without the roles of its actions, an app with commands is no app.
    let declared = Array(lines.prefix { !$0.hasPrefix("func use0") })
    #expect(
      try errors(in: declared + app("Undeclared", [decider])) == [declared.count + 1])
  }

  /// Returns the lines with errors.
  private func errors(in lines: [String]) throws -> [Int] {
    try withTemporaryDirectory { folder in
      let file = "\(folder)/app.swift"
      try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
      var arguments = ["swiftc", "-swift-version", "6", "-typecheck"]
      arguments += ["-I", build.appending(path: "Modules").path]
      // The modules of C that the store's modules import.
      for module in ["CLMDB", "CHashes"] { arguments += ["-I", "\(sources.path)/\(module)"] }
      let map = build.appending(path: "CRetraceSystem.build/module.modulemap").path
      let result = try run(
        "/usr/bin/env", arguments + ["-Xcc", "-fmodule-map-file=\(map)", file])
      let errors = result.errors.split(separator: "\n").filter { $0.contains(": error: ") }
      #expect(errors.allSatisfy { $0.hasPrefix(file) }, "\(errors)")
      return Array(
        Set(errors.compactMap { Int($0.dropFirst(file.count + 1).prefix { $0 != ":" }) })
      ).sorted()
    }
  }
}
