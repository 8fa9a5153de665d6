public import RetraceArchitecture
import RetraceLog

extension LogStorage {
  /// Lends the latest state, from a snapshot and the records behind it, and answers what the body
  /// answers once all that it read was right.
  ///
  /// Parts of a state that came from a snapshot are read when they are asked for. If one turns out
  /// to be damaged, the log is folded and the body called again. Nothing is written.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - body: Looks at the state, and does nothing that must not be done twice; the report says
  ///     which snapshot was used.
  /// - Complexity: O(records behind the snapshot), and that of the body.
  /// - Throws: What the body throws; `damaged`, `incompatible` or `storageFailed`.
  public func withState<App: ReplayableApp, Result>(
    of app: App.Type, _ body: (borrowing App.State, SnapshotUse) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let identity = SnapshotIdentity(of: app)
    var restored = try withSnapshot { snapshot throws(StoreError) in
      try snapshot.restore(
        RecordFold<App>(plan: try snapshot.plan(for: app)), through: snapshot.head.sequence,
        from: snapshots, identity: identity)
    }
    do throws(StoreError) {
      let result = try body(restored.records.fold.state, restored.use)
      if restored.isSound { return result }
    } catch {
      if restored.isSound { throw error }
    }
    var use = restored.use
    use.condemn(restored.pages?.fault.map { "\($0)" } ?? "a page")
    snapshots.removeAll()
    restored = try withSnapshot { snapshot throws(StoreError) in
      try snapshot.restore(
        RecordFold<App>(plan: restored.records.plan), through: restored.records.fold.sequence,
        from: snapshots, identity: identity)
    }
    return try body(restored.records.fold.state, use)
  }
}
