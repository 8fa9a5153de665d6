extension DeclarationForm {
  /// Forms that the generator refuses.
  static let rejected =
    inferred + misplaced + tables + defaults + places + heads + members + types + enumerations
    + composed + identifiers
}

extension DeclarationForm {
  private static let inferred: [DeclarationForm] =
    [
      "Draft()", "Draft(timestamp: \"2026-01-01\")", "Box<Int>()", "Outer.Draft()", ".init(1)",
      "try! f()", "try? f()", "a ?? b", "c ? 1 : 2", "{ 1 }()", "\\.count", "[1, 2]", "[:]", "-1",
      "(1)", "1 as Int32", "nil", "f", "Self.limit", "Int.max", "#line", "/x/", "!true", "1 + 1",
      "if true { 1 } else { 2 }", "\"x\".count", "await g()", "(1, 2)",
    ].map { .rejects(property: "var a = \($0)", "no type annotation") } + [
      .rejects(property: "var a, b = 1", "no type annotation"),
      .rejects(
        "a module's own type of integer literals",
        "typealias IntegerLiteralType = Int32\nstruct R_A: Recordable {\n  var a = 1\n}", 3,
        "no type annotation"),
      .rejects(
        "a nested type named Int", "struct R_A: Recordable {\n  struct Int {}\n  var a = 1\n}", 3,
        "no type annotation"),
      .rejects(
        "a nested type named String",
        "enum R_O {\n  struct String {}\n  struct A: Recordable {\n    var a = \"\"\n  }\n}", 4,
        "no type annotation"),
    ]

  private static let composed: [DeclarationForm] = [
    .rejects(
      "a composed class", "final class R_A: Composed {}", 1, "reference type; compose a struct"),
    .rejects(
      "a composed generic type", "struct R_A<T>: Composed {\n  var a: T\n}", 1,
      "write `Parts` by hand"),
    .rejects(
      "a composed type in an extension", "struct R_A {}\nextension R_A: Composed {}", 2,
      "add `: Composed` to the declaration"),
    .rejects("a private composed type", "private struct R_A: Composed {}", 1, "is private"),
    .rejects(
      "a part without a type", "struct R_A: Composed {\n  var a = f()\n}", 2,
      "no type annotation"),
  ]

  private static let identifiers: [DeclarationForm] = [
    .rejects(
      "a public id with the property value", "public struct R_ID: EntityID { var value: Int64 }", 1,
      "rename the property"),
    .rejects(
      "an id of two numbers", "struct R_ID: EntityID { var a: Int64, b: Int64 }", 1,
      "one property of type Int64"),
    .rejects("an id of a text", "struct R_ID: EntityID { var value: String }", 1, "Int64"),
    .rejects(
      "a generic id", "struct R_ID<T>: EntityID { var value: Int64 }", 1, "write it by hand"),
  ]

