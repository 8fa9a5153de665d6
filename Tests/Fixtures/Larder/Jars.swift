package import RetraceArchitecture
import RetraceAvro
package import RetraceState

/// The id of a jar.
package struct JarID: EntityID { package var number: Int64 }

/// A jar of the larder.
package struct Jar: TableEntity, Equatable {  // recorded: HoneyJar
  /// The name.
  package var name: String
  /// The number of spoons that are left.
  package var spoons: Int64
}

/// The changes of a jar.
package struct JarChanges: EntityChanges {
  /// The entity.
  package typealias Entity = Jar
  /// The number of spoons.
  package var spoons: Change<Int64>?
}

/// The commands about jars.
package enum JarCommand: Recordable, Equatable {
  /// Add a jar.
  case add(name: String, spoons: Int64)
  /// Take a spoon.
  case take(JarID)
}

/// The refusals of commands about jars.
package enum JarRefusal: Recordable, Error, Hashable {
  /// There is no such jar.
  case noJar(JarID)
  /// The jar is empty.
  case empty(JarID)
}

/// The jars.
package enum Jars: EntityModule {
  package typealias ID = JarID
  package typealias Changes = JarChanges

  package static func decide(
    _ command: JarCommand, in editor: inout EntityEditor<LarderEdit>
  ) throws(JarRefusal) {
    switch command {
    case .add(let name, let spoons):
      editor.insert(Jar(name: name, spoons: spoons), of: Jars.self)
    case .take(let id):
      guard let jar = editor.entity(id, of: Jars.self) else { throw .noJar(id) }
      guard jar.spoons > 0 else { throw .empty(id) }
      editor.change(id, of: Jars.self) { $0.spoons -= 1 }
    }
  }

  package static func violations(of state: borrowing LarderState) -> [Violation] {
    var violations: [Violation] = []
    state.jars.forEach { id, jar in
      if jar.spoons < 0 { violations.append(Violation(of: "no jar is below zero", jar.name)) }
    }
    return violations
  }
}

/// The list of the entities of the larder.
package enum LarderEntities: EntityList {
  /// The entities.
  package typealias State = LarderState
  /// The jars.
  case jar(Jars)
}

/// The entities of the larder.
package struct LarderState: EntityState, RecordedState {
  /// The jars.
  package var jars: EntityTable<JarID, Jar> = EntityTable()
  /// The number of facts that can be undone.
  package var undoableFacts: Int64 = 0
}
