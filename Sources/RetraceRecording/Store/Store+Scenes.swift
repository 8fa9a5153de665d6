public import RetraceArchitecture
public import RetraceStorage
import Synchronization

extension Store {
  /// Attaches to a scene unless another process shows it; without a call a store has no scene.
  ///
  /// The scene stays taken until the store is closed or its process ends, and the session names it
  /// when it begins.
  ///
  /// - Returns: Whether the scene is this store's now.
  /// - Complexity: One system call.
  /// - Throws: `closed`, `storageFailed`.
  /// - Precondition: The session has sent nothing yet; it would not name the scene.
  public func attach(to scene: SceneID) throws(StoreError) -> Bool {
    guard try storage.holdSceneLock(scene.value) else { return false }
    engine.withLock { $0.scene = scene }
    return true
  }

  /// Gives a scene back that the session has not named.
  ///
  /// - Throws: `closed`, `storageFailed`.
  public func detach(from scene: SceneID) throws(StoreError) {
    engine.withLock { if $0.scene == scene { $0.scene = nil } }
    try storage.releaseSceneLock(scene.value)
  }
}