  private static let misplaced: [DeclarationForm] = [
    .rejects(
      "a comment above a property",
      "struct R_A: Recordable {\n  // recorded: was k\n  var a: Int\n}", 2, "no effect"),
    .rejects(
      "a comment above a type", "// recorded: B\nstruct R_A: Recordable {\n}", 1, "no effect"),
    .rejects(
      "a comment below the brace", "struct R_A: Recordable {\n  // recorded: B\n}", 2, "no effect"),
    .rejects(
      "a comment after the closing brace", "struct R_A: Recordable {\n} // recorded: B", 2,
      "no effect"),
    .rejects(
      "a comment after the name", "struct R_A // recorded: B\n: Recordable {}", 1, "no effect"),
    .rejects(
      "a comment in documentation", "struct R_A: Recordable {\n  /// recorded: k\n  var a: Int\n}",
      2, "no effect"),
    .rejects(
      "a comment in a documentation block",
      "struct R_A: Recordable {\n  /**\n   * recorded: k\n   */\n  var a: Int\n}", 3, "no effect"),
    .rejects(property: "var a: Int /* recorded: was k */", "no effect"),
    .rejects(property: "var a: Int /// recorded: was k", "no effect"),
    .rejects(property: "var a: Int // Recorded: was k", "no effect"),
    .rejects(property: "var a: Int // recorded:was k", "no effect"),
    .rejects(property: "var a: Int // recorded : was k", "no effect"),
    .rejects(property: "var a: Int // recorded was k", "no effect"),
    .rejects(property: "var a: Int // RECORDED: K", "no effect"),
    .rejects(property: "var a: Int // record: was k", "no effect"),
    .rejects(property: "var a: Int // recoded: was k", "no effect"),
    .rejects(property: "var a: Int // renamed; recorded: was k", "no effect"),
    .rejects(property: "var a: Int { didSet { // recorded: k\n} }", "no effect"),
    .rejects(property: "static var a: Int // recorded: k", "no effect"),
    .rejects(property: "var a: Int { 1 } // recorded: k", "no effect"),
    .rejects(property: "func a() {} // recorded: k", "no effect"),
    .rejects(property: "typealias A = Int // recorded: k", "no effect"),
    .rejects(
      "a comment inside the initial value",
      "struct R_A: Recordable {\n  var a: Int = // recorded: was k\n    1\n}", 2, "no effect"),
    .rejects(
      "a comment between cases", "enum R_A: Recordable {\n  case a, // recorded: k\n    b\n}", 2,
      "no effect"),
    .rejects(
      "a comment after the parenthesis",
      "enum R_A: Recordable {\n  case a( // recorded: k\n    Int)\n}", 2, "no effect"),
    .rejects(
      "a comment at a type that is not recorded",
      "struct R_A: Recordable {}\nstruct R_B {\n  var a: Int  // recorded: k\n}", 3, "no effect"),
    .rejects(
      "a comment where nothing is recorded", "struct R_B {\n  var a: Int  // recorded: k\n}", 2,
      "no effect"),
    .rejects(
      "a comment at a conformance written by hand",
      "struct R_A: Recordable { // recorded: B\n  func encode(into writer: inout AvroWriter) {}\n}",
      1, "no effect"),
    .rejects(
      "a comment at an extension",
      "struct R_A: Recordable {}\nextension R_A { // recorded: B\n}", 2, "no effect"),
    .rejects(
      "a comment in code", "struct R_A: Recordable {}\nfunc f() {\n  g()  // recorded: k\n}", 3,
      "no effect"),
    .rejects(property: "var a: Int // recorded: was 1x", "not a name in Avro"),
    .rejects(property: "var a: Int // recorded: b c", "not a name in Avro"),
    .rejects(property: "var a: Int // recorded: was b c", "not a name in Avro"),
    .rejects(property: "var a: Int // recorded: b; c", "not a name in Avro"),
    .rejects(property: "var a: Int // recorded: b // recorded: was c", "not a name in Avro"),
    .rejects(property: "var a: Int // recorded:", "not a name in Avro"),
    .rejects(property: "var a: Int // recorded: was", "not a name in Avro"),
    .rejects(property: "var a: Int // recorded: was b,", "not a name in Avro"),
    .rejects(property: "var a: Int // recorded: no defaults", "not a name in Avro"),
    .rejects(property: "var größe: Int", "not a name in Avro"),
    .rejects(property: "var `a b`: Int", "not a name in Avro"),
    .rejects(property: "var a, b: Int // recorded: was c", "one per line"),
    .rejects(
      "a comment after two cases", "enum R_A: Recordable {\n  case a, b // recorded: was c\n}", 2,
      "one per line"),
    .rejects(
      "two properties of one name",
      "struct R_A: Recordable {\n  var a: Int // recorded: b\n  var b: Int\n}", 1, "two members"),
    .rejects(
      "two properties of one former name",
      "struct R_A: Recordable {\n  var a: Int // recorded: was c\n"
        + "  var b: Int // recorded: was c\n}",
      1, "two members"),
    .rejects(
      "a former name of a symbol",
      "enum R_A: Recordable {\n  case a\n  case b // recorded: was c\n}", 1, "// recorded: c"),
    .rejects(
      "a type in backticks", "struct `R_A`: Recordable {}", 1, "not a name in Avro"),
    .rejects(
      "a default at a type", "struct R_A: Recordable { // recorded: no default\n}", 1,
      "no default"),
    .rejects(
      "a default at a case", "enum R_A: Recordable {\n  case a // recorded: no default\n}", 2,
      "no default"),
  ]

