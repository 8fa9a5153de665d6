public import RetraceArchitecture
import RetraceRecording
public import RetraceStorage
import TimeTracking

/// One scene on the store: keys become actions, the state becomes a screen.
public struct SceneDriver: Sendable {
  /// The tracker.
  public let tracker: Tracker
  /// The scene that this process attached to.
  public let scene: SceneID
  /// The size of the screen in cells.
  public var size: Screen.Size

  /// Attaches to the lowest scene, or opens the first one.
  ///
  /// - Throws: `StoreError` when a new scene cannot be made durable.
  public static func attach(
    to tracker: Tracker, size: Screen.Size
  ) throws(StoreError) -> SceneDriver {
    let scenes = TimeTrackerApp.scenes(in: tracker.state)
    let scene = scenes.first ?? tracker.state.nextScene
    tracker.store.attach(to: scene)
    let driver = SceneDriver(tracker: tracker, scene: scene, size: size)
    let zone = tracker.zone
    _ = try driver.send { state, moment in
      let recorded = zone.recorded(at: moment)
      guard let open = state.scenes[scene] else { return [.sceneOpened(recorded)] }
      return open.zone == recorded ? [] : [.scene(scene, .zoneChanged(recorded))]
    }
    return driver
  }

  /// Presses keys one after another, as one batch.
  ///
  /// Each key is looked up in the state that the keys before it lead to.
  ///
  /// - Returns: The sequence that the state stands after, durable.
  /// - Throws: `StoreError`.
  @discardableResult
  public func press(_ keys: [Key]) throws(StoreError) -> UInt64 {
    let scene = self.scene
    let size = self.size
    let keymap = Keymap(rules: tracker.zone)
    return try send { state, moment in
      if let key = keys.first, keys.count == 1 {
        return keymap.actions(for: key, in: scene, state: state, at: moment, size: size)
      }
      var ahead = Fold<TimeTrackerApp>(state: copy state, sequence: 0)
      var actions: [AppAction] = []
      for key in keys {
        let next = keymap.actions(
          for: key, in: scene, state: ahead.state, at: moment, size: size)
        for action in next {
          _ = ahead.apply(action, at: moment, sequence: ahead.sequence + 1)
        }
        actions += next
      }
      return actions
    }
  }

  /// What the scene shows now.
  public func screen() -> Screen {
    TimeTrackerApp.screen(of: scene, in: tracker.state, at: tracker.now(), size: size)
  }

  private func send(
    _ body: @Sendable (borrowing AppState, Moment) -> [AppAction]
  ) throws(StoreError) -> UInt64 {
    do throws(TransactionError<Never>) {
      return try tracker.store.transact(body).sequence
    } catch {
      switch error {
      case .store(let failure): throw failure
      }
    }
  }
}
