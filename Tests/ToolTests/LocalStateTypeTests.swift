import Foundation
import Testing
import ToolTestSupport

/// What an app sees of the state of a feature that is a module of its own.
@Suite struct LocalStateTypeTests {
  /// A feature: what is typed is local to it; the word that was found is for the app.
  private let feature = """
    public import RetraceArchitecture
    public import RetraceAvro
    public import RetraceState

    public struct Search: Recordable, Equatable {
      public internal(set) var word: String = ""
      var typed: String = ""

      public init() {}

      public static var recordedName: String { "Search" }
      public static func schema(in composer: inout SchemaComposer) -> Schema {
        composer.named(recordedName, for: Self.self) { _ in
          .record(
            name: recordedName,
            fields: [Schema.Field("word", .string), Schema.Field("typed", .string)])
        }
      }
      public func encode(into writer: inout AvroWriter) {
        word.encode(into: &writer)
        typed.encode(into: &writer)
      }
      public init(decoding reader: inout AvroReader) throws(AvroError) {
        word = try String(decoding: &reader)
        typed = try String(decoding: &reader)
      }
    }

    public enum SearchAction: Sendable { case typed(String), entered }

    public struct SearchReducer: Reducer {
      public init() {}
      public func reduce(
        _ state: inout Search, _ action: SearchAction, at moment: Moment
      ) -> Effect<SearchAction, Never> {
        switch action {
        case .typed(let text): state.typed += text
        case .entered: (state.word, state.typed) = (state.typed, "")
        }
        return .none
      }
    }
    """

  /// The lines of an app that has the feature, and whether they compile.
  private let lines: [(String, compiles: Bool)] = [
    ("import Feature", true),
    ("import RetraceArchitecture", true),
    ("import RetraceAvro", true),
    ("import RetraceState", true),
    ("struct App { var search: Search = Search() }", true),
    ("func shown(_ app: App) -> String { app.search.word }", true),
    ("func isSame(_ one: App, _ other: App) -> Bool { one.search == other.search }", true),
    ("func recorded(_ app: App) -> [UInt8] { app.search.encoded() }", true),
    ("func run(_ app: inout App, at moment: Moment) {", true),
    ("  _ = SearchReducer().reduce(&app.search, .typed(\"a\"), at: moment)", true),
    ("}", true),
    ("func read(_ app: App) -> String { app.search.typed }", false),
    ("func write(_ app: inout App) { app.search.typed = \"\" }", false),
    ("func overwrite(_ app: inout App) { app.search.word = \"\" }", false),
    ("func made() -> Search { Search(word: \"\", typed: \"\") }", false),
  ]

  @Test func `local state is recorded, and only its own module reads and writes it [T4]`() throws {
    try withTemporaryDirectory { folder in
      let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "Modules").path
      let (source, app) = ("\(folder)/feature.swift", "\(folder)/app.swift")
      try feature.write(toFile: source, atomically: true, encoding: .utf8)
      try lines.map(\.0).joined(separator: "\n").write(
        toFile: app, atomically: true, encoding: .utf8)
      let options = ["-swift-version", "6", "-I", modules]
      let made = try run(
        "/usr/bin/env",
        ["swiftc", "-emit-module", "-module-name", "Feature"] + options
          + ["-emit-module-path", "\(folder)/Feature.swiftmodule", source])
      #expect(made.status == 0, "\(made.errors)")
      let result = try run(
        "/usr/bin/env", ["swiftc", "-typecheck", "-I", folder] + options + [app])
      let errors = result.errors.split(separator: "\n").filter { $0.contains(": error: ") }
      let found = errors.compactMap { Int($0.dropFirst(app.count + 1).prefix { $0 != ":" }) }
      let expected = lines.indices.filter { !lines[$0].compiles }.map { $0 + 1 }
      #expect(Array(Set(found)).sorted() == expected, "\(result.errors)")
    }
  }
}
