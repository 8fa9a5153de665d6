import LMDBFile
public import Retrace

extension LogStorage {
  /// Calls `body` with the latest or an earlier state, read-only, and returns its result.
  ///
  /// The state is opened from a snapshot and the records after it, and its pages are read on
  /// demand. If another process overwrites pages meanwhile, `body` is called again with pages that
  /// are protected. If one of these is damaged, the log is folded and `body` is called again.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - last: The sequence of the record after which the state is read; the default is the last.
  ///   - body: Reads the state, and may be called three times; the report names the snapshot that
  ///     was used.
  /// - Complexity: O(records after the snapshot), and the cost of `body`.
  /// - Throws: What `body` throws; `damaged`, `incompatible` or `storageFailed`.
  public func withState<App: ReplayableApp, Result>(
    of app: App.Type, through last: UInt64? = nil,
    _ body: (borrowing App.State, SnapshotUse) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let fingerprint = FoldFingerprint(of: app, in: snapshots)
    let quick = try withReadView { view throws(StoreError) in
      try view.restoreWithoutTransaction(
        app, through: min(last ?? .max, view.head.sequence), from: snapshots,
        fingerprint: fingerprint)
    }
    if let result = try quick?.soundResult(of: body) { return result }
    var restored = try withReadView { view throws(StoreError) in
      try view.restore(
        app, through: min(last ?? .max, view.head.sequence), from: snapshots,
        fingerprint: fingerprint)
    }
    if let result = try restored.soundResult(of: body) { return result }
    var use = restored.use
    use.markDamaged(restored.pages?.firstError.map { "\($0)" } ?? "a page")
    snapshots.removeAll()
    restored = try withReadView { view throws(StoreError) in
      try view.restore(
        app, through: restored.recordFold.fold.sequence, from: snapshots, fingerprint: fingerprint)
    }
    use.folded = restored.use.folded
    return try body(restored.recordFold.fold.state, use)
  }

  /// Returns which snapshots are stored, and which one an app would open; folds nothing.
  ///
  /// - Complexity: O(snapshots), and a block of the log read for each.
  /// - Throws: `damaged` or `storageFailed` if the log cannot be read.
  package func snapshotUse<App: ReplayableApp>(of app: App.Type) throws(StoreError) -> SnapshotUse {
    let fingerprint = FoldFingerprint(of: app, in: snapshots)
    return try withReadView { view throws(StoreError) in
      var use = SnapshotUse()
      use.folded = view.head.sequence
      do throws(TreeFileError) {
        guard let snapshotView = try snapshots.pages()?.view else { return use }
        use.stored = try snapshotView.sequences()
        for sequence in use.stored.reversed() {
          guard let stored = try snapshotView.snapshot(at: sequence) else { continue }
          let verdict = view.verdict(on: stored, fingerprint)
          if verdict == .used && use.used != nil { continue }
          use.note(verdict, at: sequence)
          if verdict == .used { use.folded = view.head.sequence - sequence }
        }
      } catch {
        use.failure = error.detail
      }
      return use
    }
  }
}
