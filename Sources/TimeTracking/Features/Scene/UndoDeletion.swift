import RetraceArchitecture
public import RetraceState

/// How long a deletion can be taken back.
public enum UndoDeletion {
  /// The time between the deletion and its end.
  public static var time: ElapsedTime { .seconds(10) }

  /// The name under which the end of the time of a scene waits.
  static func id(of scene: SceneID) -> String { "undo-deletion-\(scene.value)" }
}

extension AppState {
  /// Deletes an entry, which can be taken back for a while.
  ///
  /// The end of that time is an effect, so it comes also if the program ended meanwhile: the next
  /// one that opens the store sends it.
  mutating func delete(
    _ entry: TimeEntryID, in id: SceneID, at moment: Moment
  ) -> Effect<AppAction, any TrackerEnvironment> {
    let deleted = timeline.entries[entry]
    let refusal = perform(.deleted(entry), at: moment)
    finish(id, refusal) { $0.forgetSelection(of: entry) }
    guard refusal == nil else { return .none }
    scenes[id]?.deleted = deleted
    return Effect.send(.scene(id, .deletionExpired)).delayed(by: UndoDeletion.time)
      .cancellable(UndoDeletion.id(of: id), cancelInFlight: true)
  }

  /// Adds the entry that was deleted last again, under an id of its own.
  ///
  /// One that ran runs again, unless another one runs by now: that is refused, and nothing is lost
  /// before the time is over.
  mutating func undoDeletion(in id: SceneID) -> Effect<AppAction, any TrackerEnvironment> {
    guard let entry = scenes[id]?.deleted else { return .none }
    guard !entry.isRunning || timeline.running[entry.user] == nil else {
      finish(id, .alreadyRunning) { _ in }
      return .none
    }
    let restored = timeline.entries.insert(entry)
    if entry.isRunning { timeline.running[entry.user] = restored }
    scenes[id]?.deleted = nil
    finish(id, nil) { _ in }
    return .cancel(UndoDeletion.id(of: id))
  }
}
