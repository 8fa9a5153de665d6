extension DeclarationForm {
  /// Forms that the generator accepts: each is compiled and run.
  static let accepted =
    structs + literals + enumerations + places + comments + states + composed + identifiers
}

extension DeclarationForm {
  private static let composed: [DeclarationForm] = [
    .accepts(
      "a state with parts of each kind",
      """
      struct R_ID: EntityID { var value: Int64 }
      struct R_E: TableEntity { var a: Int64 }
      struct R_P: Recordable, Hashable { var a: Int64 }
      struct R_S: RecordedState, Composed {
        var table: EntityTable<R_ID, R_E> = EntityTable()
        var part: R_P = R_P(a: 1)
        var `default`: R_P?
        var map: [R_ID: R_P] = [:]
      }
      struct R_T: Composed { var part: R_P }
      """,
      "part(of: R_S(), { $0.part }, R_P(a: 2))", "part(of: R_S(), { $0.default }, R_P(a: 3))",
      "part(of: R_S(), { $0.map }, [R_ID(value: 1): R_P(a: 4)])",
      "part(of: R_T(part: R_P(a: 5)), { $0.part }, R_P(a: 6))"),
    .accepts(
      "cases with a payload, labelled or not, of trivial and of other types",
      """
      struct R_ID: EntityID { var value: Int64 }
      enum R_A: Recordable, Hashable, Composed {
        case a(String), b(text: [String]), c, d(R_ID, action: String), e(Int64, Int64, Int64)
      }
      enum R_B: Hashable, Composed { case a(Int64), b(Bool), c }
      indirect enum R_C: Recordable, Hashable, Composed { case a(R_C), b }
      enum R_D: Hashable, Composed { case a(value: [Int64]) }
      """,
      "case(of: R_A.c, { $0.a }, 'x')", "case(of: R_A.c, { $0.b }, ['x'])",
      "case(of: R_A.c, { $0.d }, R_ID(value: 3), 'x')", "case(of: R_B.c, { $0.a }, 4 as Int64)",
      "case(of: R_B.a(1), { $0.b }, true)", "case(of: R_C.b, { $0.a }, R_C.a(.b))",
      "case(of: R_D.a(value: []), { $0.a }, [1 as Int64])"),
  ]

  private static let identifiers: [DeclarationForm] = [
    .accepts(
      "ids in one line",
      """
      struct R_ID: EntityID { var value: Int64 }
      package struct R_P: EntityID { var number: Int64 }
      struct R_N: EntityID {  // recorded: R_Name
        let value: Int64
      }
      """,
      "value(R_ID(value: 1), \"1\")", "value(R_P(value: 1), \"1\")",
      "name(R_P.self, \"R_P\")", "value(R_N(value: -1), \"-1\")")
  ]

