package import RetraceArchitecture
package import RetraceAvro
package import RetraceScreen
package import RetraceState

/// A kiosk, whose variants differ only in decider or reducer.
///
/// It has all parts of an app: commands, windows, effects that answer with commands, undo, a screen
/// and invariants.
package protocol KioskVariant: UndoableApp
where
  State == KioskState, Action == KioskAction, Route == KioskRoute, Environment == KioskDesk,
  Edit == KioskEdit, Command == KioskCommand, Refusal == KioskRefusal
{}

extension KioskVariant {
  package static var name: String { "kiosk" }
  package static var build: String { "test" }
  package static var initialState: KioskState { KioskState() }

  package static func action(for sceneAction: KioskSceneAction) -> KioskAction {
    .scene(sceneAction)
  }
  package static func role(of action: KioskAction) -> ActionRole<KioskCommand> {
    switch action {
    case .request(let command), .scene(.window(_, .request(let command))): .request(command)
    case .scene: .scene
    case .fact: .fact
    }
  }

  package static func edits(of fact: KioskAction) -> [KioskEdit] {
    if case .fact(let fact) = fact { fact.edits } else { [] }
  }
  package static func editCount(in state: borrowing KioskState) -> Int64 { state.factCount }
  package static func command(for restore: Restore<KioskEdit>) -> KioskCommand { .restore(restore) }
  package static func restored(in fact: KioskAction) -> Restored<KioskEdit>? {
    if case .fact(.restored(let restored)) = fact { restored } else { nil }
  }
  package static func isStaleRestore(_ refusal: KioskRefusal) -> Bool { refusal == .staleRestore }

  package static func violations(of state: borrowing KioskState) -> [Violation] {
    var violations: [Violation] = []
    var (sum, names): (Int64, Set<[UInt8]>) = (0, [])
    state.items.forEach { id, item in
      sum &+= item.stock
      if item.stock < 0 {
        violations.append(Violation(of: "no stock is below zero", "item \(id.value)"))
      }
      if item.price <= 0 {
        violations.append(Violation(of: "prices are above zero", "item \(id.value)"))
      }
      if !names.insert(Array(item.name.utf8)).inserted {
        violations.append(Violation(of: "names are unique", item.name))
      }
    }
    if sum != state.total {
      violations.append(
        Violation(of: "the stocks add up to the total", "\(sum), not \(state.total)"))
    }
    return violations
  }

  package static func scenes(in state: KioskState) -> [SceneID] { state.windows.keys.sorted() }
  package static func backStack(
    of scene: SceneID, in state: KioskState
  ) -> BackStack<KioskRoute>? {
    state.windows[scene] == nil ? nil : BackStack(root: .shelf)
  }

  package static func screen(
    of scene: SceneID, in state: KioskState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    KioskFrame(of: scene, in: state, size: size)?.screen ?? Screen(Canvas(size))
  }
}

/// The kiosk.
package enum KioskApp: KioskVariant {
  /// The fingerprint of the reducer.
  package static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  package static var reducer: KioskReducer { KioskReducer() }
  /// The decider.
  package static var decider: KioskDecider { KioskDecider() }
}