  private static let tables: [DeclarationForm] = [
    .rejects(stateProperty: "let a: EntityTable<R_ID, R_E>", "a constant of a state"),
    .rejects(stateProperty: "let a: R_Part", "a constant of a state"),
    .rejects(stateProperty: "let a: Int", "a constant of a state"),
    .rejects(stateProperty: "let a = 1", "a constant of a state"),
    .rejects(stateProperty: "var a = EntityTable<R_ID, R_E>()", "no type annotation"),
    .rejects(stateProperty: "var a: EntityTable<R_ID, R_E>?", "a table can only be"),
    .rejects(stateProperty: "var a: Optional<EntityTable<R_ID, R_E>>", "a table can only be"),
    .rejects(stateProperty: "var a: [EntityTable<R_ID, R_E>]", "a table can only be"),
    .rejects(stateProperty: "var a: [Int: EntityTable<R_ID, R_E>]", "a table can only be"),
    .rejects(stateProperty: "var a: Loadable<EntityTable<R_ID, R_E>>", "a table can only be"),
    .rejects(
      stateProperty: "var a: [RetraceState.EntityTable<R_ID, R_E>]", "a table can only be"),
    .rejects(
      stateProperty: "var a: (EntityTable<R_ID, R_E>, EntityTable<R_ID, R_E>)", "a tuple"),
    .rejects(stateProperty: "lazy var a: EntityTable<R_ID, R_E> = EntityTable()", "lazy"),
    .rejects(stateProperty: "private var a: EntityTable<R_ID, R_E>", "private"),
    .rejects(stateProperty: "@W var a: EntityTable<R_ID, R_E>", "wrapper"),
    .rejects(stateProperty: "var a = 1 { didSet {} }", "observers"),
    .rejects(stateProperty: "var a: Int // recorded: was b", "only a name"),
    .rejects(stateProperty: "var a: Int = 1 // recorded: no default", "only a name"),
    .rejects(property: "var a: EntityTable<R_ID, R_E>", "a table can only be"),
    .rejects(
      "a table as a payload", "enum R_A: Recordable {\n  case a(EntityTable<R_ID, R_E>)\n}", 2,
      "a table can only be"),
    .rejects("an enum as a state", "enum R_A: RecordedState {\n  case a\n}", 1, "enum"),
    .rejects(
      "a state that is Recordable", "struct R_A: RecordedState, Recordable {}", 1,
      "cannot be both"),
    .rejects(
      "a former name of a state", "struct R_A: RecordedState { // recorded: was B\n}", 1,
      "former name"),
  ]