  private static let structs: [DeclarationForm] = [
    .accepts(
      "public structs, whose initialisers are generated",
      """
      public enum R_K: Recordable, Hashable { case a, b }
      public struct R_A: Recordable, Hashable {
        public let a: Int64
        public var b: String = "x"
        public var c: Moment?
        public var `default`: [R_K] = []
        public var `in`: R_K = .b
        public var e: SceneID = SceneID(value: 1)
        public var f: Int64 = 60 * 60
      }
      public struct R_B: Recordable, Hashable {
        public var a: R_A = R_make()  // recorded: no default
      }
      func R_make() -> R_A { R_A(a: 2) }
      public struct R_C: Recordable, Hashable {}
      public struct R_G<T: Recordable & Hashable>: Recordable, Hashable {
        public var a: T
        public var b: [T]?
      }
      """,
      "value(R_A(a: 1), \"{'a':1,'b':'x','c':null,'default':[],'in':'b','e':1,"
        + "'f':3600}\")",
      "value(R_C(), \"{}\")", "value(R_G(a: 1 as Int64), \"{'a':1,'b':null}\")"),
    .accepts(
      "public structs with initial values that are no literals",
      """
      public struct R_S: RecordedState {
        public var a: Loadable<Int64> = .nothing
        public var b: R_P = R_P(a: R_limit)
        public var c: ElapsedTime = .zero
        public var d: [Int64] = [R_limit, R_limit + 1]
        public var e: Int64
        public var f: Int64 = R_secret
        public var g: Int64 = { 7 }()
      }
      public struct R_P: RecordedState { public var a: Int64 = R_limit }
      public enum R_O {
        static let size: Int64 = 8
        public struct S: RecordedState {
          public var a: T = T()
          public var b: Int64 = size
          public var c: R_P = .init()
          public struct T: RecordedState { public var a: Int64 = Self.size }
        }
      }
      extension R_O.S.T { static var size: Int64 { 9 } }
      public struct R_G<T: Recordable & Hashable>: RecordedState {
        public var a: Loadable<T> = .nothing
        public var b: [T] = Array<T>()
      }
      public struct R_H: RecordedState {
        public var a: R_Hidden = R_Hidden()
        public struct R_Hidden: RecordedState {
          public var a: Int64 = 1
          fileprivate init() {}
        }
      }
      let R_limit: Int64 = 5
      private let R_secret: Int64 = 6
      """,
      "state(R_S(e: 1), tables: 0, \"{'a':{'nothing':{}},'b':{'a':5},'c':{'microseconds':0},"
        + "'d':[5,6],'e':1,'f':6,'g':7}\")",
      "state(R_O.S(), tables: 0, \"{'a':{'a':9},'b':8,'c':{'a':5}}\")",
      "state(R_G<Int64>(), tables: 0, \"{'a':{'nothing':{}},'b':[]}\")",
      "state(R_H(), tables: 0, \"{'a':{'a':1}}\")"),
    .accepts(
      "a struct without properties", "struct R_A: Recordable, Hashable {}", "value(R_A(), \"{}\")"),
    .accepts(
      "variables and constants",
      "struct R_A: Recordable, Hashable {\n  var a: Int\n  let b: String\n}",
      "value(R_A(a: 1, b: \"x\"), \"{'a':1,'b':'x'}\")"),
    .accepts(
      "optionals in every spelling",
      """
      struct R_A: Recordable, Hashable {
        var a: Int?
        var b: Optional<Int>
        var c: Swift.Optional<Swift.Int> = nil
        var d: Int??
        var e: (Int?)
        var f: [Int?]?
      }
      """,
      "value(R_A(a: 1, b: 2, c: 3, d: 4, e: 5, f: [nil, 6]), "
        + "\"{'a':1,'b':2,'c':3,'d':{'value':4},'e':5,'f':[null,6]}\")",
      "value(R_A(b: nil), \"{'a':null,'b':null,'c':null,'d':null,'e':null,'f':null}\")"),
    .accepts(
      "a variable of optional type begins as nil, in the schema too",
      "struct R_A: Recordable, Hashable {\n  var a: Int?\n  var b: (String?)\n}",
      "fallback(R_A())"),
    .accepts(
      "`Optional<T>` does not begin as nil, and has no default",
      "struct R_A: Recordable, Hashable {\n  var a: Optional<Int>\n}", "noFallback(R_A.self)"),
    .accepts(
      "a constant of optional type has no default",
      "struct R_A: Recordable, Hashable {\n  let a: Int?\n}", "noFallback(R_A.self)"),
    .accepts(
      "collections in every spelling",
      """
      struct R_A: Recordable, Hashable {
        var a: [Int] = []
        var b: Array<Int> = []
        var c: Swift.Array<UInt8> = []
        var d: [String: Int] = [:]
        var e: Dictionary<String, Int> = [:]
        var f: [Int: [Bool]] = [:]
        var g: Set<String> = []
        var h: Swift.Set<Int> = []
      }
      """,
      "value(R_A(a: [1], b: [2], c: [3], d: ['x': 4], e: ['y': 5], f: [6: [true]], g: ['z'], "
        + "h: [7]), \"{'a':[1],'b':[2],'c':'03','d':{'x':4},'e':{'y':5},"
        + "'f':[{'key':6,'value':[true]}],'g':['z'],'h':[7]}\")",
      "fallback(R_A())"),
    .accepts(
      "several properties in one declaration",
      "struct R_A: Recordable, Hashable {\n  var a, b: Int\n  var c: Bool, d = 4, e: Int?\n}",
      "value(R_A(a: 1, b: 2, c: true, d: 4, e: 5), \"{'a':1,'b':2,'c':true,'d':4,'e':5}\")"),
    .accepts(
      "members that are not stored",
      """
      struct R_A: Recordable, Hashable {
        var a: Int
        static let b: [String] = ["x"]
        private static let d = 3
        var e: Int { a }
        private var f: Int { get { a } set { a = newValue } }
        var g: Int { _read { yield a } }
        private func h() -> Int { f }
        subscript(i: Int) -> Int { a + i }
        typealias J = Int
        enum K { case l }
        mutating func m() {
          var local = UnsafeBitPattern()
          local.bits = 1
          #if DEBUG
            a = local.bits
          #endif
        }
      }
      struct UnsafeBitPattern { var bits = 0 }
      """,
      "value(R_A(a: 1), \"{'a':1}\")"),
    .accepts(
      "observers",
      "struct R_A: Recordable, Hashable {\n  var a: Int = 1 { willSet {} didSet {} }\n}",
      "value(R_A(a: 2), \"{'a':2}\")", "fallback(R_A())"),
    .accepts(
      "an initialiser of its own",
      """
      struct R_A: Recordable, Hashable {
        var a = 1
        let b: Int?
        init(twice b: Int) { self.b = b * 2 }
      }
      """,
      "value(R_A(twice: 2), \"{'a':1,'b':4}\")"),
    .accepts(
      "an initialiser in an extension",
      "struct R_A: Recordable, Hashable {\n  var a = 1\n}\n"
        + "extension R_A {\n  init(twice b: Int) { self.init(a: b * 2) }\n}",
      "value(R_A(twice: 2), \"{'a':4}\")"),
    .accepts(
      "modifiers that change nothing",
      """
      public struct R_A: Recordable, Hashable {
        public internal(set) var a: Int
        public package(set) var b: Int
        internal var c: Int
        @usableFromInline internal var d: Int
        public nonisolated var e: Int
      }
      """,
      "value(R_A(a: 1, b: 2, c: 3, d: 4, e: 5), \"{'a':1,'b':2,'c':3,'d':4,'e':5}\")"),
    .accepts(
      "names in backticks",
      """
      struct R_A: Recordable, Hashable {
        var `class`: Int
        var `self`: Int
        var `some name`: Int  // recorded: some_name
      }
      """,
      "value(R_A(class: 1, self: 2, `some name`: 3), \"{'class':1,'self':2,'some_name':3}\")"),
    .accepts(
      "names that generated code uses",
      """
      struct R_A: Recordable, Hashable {
        var reader: Int, writer: Int, value0: Int, value1: Int, composer: Int, schema: Int
      }
      """,
      "value(R_A(reader: 1, writer: 2, value0: 3, value1: 4, composer: 5, schema: 6), "
        + "\"{'reader':1,'writer':2,'value0':3,'value1':4,'composer':5,'schema':6}\")"),
    .accepts(
      "generic parameters with a constraint, a where clause, a refining protocol",
      """
      protocol R_P: Recordable, Hashable {}
      extension Int: R_P {}
      struct R_A<T: Recordable & Hashable, U, V: R_P>: Recordable, Hashable
      where U: Recordable & Hashable {
        var a: T
        var b: [U]
        var c: V?
      }
      """,
      "value(R_A<Int, String, Int>(a: 1, b: ['x'], c: nil), \"{'a':1,'b':['x'],'c':null}\")",
      "value(R_A<[R_A<Int, Int, Int>], String, Int>(a: [R_A(a: 1, b: [2], c: 3)], b: [], c: nil), "
        + "\"{'a':[{'a':1,'b':[2],'c':3}],'b':[],'c':null}\")"),
    .accepts(
      "a generic parameter that shadows a type",
      "struct R_T {}\nstruct R_A<R_T: Recordable & Hashable>: Recordable, Hashable {\n"
        + "  var a: R_T\n}",
      "value(R_A<Int>(a: 1), \"{'a':1}\")"),
    .accepts(
      "a recursive type",
      "struct R_A: Recordable, Hashable {\n  var a: [Self]\n  var b: [R_A]\n}",
      "value(R_A(a: [R_A(a: [], b: [])], b: []), \"{'a':[{'a':[],'b':[]}],'b':[]}\")"),
    .accepts(
      "typealiases and types with their module",
      """
      typealias R_Ints = [Int]
      struct R_A: Recordable, Hashable {
        typealias Text = String
        var a: R_Ints
        var b: Text
        var c: RetraceAvro.Digest
        var d: (Swift.Int)
      }
      """,
      "value(R_A(a: [1], b: 'x', c: .zero, d: 2), \"{'a':[1],'b':'x',"
        + "'c':'\(String(repeating: "0", count: 64))','d':2}\")"),
    .accepts(
      "names of the standard library, shadowed by nested types",
      """
      enum R_O {
        struct Int: Recordable, Hashable { var v: Swift.Int }
        struct Optional: Recordable, Hashable { var v: Swift.Int }
        struct A: Recordable, Hashable {
          var a: Int
          var b: Optional
          var c: Swift.Int? = nil
        }
      }
      """,
      "value(R_O.A(a: .init(v: 1), b: .init(v: 2), c: 3), \"{'a':{'v':1},'b':{'v':2},'c':3}\")"),
    .accepts(
      "attributes that change nothing",
      """
      @frozen public struct R_A: Recordable, Hashable {
        public var a: Int
      }
      @dynamicMemberLookup struct R_B: Recordable, Hashable {
        var a: Int
        subscript(dynamicMember name: String) -> Int { a }
      }
      """,
      "value(R_A(a: 1), \"{'a':1}\")", "value(R_B(a: 1), \"{'a':1}\")"),
    .accepts(
      "protocols in every spelling",
      """
      struct R_A: RetraceAvro.Recordable & Hashable { var a: Int }
      struct R_B: @unchecked Sendable, Hashable, Recordable { var a: Int }
      struct R_C: TableEntity { var a: Int }
      enum R_D: NavigationRoute {
        case one, two(Int)
        var path: String { "" }
      }
      """,
      "value(R_A(a: 1), \"{'a':1}\")", "value(R_B(a: 1), \"{'a':1}\")",
      "value(R_C(a: 1), \"{'a':1}\")", "value(R_D.two(3), \"{'two':{'_0':3}}\")"),
  ]
}

