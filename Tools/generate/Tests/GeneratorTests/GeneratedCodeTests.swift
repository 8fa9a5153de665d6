import Foundation
import Generator
import Testing

/// Tests of the exact output for declarations of each kind.
@Suite struct GeneratedCodeTests {
  @Test func `a struct is a record of its stored properties`() throws {
    try expectGolden("Struct")
  }

  @Test func `an enum without payloads is an Avro enum`() throws {
    try expectGolden("Enumeration")
  }

  @Test func `an enum with payloads is a record of one union`() throws {
    try expectGolden("Union")
  }

  @Test func `a state visits its tables and encodes the other fields`() throws {
    try expectGolden("State")
  }

  @Test func `the changes of an entity are visited field by field`() throws {
    try expectGolden("Changes")
  }

  @Test func `a list of screens makes routes, actions, a reducer and links`() throws {
    try expectGolden("Screens")
  }

  @Test func `a list of screens that cannot be written is refused`() {
    for (source, message) in [
      ("enum Pages: ScreenList { case a(A) }", "let the name end with `Screens`"),
      ("enum AppScreens: ScreenList {}", "has no screens"),
      ("enum AppScreens: ScreenList { case a }", "needs the module of its screen"),
      ("enum AppScreens: ScreenList { case a(b: A) }", "needs the module of its screen"),
      ("private enum AppScreens: ScreenList { case a(A) }", "is private"),
    ] {
      let output = Generator.run([SourceText(path: "A.swift", text: source)])
      #expect(output.text == nil && output.diagnostics.first?.message.contains(message) == true)
    }
  }

  @Test func `changes that are not optional changes of fields are refused`() {
    for (source, message) in [
      ("struct C: EntityChanges { var a: Change<Int> }", "has to be of a type `Change<…>?`"),
      ("struct C: EntityChanges { var a: Int? }", "has to be of a type `Change<…>?`"),
      ("enum C: EntityChanges { case a }", "has to be a struct"),
      (
        "struct C: EntityChanges { mutating func _visitChanges(_ v: inout some V) {} }",
        "the generator writes this member"
      ),
    ] {
      let output = Generator.run([SourceText(path: "A.swift", text: source)])
      #expect(output.text == nil && output.diagnostics.first?.message.contains(message) == true)
    }
  }

  @Test func `changes of a field that the entity does not have are refused at their line`() {
    let changes = "struct C: EntityChanges {\n  typealias Entity = E\n  var ringz: Change<Int>?\n}"
    func diagnostics(_ entity: String) -> [String] {
      let files =
        [SourceText(path: "A.swift", text: changes)]
        + [SourceText(path: "B.swift", text: entity)]
      return Generator.run(files).diagnostics.map(\.description)
    }
    let message =
      "A.swift:3: error: `E` has no property `ringz`; the properties of an EntityChanges have the "
      + "names of its entity's: `name`, `rings`"
    #expect(diagnostics("struct E { var rings = 1; var name: String }") == [message])
    let extended = "struct E { var rings = 1 }\nextension E { var name: Int { 1 } }"
    #expect(diagnostics(extended) == [message])
    #expect(diagnostics("struct E { var ringz = 1 }").isEmpty)
    #expect(diagnostics("struct E {}\nextension E { var ringz: Int { get { 1 } set {} } }").isEmpty)
    // What another module declares is not known.
    #expect(diagnostics("").isEmpty)
  }

  @Test func `public structs get public initialisers, unless they declare one`() throws {
    try expectGolden("Initialisers")
  }

  @Test func `a value of the library without arguments is a default, one of the target is not`() {
    func output(_ text: String) -> Generator.Output {
      Generator.run([SourceText(path: "A.swift", text: text)])
    }
    let form = "struct A: Recordable { var a: TextDraft = TextDraft() }"
    let library = output("import Retrace\n\(form)")
    #expect(library.text?.contains("default: composer.defaultValue(TextDraft())") == true)
    let own = output("\(form)\nstruct TextDraft: Recordable { var b = 1 }")
    #expect(own.text == nil)
    #expect(own.diagnostics.first?.message.contains("may differ from process") == true)
  }

  @Test func `the actions of a scene with a standard frame are recorded`() {
    let source = "import Retrace\nenum A: FrameSceneAction { case frame(FrameAction) }"
    let output = Generator.run([SourceText(path: "A.swift", text: source)])
    #expect(output.text?.contains("extension A {") == true, "\(output.diagnostics)")
  }

