import RetraceArchitecture
import RetraceFixtures
import RetraceScreen
import RetraceState
import Testing

@Suite struct EntityRowsTests {
  private let table: EntityTable<JarID, Jar>
  private let ids: [JarID]

  init() {
    var editor = EntityEditor<LarderEdit>(LarderState(), at: Moment(microseconds: 0))
    ids = ["honey", "jam", "mustard"].map {
      editor.insert(Jar(name: $0, spoons: 1), of: Jars.self)
    }
    editor.remove(ids[1], of: Jars.self)
    table = editor.state.jars
  }

  /// Returns what a key selects.
  private func selection(after key: Key, from selection: JarID?) throws -> JarID? {
    let keys = Bindings<EntityRows<JarID, Jar>, JarID>("Jars") {
      Binding.selecting({ $0 }, help: "Select a jar.") { $0 }
    }
    return try keys.value(for: key, in: EntityRows(table, selected: selection))
  }

  @Test func `up and down select the rows that there are, and stop at the ends`() throws {
    #expect(try selection(after: .down, from: nil) == ids[0])
    #expect(try selection(after: .up, from: nil) == ids[0])
    #expect(try selection(after: .down, from: ids[0]) == ids[2])
    #expect(try selection(after: .up, from: ids[2]) == ids[0])
    #expect(try selection(after: .down, from: ids[2]) == nil)
    #expect(try selection(after: .up, from: ids[0]) == nil)
    // The selected jar was removed.
    #expect(try selection(after: .down, from: ids[1]) == ids[0])
  }

  @Test func `a key about the selected row gets it, or the reason why there is none`() throws {
    let selected = try EntityRows(table, selected: ids[2]).selected(else: "Select a jar.")
    #expect(selected.id == ids[2] && selected.entity.name == "mustard")
    #expect(throws: KeyProblem.unavailable("Select a jar.")) {
      try EntityRows(table, selected: ids[1]).selected(else: "Select a jar.")
    }
  }

  @Test func `the list shows the rows, and marks the selected one`() {
    var canvas = Canvas(Screen.Size(columns: 12, rows: 2))
    let rows = EntityRows(table, selected: ids[2])
    rows.list { Screen.Line($0.name) }.draw(in: canvas.bounds, on: &canvas)
    #expect(canvas.lines == ["  honey", "› mustard"])
    var empty = Canvas(Screen.Size(columns: 12, rows: 1))
    EntityRows(EntityTable<JarID, Jar>(), selected: nil)
      .list(emptyText: "No jars.") { Screen.Line($0.name) }.draw(in: empty.bounds, on: &empty)
    #expect(empty.lines == ["  No jars."])
  }
}