extension DeclarationForm {
  private static let literals: [DeclarationForm] = [
    .accepts(
      "literals that determine the type",
      ##"""
      struct R_A: Recordable, Hashable {
        var a = 1
        var b = 0x1_F
        var c = 1.5
        var d = "x\n\u{e9}\"\\"
        var e = #"raw "\n""#
        var f = """
          two
            "lines" \\
          """
        var g = true, h = false
      }
      """##,
      "fallback(R_A())",
      #"value(R_A(), "{'a':1,'b':31,'c':1.5,'d':'x\\né\\'\\\\','e':'raw \\'\\\\n\\'',"#
        + #"'f':'two\\n  \\'lines\\' \\\\','g':true,'h':false}")"#),
    .accepts(
      "literals with a type annotation",
      """
      struct R_A: Recordable, Hashable {
        var a: Double = 1
        var b: Float = -0.1
        var c: Int32 = -1_000
        var d: UInt8 = 0xff
        var e: Int64 = 60 * 60 - 1
        var f: Double = 0x1p-3
        var g: Float = 1e38
        var h: String = ""
        var i: Bool = true
      }
      """,
      "fallback(R_A())"),
    .accepts(
      "collections of constants",
      """
      enum R_K: Recordable, Hashable { case a, b }
      struct R_A: Recordable, Hashable {
        var a: [Int] = [3, 1, 1]
        var b: Set<Int> = [3, -1]
        var c: [String] = ["x", "y"]
        var d: [R_K] = [.b, R_K.a]
        var e: [[Double]] = [[1, 2.5], []]
        var f: [Int?] = [nil]
        var g: [UInt8] = [1, 255]
      }
      """,
      "fallback(R_A())"),
    .accepts(
      "cases as defaults",
      """
      enum R_K: Recordable, Hashable { case a, b }
      enum R_L: Recordable, Hashable { case a, b(Int) }
      struct R_A: Recordable, Hashable {
        enum K: Recordable, Hashable { case a, b }
        var a: R_K = .b
        var b: R_K = R_K.b
        var c: R_L = .a
        var d: K = .b
        var e: R_A.K = K.b
      }
      """,
      "fallback(R_A())"),
    .accepts(
      "values of the library as defaults",
      """
      struct R_ID: EntityID {
        var value: Int64
        static var recordedName: String { "R_ID" }
      }
      struct R_A: Recordable, Hashable {
        var a: Moment = Moment(microseconds: -5)
        var b: Moment = .init(microseconds: 1_000)
        var c: ElapsedTime = .zero
        var d: ElapsedTime = ElapsedTime.init(microseconds: 60 * 60)
        var e: Digest = .zero
        var f: SceneID = SceneID(value: 3)
        var g: R_ID = R_ID(value: 4)
      }
      """,
      "fallback(R_A())"),
    .accepts(
      "defaults that the author vouches for",
      """
      struct R_M: Recordable, Hashable {
        var cents: Int
        static let free: R_M = R_M(cents: 0)
      }
      struct R_A: Recordable, Hashable {
        var a: R_M = R_M(cents: 5)  // recorded: constant default
        var b: R_M = .free  // recorded: constant default
        var c: R_M = .init(cents: 6)  // recorded: price; constant default
      }
      enum R_B: Recordable, Hashable {
        case c(
          R_M = .free  // recorded: constant default
        )
      }
      """,
      "fallback(R_A())",
      "value(R_A(), \"{'a':{'cents':5},'b':{'cents':0},'price':{'cents':6}}\")",
      "schema(R_B.self, contains: \"'default':{'cents':0}\")"),
    .accepts(
      "defaults of the schema that differ from the code",
      """
      enum R_K: Recordable, Hashable {
        case a, b
      }
      struct R_A: Recordable, Hashable {
        var a: R_K = .b  // recorded: default .a
        var b: R_K  // recorded: kind; default .b
      }
      enum R_B: Recordable, Hashable {
        case c(
          R_K = .b  // recorded: default .a
        )
      }
      """,
      "fallback(R_A(a: .a, b: .b))",
      "schema(R_A.self, contains: \"'name':'kind','type':'R_K','default':'b'\")",
      "schema(R_B.self, contains: \"'default':'a'\")"),
    .accepts(
      "defaults that stay out of the schema",
      """
      struct R_A: Recordable, Hashable {
        var a: Int = .random(in: 1...9)  // recorded: no default
        static func == (left: Self, right: Self) -> Bool { left.a == right.a }
      }
      struct R_B: Recordable, Hashable {
        var a: Int?  // recorded: no default
      }
      struct R_C: Recordable, Hashable {
        var a: Double = .infinity  // recorded: was b; no default
      }
      """,
      "noFallback(R_A.self)", "noFallback(R_B.self)", "noFallback(R_C.self)",
      "value(R_A(a: 1), \"{'a':1}\")", "value(R_C(), \"{'a':'Infinity'}\")",
      "schema(R_C.self, contains: \"'aliases':['b']\")"),
  ]
}

extension DeclarationForm {
  private static let enumerations: [DeclarationForm] = [
    .accepts(
      "cases without payloads", "enum R_A: Recordable, CaseIterable {\n  case a, b\n  case c\n}",
      "value(R_A.a, \"'a'\")", "value(R_A.c, \"'c'\")"),
    .accepts("one case", "enum R_A: Recordable {\n  case a\n}", "value(R_A.a, \"'a'\")"),
    .accepts(
      "raw values, which are not recorded",
      "enum R_A: String, Recordable {\n  case a = \"x\", b\n}\n"
        + "enum R_B: Int, Recordable {\n  case a = 7, b = -1\n}",
      "value(R_A.a, \"'a'\")", "value(R_B.b, \"'b'\")"),
    .accepts(
      "payloads with and without labels and defaults",
      """
      enum R_A: Recordable, Hashable {
        case a(Int, at: Int64, _ c: String, String? = nil)
        case b, c(d: Int = 5, e: [Int] = [])
        case f((Int))
      }
      """,
      "value(R_A.a(1, at: 2, 'x', nil), \"{'a':{'_0':1,'at':2,'_2':'x','_3':null}}\")",
      "value(R_A.b, \"{'b':{}}\")", "value(R_A.c(), \"{'c':{'d':5,'e':[]}}\")",
      "value(R_A.f(3), \"{'f':{'_0':3}}\")", "schema(R_A.self, contains: \"'default':5\")"),
    .accepts(
      "labels and cases that are keywords",
      """
      enum R_A: Recordable, Hashable {
        case `default`(in: Int, `inout`: Int, case: Int)
        case `init`(for: Int), `self`
        case `a case`(Int)  // recorded: a_case
      }
      enum R_B: Recordable { case `default`, `init` }
      """,
      "value(R_A.default(in: 1, `inout`: 2, case: 3), \"{'default':{'in':1,'inout':2,'case':3}}\")",
      "value(R_A.`init`(for: 1), \"{'init':{'for':1}}\")", "value(R_A.`self`, \"{'self':{}}\")",
      "value(R_A.`a case`(1), \"{'a_case':{'_0':1}}\")",
      "value(R_B.`init`, \"'init'\")"),
    .accepts(
      "indirect enums and cases",
      """
      indirect enum R_A: Recordable, Hashable { case a(Int), b(R_A, Self) }
      enum R_B: Recordable, Hashable {
        case a
        indirect case b(R_B)
        case c([R_B])
      }
      """,
      "value(R_A.b(.a(1), .a(2)), \"{'b':{'_0':{'a':{'_0':1}},'_1':{'a':{'_0':2}}}}\")",
      "value(R_B.b(.c([.a])), \"{'b':{'_0':{'c':{'_0':[{'a':{}}]}}}}\")"),
    .accepts(
      "a generic enum",
      "enum R_A<T: Recordable & Hashable>: Recordable, Hashable {\n  case a(T), b\n}",
      "value(R_A<Int>.a(1), \"{'a':{'_0':1}}\")", "value(R_A<[String]>.b, \"{'b':{}}\")"),
    .accepts(
      "members beside the cases",
      """
      enum R_A: Recordable, Hashable {
        case a(Int)
        static let first: R_A = .a(1)
        var b: Int { 1 }
        init() { self = .a(2) }
        struct C {}
      }
      """,
      "value(R_A(), \"{'a':{'_0':2}}\")"),
  ]

  private static let places: [DeclarationForm] = [
    .accepts(
      "types in types and in extensions of them",
      """
      enum R_O {
        struct A: Recordable, Hashable { var b: B }
        class C {
          struct D: Recordable, Hashable { var a: A }
        }
      }
      extension R_O {
        struct B: Recordable, Hashable { var e: E.F? }
        enum E {}
      }
      extension R_O.E {
        struct F: Recordable, Hashable { var a: Int }
      }
      """,
      "value(R_O.C.D(a: .init(b: .init(e: .init(a: 1)))), \"{'a':{'b':{'e':{'a':1}}}}\")",
      "name(R_O.E.F.self, \"R_O_E_F\")"),
    .accepts(
      "access in types and extensions",
      """
      public enum R_O {
        public struct A: Recordable, Hashable { public var a: Int }
      }
      public extension R_O {
        struct B: Recordable, Hashable { public var a: Int }
        internal struct C: Recordable, Hashable { var a: Int }
      }
      enum R_I {
        public struct A: Recordable, Hashable { public var a: Int }
      }
      """,
      "value(R_O.A(a: 1), \"{'a':1}\")", "value(R_O.B(a: 1), \"{'a':1}\")",
      "value(R_O.C(a: 1), \"{'a':1}\")", "value(R_I.A(a: 1), \"{'a':1}\")"),
    .accepts(
      "package access",
      """
      package enum R_O {
        public struct A: Recordable, Hashable { package var a: Int }
      }
      package extension R_O {
        struct B: Recordable, Hashable { package var a: Int }
        enum C: Recordable, Hashable { case a(B), b }
      }
      """,
      "value(R_O.A(a: 1), \"{'a':1}\")", "value(R_O.C.a(.init(a: 1)), \"{'a':{'_0':{'a':1}}}\")"),
    .accepts(
      "conformances written by hand",
      """
      struct R_A: Recordable, Hashable {
        var a: () -> Int { { 1 } }
        static var recordedName: String { "R_A" }
        static func schema(in composer: inout SchemaComposer) -> Schema { .long }
        func encode(into writer: inout AvroWriter) { writer.long(1) }
        init() {}
        init(decoding reader: inout AvroReader) throws(AvroError) { _ = try reader.long() }
      }
      struct R_B<T>: Hashable, Sendable where T: Hashable & Sendable { var a: T }
      extension R_B: Recordable where T: Recordable {
        static var recordedName: String { "R_B__\\(T.recordedName)" }
        static func schema(in composer: inout SchemaComposer) -> Schema { T.schema(in: &composer) }
        func encode(into writer: inout AvroWriter) { a.encode(into: &writer) }
        init(decoding reader: inout AvroReader) throws(AvroError) { a = try reader.read() }
      }
      struct R_C: Recordable, Hashable { var a: R_A, b: R_B<Int> }
      extension R_C: TableEntity {}
      struct R_ID {
        var value: Int64
        static var recordedName: String { "R_ID" }
        var path: String { "" }
        init(value: Int64) { self.value = value }
      }
      extension R_ID: EntityID, NavigationRoute {}
      """,
      "value(R_ID(value: 1), \"1\")",
      "value(R_C(a: .init(), b: .init(a: 2)), \"{'a':1,'b':2}\")"),
    .accepts(
      "a type next to conditionally compiled ones",
      """
      #if DEBUG
        struct R_B {}
      #else
        class R_B {}
      #endif
      struct R_A: Recordable, Hashable { var a: Int }
      """,
      "value(R_A(a: 1), \"{'a':1}\")"),
  ]

  private static let comments: [DeclarationForm] = [
    .accepts(
      "comments where they have an effect",
      """
      struct R_A: Recordable, Hashable {  // recorded: R_Name
        var a: Int  // recorded: b
        var c: Int;  // recorded: was d, e
        var f: Int = 1 { didSet {} }  // recorded: g; was h
        var i: Int = 2  //recorded: was j
      }
      enum R_B: Recordable, Hashable {  // recorded: was R_D, R_E
        case a(
          Int,  // recorded: b
          c: Int = 1, // recorded: was d
          e: Int  // recorded: f; was g
        )  // recorded: h; was i
        case j
      }
      enum R_C: Recordable { case a; case b }
      enum R_D: Recordable {
        case a  // recorded: c
      }
      """,
      "name(R_A.self, \"R_Name\")", "name(R_B.self, \"R_B\", formerly: [\"R_D\", \"R_E\"])",
      "value(R_A(a: 1, c: 2), \"{'b':1,'c':2,'g':1,'i':2}\")",
      "schema(R_A.self, contains: \"'aliases':['d','e']\")",
      "schema(R_A.self, contains: \"'name':'g','type':'long','default':1,'aliases':['h']\")",
      "value(R_B.a(1, c: 2, e: 3), \"{'h':{'b':1,'c':2,'f':3}}\")",
      "schema(R_B.self, contains: \"'aliases':['R_D_h','R_E_h','R_B_i','R_D_i','R_E_i']\")",
      "value(R_D.a, \"'c'\")"),
    .accepts(
      "prose that is not a `recorded:` comment",
      """
      // What was recorded before is read, and recorded again.
      /// A value, as it was recorded: a number.
      struct R_A: Recordable, Hashable {
        var a: Int  // returned: a number; a record is kept
        /* restored: later */
        /// The text that was
        /// recorded, then: nothing.
        var b: Int  // decoded: as recorded
      }
      """,
      "value(R_A(a: 1, b: 2), \"{'a':1,'b':2}\")"),
  ]

  private static let states: [DeclarationForm] = [
    .accepts(
      "a state of scalars, tables and parts",
      """
      struct R_ID: EntityID {
        var value: Int64
        static var recordedName: String { "R_ID" }
      }
      struct R_E: TableEntity { var a: Int }
      typealias R_Table = EntityTable<R_ID, R_E>
      struct R_P: RecordedState {
        var table: R_Table = R_Table()
        var b = 1  // recorded: c
      }
      struct R_S: RecordedState {
        static let limit = 5
        var tables: Int { 3 }
        var a: EntityTable<R_ID, R_E> = EntityTable()
        var b: (RetraceState.EntityTable<R_ID, R_E>) = .init()
        var part: R_P = R_P()
        var random: Int = .random(in: 1...1)
        var map: [R_ID: Int] = [:]
        init() {}
      }
      """,
      "state(R_S(), tables: 3, \"{'a':[],'b':[],'part':{'table':[],'c':1},'random':1,'map':[]}\")"),
    .accepts(
      "a generic state",
      "struct R_A<T: Recordable & Hashable>: RecordedState {\n  var a: T\n}",
      "state(R_A(a: 1), tables: 0, \"{'a':1}\")"),
  ]
}
