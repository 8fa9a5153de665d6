import RetraceArchitecture
import RetraceAvro
package import RetraceState

/// The id of an egg.
package struct EggID: EntityID { var number: Int64 }

/// An egg.
package struct Egg: TableEntity, Hashable {
  /// The name.
  package var name: String
  /// Whether the egg boils.
  package var isBoiling: Bool
}

/// An egg of the build with more fields.
package struct SizedEgg: TableEntity, Hashable {  // recorded: Egg
  /// The name.
  package var name: String
  /// The number of bytes of the name.
  package var size: Int64
  /// Whether the egg boils.
  package var isBoiling: Bool
}

/// The state of the egg timer, in each of its builds.
package protocol EggKitchen: RecordedState {
  /// What is typed.
  var draft: String { get set }
  /// The screen that is shown.
  var screen: String { get set }
  /// The screen that was shown when the app was left.
  var savedScreen: String { get set }

  /// Makes the state before the first record.
  init()

  /// Returns whether an egg boils; `nil` if there is no such egg.
  func isBoiling(_ egg: EggID) -> Bool?

  /// Adds an egg that does not boil.
  mutating func addEgg(named name: String)

  /// Notes whether an egg boils.
  mutating func setBoiling(_ isBoiling: Bool, of egg: EggID)
}

/// The state of the egg timer.
package struct EggState: RecordedState, EggKitchen {
  /// The eggs.
  package var eggs: EntityTable<EggID, Egg> = EntityTable()
  /// What is typed.
  package var draft: String = ""
  /// The screen that is shown.
  package var screen: String = "list"
  /// The screen that was shown when the app was left.
  package var savedScreen: String = "list"
  /// Makes the state before the first record.
  package init() {}

  /// Returns whether an egg boils; `nil` if there is no such egg.
  package func isBoiling(_ egg: EggID) -> Bool? { eggs[egg]?.isBoiling }

  /// Adds an egg that does not boil.
  package mutating func addEgg(named name: String) {
    _ = eggs.insert(Egg(name: name, isBoiling: false))
  }

  /// Notes whether an egg boils.
  package mutating func setBoiling(_ isBoiling: Bool, of egg: EggID) {
    _ = eggs.modify(egg) { $0.isBoiling = isBoiling }
  }
}

/// The state of the egg timer in the build with more fields.
package struct SizedEggState: RecordedState, EggKitchen {  // recorded: EggState
  /// The number of times that an egg began to boil or stopped.
  package var changes: Int64 = 0
  /// The eggs.
  package var eggs: EntityTable<EggID, SizedEgg> = EntityTable()
  /// What is typed.
  package var draft: String = ""
  /// The screen that is shown.
  package var screen: String = "list"
  /// The screen that was shown when the app was left.
  package var savedScreen: String = "list"
  /// Makes the state before the first record.
  package init() {}

  /// Returns whether an egg boils; `nil` if there is no such egg.
  package func isBoiling(_ egg: EggID) -> Bool? { eggs[egg]?.isBoiling }

  /// Adds an egg that does not boil.
  package mutating func addEgg(named name: String) {
    _ = eggs.insert(SizedEgg(name: name, size: Int64(name.utf8.count), isBoiling: false))
  }

  /// Notes whether an egg boils, and counts the change.
  package mutating func setBoiling(_ isBoiling: Bool, of egg: EggID) {
    changes += 1
    _ = eggs.modify(egg) { $0.isBoiling = isBoiling }
  }
}
