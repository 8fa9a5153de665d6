import RetraceArchitecture
import RetraceFixtures
import RetraceState
import Testing

@Suite struct EntityEditorTests {
  private let gone = JarID(value: 7)
  private var editor = EntityEditor<LarderEdit>(LarderState(), at: Moment(microseconds: 0))
  private let honey: JarID

  init() { honey = editor.insert(Jar(name: "honey", spoons: 3), of: Jars.self) }

  @Test func `an entity that is gone is refused with the given reason`() throws {
    #expect(try editor.entity(honey, of: Jars.self, else: .noJar(honey)).name == "honey")
    #expect(throws: JarRefusal.noJar(gone)) {
      try editor.entity(gone, of: Jars.self, else: .noJar(gone))
    }
  }

  @Test func `a change of an entity that is gone is refused, and changes nothing`() throws {
    var editor = editor
    try editor.change(honey, of: Jars.self, else: .noJar(honey)) { $0.spoons = 2 }
    #expect(editor.entity(honey, of: Jars.self)?.spoons == 2)
    let facts = editor.facts
    #expect(throws: JarRefusal.noJar(gone)) {
      try editor.change(gone, of: Jars.self, else: .noJar(gone)) { $0.spoons = 1 }
    }
    #expect(editor.facts == facts)
  }

  @Test func `an entity is removed with its values, so that an undo inserts it again`() throws {
    var editor = editor
    let jar = Jar(name: "honey", spoons: 3)
    editor.remove(gone, of: Jars.self)
    #expect(editor.facts.count == 1)
    #expect(throws: JarRefusal.noJar(gone)) {
      try editor.remove(gone, of: Jars.self, else: .noJar(gone))
    }
    try editor.remove(honey, of: Jars.self, else: .noJar(honey))
    #expect(editor.facts.last == .edited(.jar(.removed(honey, Removal(jar)))))
    #expect(editor.entity(honey, of: Jars.self) == nil)
    editor.append(LarderEdit.jar(.removed(honey, Removal(jar))).inverted)
    #expect(editor.entity(honey, of: Jars.self) == jar)
  }

  @Test func `a refusal has a text if its module gives one`() {
    #expect(LarderEntities.text(of: .jar(.noJar(gone))) == nil)
    #expect(
      LarderEntities.text(of: .staleRestore)
        == "Another change came before; nothing was undone or redone.")
  }
}