  private static let defaults: [DeclarationForm] =
    [
      "a: Stamp = Stamp()", "a: Stamp = .init()", "a: Int = .random(in: 1...9)",
      "a: Token = .random", "a: Token = Token.random", "a: Int = .max", "a: Double = .infinity",
      "a: Double = Double.infinity", "a: Float = .nan", "a: Double = .pi", "a: String = \"x\\(1)\"",
      "a: Int = limit", "a: Int = 1 / 1", "a: Int = 1 + limit", "a: Int = -limit",
      "a: Int = { 1 }()", "a: Int = try! f()", "a: Int = b ?? 1", "a: Int = #line",
      "a: Moment = .now", "a: Moment = Moment(timestamp: \"\")",
      "a: Moment = Moment(microseconds: limit)", "a: R_Later = 5", "a: R_Kind = .elsewhere",
      "a: R_Draft = R_Draft()", "a: R_Draft = R_Draft(a: 1)", "a: [Int] = [limit]",
      "a: [Int: Int] = [1: 2]", "a: Set<R_Kind> = [.elsewhere]", "a: Bool = !true",
    ].map { .rejects(property: "var \($0)", "may differ from process to process") } + [
      .rejects(property: "var a: Double = 1e999", "not finite"),
      .rejects(property: "var a: Float = 1e39", "not finite"),
      .rejects(property: "var a: Double = -1e999", "not finite"),
      .rejects(property: "var a: Int? = 3", "first branch"),
      .rejects(property: "var a: R_Kind? = .one", "first branch"),
      .rejects(property: "var a: Int // recorded: no default", "there is no default"),
      .rejects(property: "var a: Int // recorded: constant default", "there is no default"),
      .rejects(property: "let a: Int? // recorded: no default", "there is no default"),
      .rejects(
        property: "var a: Int = f() // recorded: constant default", "in another scope"),
      .rejects(
        property: "var a: R_Draft = R_Draft(limit) // recorded: constant default",
        "in another scope"),
      .rejects(property: "var a: R_Kind // recorded: default .other", "not a case of `R_Kind`"),
      .rejects(property: "var a: Int // recorded: default .zero", "not a case of `Int`"),
      .rejects(property: "var a: R_Kind? // recorded: default .one", "not a case of `R_Kind?`"),
      .rejects(property: "var a: R_Kind // recorded: default one", "not a name in Avro"),
      .rejects(
        "a default with payloads",
        "enum R_K: Recordable {\n  case a(Int)\n  case b\n}\n"
          + "struct R_A: Recordable {\n  var a: R_K // recorded: default .a\n}", 6, "not a case"),
      .rejects(
        "a default after the first case of an enum with payloads",
        "enum R_K: Recordable {\n  case a(Int)\n  case b\n}\n"
          + "struct R_A: Recordable {\n  var a: R_K // recorded: default .b\n}", 6, "not a case"),
      .rejects(
        "a static member that looks like a case",
        "enum R_K: Recordable {\n  case a\n  static var random: R_K { .a }\n}\n"
          + "struct R_A: Recordable {\n  var a: R_K = .random\n}", 6, "may differ"),
      .rejects(
        "a typealias of an enum",
        "enum R_K: Recordable {\n  case a\n}\ntypealias R_L = R_K\n"
          + "struct R_A: Recordable {\n  var a: R_L = .a\n}", 6, "may differ"),
      .rejects(
        "a case after the first of an enum with payloads",
        "enum R_K: Recordable {\n  case a(Int)\n  case b\n}\n"
          + "struct R_A: Recordable {\n  var a: R_K = .b\n}", 6, "first branch"),
      .rejects(
        "a case with payloads",
        "enum R_K: Recordable {\n  case a(Int)\n}\nstruct R_A: Recordable {\n"
          + "  var a: R_K = .a(1)\n}",
        5, "may differ"),
      .rejects(
        "a type that shadows a type of the library",
        "struct Moment: Recordable {\n  var a: Int\n}\n"
          + "struct R_A: Recordable {\n  var a: Moment = Moment(microseconds: 0)\n}", 5,
        "may differ"),
      .rejects(
        "a default of a payload",
        "enum R_A: Recordable {\n  case a(\n    Int,\n    Stamp = Stamp())\n}",
        4, "may differ"),
    ]
}

extension DeclarationForm {
  private static let places: [DeclarationForm] = [
    .rejects("a local type", "func f() {\n  struct R_A: Recordable {}\n}", 2, "local"),
    .rejects(
      "a type in a closure", "let f = {\n  struct R_A: Recordable {}\n}", 2, "local"),
    .rejects(
      "a type in an accessor",
      "struct R_O { var a: Int {\n  struct R_A: Recordable {}\n  return 1 } }",
      2, "local"),
    .rejects(
      "a type in an initialiser", "struct R_O { init() {\n  struct R_A: Recordable {} } }", 2,
      "local"),
    .rejects(
      "a type in a case of a switch", "switch 1 {\ndefault:\n  struct R_A: Recordable {}\n}", 3,
      "local"),
    .rejects(
      "a type under a condition", "#if X\nstruct R_A: Recordable {}\n#endif", 2, "inside `#if`"),
    .rejects(
      "a type in a generic one", "struct R_G<T> {\n  struct A: Recordable {}\n}", 2, "generic"),
    .rejects(
      "a type nested twice in a generic one",
      "struct R_G<T> {\n  enum E {\n    struct A: Recordable {}\n  }\n}", 3, "generic"),
    .rejects(
      "a type in an extension of a generic one",
      "struct R_G<T> {}\nextension R_G {\n  struct A: Recordable {}\n}", 3, "generic"),
    .rejects(
      "a type in an extension of an instantiation",
      "struct R_G<T> {}\nextension R_G<Int> {\n  struct A: Recordable {}\n}", 3, "generic"),
    .rejects(
      "a type in a constrained extension",
      "struct R_G<T> {}\nextension R_G where T == Int {\n  struct A: Recordable {}\n}", 3, "generic"
    ),
    .rejects(
      "a type in an extension of a type nested in a generic one",
      "struct R_G<T> { enum E {} }\nextension R_G.E {\n  struct A: Recordable {}\n}", 3, "generic"),
    .rejects(
      "a type in an extension of a typealias",
      "struct R_G<T> {}\ntypealias R_I = R_G<Int>\nextension R_I {\n  struct A: Recordable {}\n}",
      4,
      "typealias"),
    .rejects(
      "a type in an extension of another module's type",
      "extension Array {\n  struct R_A: Recordable {}\n}", 2, "another module declares"),
    .rejects("a private type", "private struct R_A: Recordable {}", 1, "cannot see"),
    .rejects("a fileprivate type", "fileprivate enum R_A: Recordable { case a }", 1, "cannot see"),
    .rejects(
      "a type in a private one", "private enum R_O {\n  struct A: Recordable {}\n}", 2, "cannot see"
    ),
    .rejects(
      "a type in an extension of a private one",
      "fileprivate enum R_O {}\nextension R_O {\n  struct A: Recordable {}\n}", 3, "cannot see"),
    .rejects(
      "a type in a private extension",
      "enum R_O {}\nprivate extension R_O {\n  struct A: Recordable {}\n}", 3, "cannot see"),
    .rejects(
      "a type far inside a private one",
      "enum R_O {\n  private enum P {\n    public enum Q {\n      public struct A: Recordable {}\n"
        + "    }\n  }\n}", 4, "cannot see"),
    .rejects(
      "an extension that declares Recordable", "struct R_A {}\nextension R_A: Recordable {}", 2,
      "declarations only"),
    .rejects(
      "a conditional conformance",
      "struct R_A<T> {}\nextension R_A: Recordable where T: Recordable {}", 2, "declarations only"),
    .rejects(
      "an extension that declares TableEntity", "struct R_A {}\nextension R_A: TableEntity {}", 2,
      "declarations only"),
    .rejects(
      "an extension that declares RecordedState",
      "struct R_A {}\nextension R_A: RecordedState {}", 2, "declarations only"),
  ]

