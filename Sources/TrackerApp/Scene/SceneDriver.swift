import RetraceArchitecture
import RetraceRecording
public import RetraceScreen
public import RetraceState
public import RetraceStorage
import RetraceSystem
import TimeTracking

/// One scene on the store: keys become actions, the state becomes a screen.
public struct SceneDriver: Sendable {
  /// The tracker.
  public let tracker: Tracker
  /// The scene that this process attached to.
  public let scene: SceneID
  /// The size of the screen in cells.
  public var size: Screen.Size

  /// Attaches to the lowest scene that no other process shows, or opens a new one.
  ///
  /// - Throws: `StoreError` when a new scene cannot be made durable.
  public static func attach(
    to tracker: Tracker, size: Screen.Size
  ) throws(StoreError) -> SceneDriver {
    let zone = tracker.zone
    while true {
      try tracker.store.catchUpBlocking()
      let scene = try freeScene(of: tracker)
      guard let scene else {
        // Another process is about to open the next scene.
        MonotonicClock.sleep(milliseconds: 5)
        continue
      }
      let driver = SceneDriver(tracker: tracker, scene: scene, size: size)
      let (_, isMine) = try driver.send { state, moment in
        let recorded = zone.recorded(at: moment)
        if let open = state.scenes[scene] {
          return (open.zone == recorded ? [] : [.scene(scene, .zoneChanged(recorded))], true)
        }
        // A scene that was opened and is gone leaves another next one.
        let isNext = state.nextScene == scene
        return (isNext ? [.sceneOpened(recorded)] : [], isNext)
      }
      if isMine == true { return driver }
      try tracker.store.detach(from: scene)
    }
  }

  /// The scene that this process now holds: the lowest that nobody shows, or the next new one;
  /// `nil` if another process holds that too.
  private static func freeScene(of tracker: Tracker) throws(StoreError) -> SceneID? {
    for scene in TimeTrackerApp.scenes(in: tracker.state) {
      if try tracker.store.attach(to: scene) { return scene }
    }
    let next = tracker.state.nextScene
    return try tracker.store.attach(to: next) ? next : nil
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
        return (keymap.actions(for: key, in: scene, state: state, at: moment, size: size), ())
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
      return (actions, ())
    }.sequence
  }

  /// What the scene shows now.
  public func screen() -> Screen {
    let now = tracker.now()
    let shown = try? tracker.store.read {
      TimeTrackerApp.screen(of: scene, in: $0, at: now, size: size)
    }
    // The log itself is damaged: the next key that is pressed says so.
    return shown ?? Screen(lines: [Screen.Line("The store cannot be read.", .warning)])
  }

  private func send<Value: Sendable>(
    _ body: @Sendable (borrowing AppState, Moment) -> (actions: [AppAction], value: Value)
  ) throws(StoreError) -> (sequence: UInt64, value: Value?) {
    do throws(TransactionError<Never>) {
      let (receipt, value) = try tracker.store.transactBlocking(body)
      return (receipt.sequence, value)
    } catch {
      switch error {
      case .store(let failure): throw failure
      }
    }
  }
}
