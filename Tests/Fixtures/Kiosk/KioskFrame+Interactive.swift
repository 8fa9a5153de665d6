package import RetraceArchitecture
package import RetraceScreen
package import RetraceState

extension KioskApp: InteractiveApp {
  /// What a window shows.
  package typealias Frame = KioskFrame

  /// Returns the contents of a window.
  package static func screen(
    of scene: SceneID, in state: KioskState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    KioskFrame(of: scene, in: state, size: size)?.screen ?? Screen(Canvas(size))
  }
}

extension KioskFrame: InteractiveFrame {
  /// The app.
  package typealias App = KioskApp

  /// Makes the frame of a window, or `nil` if there is no such window.
  package init?(of scene: SceneID, in state: KioskState, at moment: Moment, size: Screen.Size) {
    self.init(of: scene, in: state, size: size)
  }

  /// The keys of the list of keys, or of the shelf, and those that change nothing of a window.
  package var keys: Keys {
    let table = window.isHelpShown ? KioskKeys.help : KioskKeys.shelf
    let keys: Keys = table.map { (frame: KioskFrame) in
      frame
    } value: { _, intents in
      InputMeaning<KioskApp>.intents(intents)
    }
    return keys.within(Self.appKeys)
  }

  private static let appKeys = Keys("App") {
    Binding(.ctrl("z"), help: "Undo the newest change.") { _ in .undo }
    Binding(.ctrl("y"), help: "Redo the newest undo.") { _ in .redo }
    Binding(.ctrl("q"), help: "Leave the app.") { _ in .leave }
  }

  /// The window shows the problem as that of an order.
  package func answer(to problem: KeyProblem) -> [KioskSceneAction] {
    [.window(scene, .orderFailed("\(problem)"))]
  }

  /// The window shows the refusal as the problem of an order.
  package func answer(to refusal: KioskRefusal) -> [KioskSceneAction] {
    [.window(scene, .orderFailed("\(refusal)"))]
  }
}