  /// A target without the feature `InternalImportsByDefault` has plain imports.
  @Test(arguments: [
    (
      "import Retrace\npackage struct A: Recordable { package var a: Int64 }",
      "#if hasFeature(InternalImportsByDefault)\npackage import Retrace\n#else\nimport Retrace\n"
        + "#endif\n"
    ),
    (
      "package import Retrace\npackage struct A: Recordable { package var a: Int64 }",
      "package import Retrace\n"
    ),
    (
      "package import Retrace\nstruct A: Recordable { var a: Int64 }",
      "internal import Retrace\n"
    ),
    (
      "import Retrace\npublic struct A: Recordable { public var a: Int64 }",
      "public import Retrace\n"
    ),
    (
      "public import Foundation\npublic import Models\npublic import Retrace\n"
        + "public struct A: RecordedState { public var a: Creature }",
      "import Foundation\npublic import Models\npublic import Retrace\n"
    ),
    (
      "public import Models\npublic import Services\n"
        + "public struct A: RecordedState { public var a: Creature }",
      "#if hasFeature(InternalImportsByDefault)\npublic import Models\n#else\nimport Models\n"
        + "#endif\npublic import RetraceAvro\npublic import RetraceState\n"
        + "#if hasFeature(InternalImportsByDefault)\npublic import Services\n#else\n"
        + "import Services\n#endif\n"
    ),
  ])
  func `a module is imported at a level that the target accepts`(
    source: String, imports: String
  ) throws {
    let output = Generator.run([SourceText(path: "A.swift", text: source)])
    let text = try #require(output.files.first?.text)
    #expect(text.contains("\n\n\(imports)\nextension A {"), "\(text.prefix(600))")
  }

  @Test func `parts get names at their own access level, and ids what they lack [T4]`() throws {
    try expectGolden("Composed")
  }

  @Test func `commands, refusals and edits are written from a list of entities`() throws {
    try expectGolden("Entities")
  }

  @Test func `changes are written for a module that names none and declares none`() throws {
    try expectGolden("EntityChanges")
  }

  @Test func `written changes are encoded as those that are declared`() throws {
    let changes = "struct ItemChanges: EntityChanges {\n  typealias Entity = Item\n"
    let fields = "  var name: Change<String>?\n  var note: Change<String?>?\n}\n"
    let source = """
      struct ItemID: EntityID { var number: Int64 }
      struct Item: TableEntity { var name: String; var note: String? }
      enum Items: EntityModule {}
      struct ShopState: RecordedState { var items: EntityTable<ItemID, Item> = EntityTable() }
      enum ShopEntities: EntityList { typealias State = ShopState; case item(Items) }

      """
    func codec(_ source: String) throws -> Substring {
      let output = Generator.run([SourceText(path: "A.swift", text: source)])
      #expect(output.diagnostics.isEmpty)
      let file = try #require(output.files.first { $0.name == "ModuleCodec.swift" })
      let start = try #require(file.text.range(of: "extension ItemChanges {"))
      let rest = file.text[start.lowerBound...]
      let end = try #require(rest.range(of: "\n}\n"))
      return rest[..<end.upperBound]
    }
    #expect(try codec(source) == codec(source + changes + fields))
  }