  private static let heads: [DeclarationForm] = [
    .rejects("a class", "final class R_A: Recordable {}", 1, "reference"),
    .rejects("an actor", "actor R_A: Recordable {}", 1, "reference"),
    .rejects("a distributed actor", "distributed actor R_A: Recordable {}", 1, "reference"),
    .rejects(
      "a type that cannot be copied", "struct R_A: ~Copyable, Recordable {}", 1, "be copied"),
    .rejects(
      "an isolated type", "@MainActor\nstruct R_A: Recordable {}", 1, "`@MainActor` may require"),
    .rejects("a macro at a type", "@Model struct R_A: Recordable {}", 1, "`@Model` may require"),
    .rejects(
      "a deprecated type", "@available(*, deprecated)\nstruct R_A: Recordable {}", 1,
      "may require"),
    .rejects(
      "a conformance with an attribute", "struct R_A: @preconcurrency Recordable {}", 1,
      "with attributes"),
    .rejects(
      "a generic parameter without a constraint", "struct R_A<T>: Recordable {\n  var a: Int\n}", 1,
      "not Recordable"),
    .rejects("a parameter pack", "struct R_A<each T: Recordable>: Recordable {}", 1, "`each`"),
    .rejects("a generic value", "struct R_A<let n: Int>: Recordable {}", 1, "`let`"),
    .rejects(
      "a declaration with an error", "struct R_A: Recordable {\n  var a: = 1\n}", 1, "parse"),
    .rejects(
      "a conformance written by hand under one of two conditions",
      """
      #if X
      struct R_A {}
      #else
      struct R_A {
        func encode(into writer: inout AvroWriter) {}
      }
      #endif
      extension R_A: Recordable {}
      """, 8, "for declarations only"),
    .rejects(
      "half a conformance",
      "struct R_A: Recordable {\n  init(decoding reader: inout AvroReader) {}\n}", 2, "by hand"),
    .rejects(
      "a name written by hand",
      "struct R_A: Recordable {\n  static let recordedName = \"B\"\n}", 2, "by hand"),
    .rejects(
      "a schema written by hand",
      "struct R_A: Recordable {\n  static func schema(in c: inout SchemaComposer) {}\n}", 2,
      "by hand"),
  ]

