public import PokeDomain
public import PokeInjection
public import Retrace

/// The app, as it is recorded, replayed and restored.
public enum PokeApp: InteractiveApp {
  /// What a window shows.
  public typealias Frame = PokeFrame
  /// The environment of effects.
  public typealias Environment = PokeEnvironment

  /// The name that sessions record.
  public static var name: String { "poke" }
  /// The build that sessions record.
  public static var build: String { "1" }
  /// The fingerprint of the reducer's sources, so that snapshots of another reducer are not used.
  public static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  public static var reducer: PokeReducer { PokeReducer() }
  /// The state before the first record.
  public static var initialState: PokeState { PokeState() }

  /// Returns the creatures that a state has twice.
  public static func violations(of state: borrowing PokeState) -> [Violation] {
    var violations: [Violation] = []
    var numbers: Set<Int64> = []
    state.creatures.forEach { id, creature in
      if numbers.insert(creature.number).inserted { return }
      violations.append(Violation(of: "numbers are unique", "creature \(id.value)"))
    }
    return violations
  }

  /// Returns the windows.
  public static func scenes(in state: PokeState) -> [SceneID] { state.windows.keys.sorted() }

  /// Returns the screens of a window.
  public static func backStack(of scene: SceneID, in state: PokeState) -> BackStack<PokeRoute>? {
    state.windows[scene]?.stack
  }
}