  @Test func `a module whose changes are not known is refused at its line`() {
    let list = "enum ShopEntities: EntityList {\n  typealias State = ShopState\n  case a(As)\n}\n"
    let entity = "struct A: TableEntity { var a: Int64 }\n"
    let state = "struct ShopState: RecordedState { var as: EntityTable<AID, A> }\n"
      .replacing(" as:", with: " `as`:")
    for other in ["", entity, state.replacing("`as`", with: "bs"), state] {
      let source = list + "enum As: EntityModule {}\n" + other
      let output = Generator.run([SourceText(path: "A.swift", text: source)])
      #expect(
        output.diagnostics.map(\.description) == [
          "A.swift:3: error: `As` names no changes, and `ShopState` has no table `as` of an entity "
            + "that this target declares; add `typealias Changes = …` to `As`"
        ])
    }
    // The module of another target names its changes there.
    #expect(Generator.run([SourceText(path: "A.swift", text: list)]).diagnostics.isEmpty)
    // What is wrong with the entity is said, and nothing else.
    let refused =
      list + "enum As: EntityModule {}\n" + state + "struct A: TableEntity { var a = f() }"
    let output = Generator.run([SourceText(path: "A.swift", text: refused)])
    #expect(output.diagnostics.map(\.message) == ["the property has no type annotation; add one"])
  }

  @Test func `a list of entities that cannot be read is refused`() {
    let state = "typealias State = S"
    for (source, message) in [
      ("enum Things: EntityList { \(state); case a(As) }", "let the name end with `Entities`"),
      ("enum Entities: EntityList { \(state); case a(As) }", "let the name end with `Entities`"),
      ("enum MyEntities: EntityList { case a(As) }", "add `typealias State = …`"),
      ("enum MyEntities: EntityList { \(state) }", "add a case for each"),
      ("enum MyEntities: EntityList { \(state); case a }", "needs the module of its entity"),
      ("enum MyEntities: EntityList { \(state); case a(As, Bs) }", "needs the module"),
      ("enum MyEntities: EntityList { \(state); case a(of: As) }", "needs the module"),
      ("enum MyEntities: EntityList { \(state); case restore(As) }", "choose another name"),
      ("enum MyEntities: EntityList { \(state); case `in`(As) }", "choose another name"),
      ("enum MyEntities: EntityList { \(state); case a(Outer.As) }", "at the top level"),
      ("private enum MyEntities: EntityList { \(state); case a(As) }", "is private"),
    ] {
      let output = Generator.run([SourceText(path: "A.swift", text: source)])
      #expect(output.text == nil && output.diagnostics.first?.message.contains(message) == true)
      #expect(output.diagnostics.first?.path == "A.swift" && output.diagnostics.first?.line == 1)
    }
  }

  @Test func `a leaf is recorded, although it says only that it is a leaf`() throws {
    let leaf = "struct Load: EffectLeaf { var title: String }"
    let both = leaf.replacing("EffectLeaf", with: "EffectLeaf, Recordable")
    let texts = [leaf, both].map { Generator.run([SourceText(path: "A.swift", text: $0)]).text }
    #expect(texts[0] != nil && texts[0] == texts[1])
  }

  @Test func `parts, names of ids and leaves that are written by hand are left alone`() {
    let source = """
      struct A: Composed { var a: Int; struct Parts {} }
      struct B {}
      extension B: Composed { struct Parts {} }
      struct ID: EntityID { var value: Int64; static var recordedName: String { "ID" } }
      struct Other: EntityID { var value: Int64 }
      extension Other { static var recordedName: String { "Other" } }
      struct Leaf: EffectLeaf { func encode(into writer: inout AvroWriter) {} }
      """
    let output = Generator.run([SourceText(path: "A.swift", text: source)])
    #expect(output.text == nil && output.diagnostics.isEmpty)
  }

  @Test func `nested types are written with their scope, also across files`() throws {
    let files = [
      SourceText(
        path: "A.swift",
        text: """
          extension Timer.Screen {
            struct Route: NavigationRoute { var draft: Draft; var id: ID; var far: Far.Away }
          }
          extension Timer {
            struct Sheet: Recordable { var inner: Draft }
          }
          struct Draft: TableEntity {}
          """),
      SourceText(
        path: "B.swift",
        text: "enum Timer { enum Screen {} }\n"
          + "extension Timer { struct Draft {} }\nextension Timer.Screen { typealias ID = Int }"),
    ]
    let text = try #require(Generator.run(files).text)
    #expect(text.contains("extension Timer.Screen.Route {"))
    #expect(text.contains("\"Timer_Screen_Route\""))
    // As in Swift, an extension of `Timer.Screen` does not see what `Timer` declares.
    #expect(text.contains("Schema.Field(\"draft\", composer.schema(of: Draft.self))"))
    #expect(text.contains("Schema.Field(\"inner\", composer.schema(of: Timer.Draft.self))"))
    #expect(text.contains("Schema.Field(\"id\", composer.schema(of: Timer.Screen.ID.self))"))
    #expect(text.contains("Schema.Field(\"far\", composer.schema(of: Far.Away.self))"))
    #expect(text.contains("extension Draft {"))
  }

  @Test func `types that are not recorded, and types encoded by hand, generate nothing`() {
    let source = """
      struct Plain: Equatable { var closure: () -> Void }
      struct Moment: Recordable { func encode(into writer: inout AvroWriter) {} }
      extension Plain: Recordable { func encode(into writer: inout AvroWriter) {} }
      struct Generic<T: Recordable> {}
      protocol Recordable {}
      """
    let output = Generator.run([SourceText(path: "A.swift", text: source)])
    #expect(output.text == nil)
    #expect(output.diagnostics.isEmpty)
  }

  /// Compares the output for `NAME.input.txt` with `NAME.output.txt`.
  private func expectGolden(
    _ name: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    let source = try String(
      contentsOf: folder.appending(path: "\(name).input.txt"), encoding: .utf8)
    let expected = try String(
      contentsOf: folder.appending(path: "\(name).output.txt"), encoding: .utf8)
    let output = Generator.run(
      [SourceText(path: "A.swift", text: source)])
    #expect(output.diagnostics.isEmpty, sourceLocation: location)
    let text = try #require(output.text, sourceLocation: location)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let same = zip(lines, wanted).prefix { $0 == $1 }.count
    #expect(
      text == expected, "line \(same + 1): \(lines.dropFirst(same).first ?? "")",
      sourceLocation: location)
  }
}