  private static let members: [DeclarationForm] = [
    .rejects(property: "@Wrapper var a: Int", "wrapper"),
    .rejects(property: "@available(*, deprecated) var a: Int", "wrapper or macro"),
    .rejects(property: "@MainActor var a: Int", "wrapper or macro"),
    .rejects(property: "lazy var a: Int = 1", "lazy"),
    .rejects(property: "weak var a: B?", "weak"),
    .rejects(property: "unowned var a: B", "unowned"),
    .rejects(property: "unowned(unsafe) var a: B", "unowned"),
    .rejects(property: "private var a: Int", "private"),
    .rejects(property: "fileprivate let a: Int", "fileprivate"),
    .rejects(property: "private(set) var a: Int", "private"),
    .rejects(property: "public fileprivate(set) var a: Int", "fileprivate"),
    .rejects(property: "nonisolated(unsafe) var a: Int", "nonisolated(unsafe)"),
    .rejects(property: "let a = 1", "constant"),
    .rejects(property: "let a: Int = 1", "constant"),
    .rejects(property: "var (a, b): (Int, Int)", "pattern"),
    .rejects(property: "var a: Int { 1 }, b: Int", "computed"),
    .rejects(
      property: "var a: Int { @storageRestrictions(initializes: b) init {} get { 1 } }", "init"),
    .rejects(property: "#stored", "macro"),
    .rejects(
      "conditional members", "struct R_A: Recordable {\n#if X\n  var a: Int\n#endif\n}", 2,
      "conditional"),
  ]

  private static let types: [DeclarationForm] =
    [
      ("(Int, Int)", "a tuple"), ("()", "a tuple"), ("[(Int, Int)]", "a tuple"),
      ("() -> Void", "a function"), ("@Sendable () -> Void", "a function"),
      ("(@Sendable () -> Void)?", "a function"), ("any Error", "existential"),
      ("[some P]", "existential"), ("Int!", "implicitly unwrapped"),
      ("Int.Type", "cannot be recorded"),
      ("A & B", "cannot be recorded"), ("[3 of Int]", "cannot be recorded"),
      ("Box<3>", "a value as a generic argument"), ("UInt16", "no encoding"),
      ("[UInt64]", "no encoding"), ("Swift.UInt", "no encoding"), ("Character", "no encoding"),
      ("Substring?", "no encoding"), ("Void", "no encoding"), ("AnyObject", "no encoding"),
      ("[String: Any]", "no encoding"), ("Date", "use `Moment`"), ("[Date?]", "use `Moment`"),
      ("Foundation.Date", "use `Moment`"), ("Set<UUID>", "struct BookID: EntityID"),
      ("URL?", "use `String`"), ("Duration", "use `ElapsedTime`"),
      ("Swift.Duration", "use `ElapsedTime`"), ("Foundation.Data", "use `[UInt8]`"),
      ("TimeInterval", "use `ElapsedTime`"), ("[String: Decimal]", "use `Int64`"),
    ].map { .rejects(property: "var a: \($0.0)", $0.1) }

  private static let enumerations: [DeclarationForm] = [
    .rejects("no cases", "enum R_A: Recordable {}", 1, "without cases"),
    .rejects("empty parentheses", "enum R_A: Recordable {\n  case a()\n}", 2, "empty parentheses"),
    .rejects(
      "a function as a payload", "enum R_A: Recordable {\n  case a((Int) -> Int)\n}", 2,
      "a function"),
    .rejects(
      "a tuple as a payload", "enum R_A: Recordable {\n  case a(b: (Int, Int))\n}", 2, "a tuple"),
    .rejects(
      "a label twice", "enum R_A: Recordable {\n  case a(_0: Int, b: Int, _0: Int)\n}", 2,
      "two members"),
    .rejects(
      "a label like the one of a position", "enum R_A: Recordable {\n  case a(Int, _0: Int)\n}", 2,
      "two members"),
    .rejects(
      "a case twice", "enum R_A: Recordable {\n  case a(x: Int), a(y: Int)\n}", 1, "two members"),
    .rejects(
      "a case twice with names",
      "enum R_A: Recordable {\n  case a(x: Int) // recorded: b\n  case a(y: Int)\n}", 1,
      "two members"),
    .rejects(
      "a case with an attribute",
      "enum R_A: Recordable {\n  @available(*, deprecated)\n  case a\n}", 2, "attribute"),
    .rejects(
      "conditional cases", "enum R_A: Recordable {\n  case a\n#if X\n  case b\n#endif\n}", 3,
      "conditional"),
    .rejects("a macro among cases", "enum R_A: Recordable {\n  #cases\n}", 2, "macro"),
    .rejects(
      "a case with the name of a type inside",
      "enum R_A: Recordable {\n  case Item(Item)\n  struct Item: Recordable {}\n}", 1, "both"),
  ]
}
