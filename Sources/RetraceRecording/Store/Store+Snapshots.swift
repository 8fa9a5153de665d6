public import RetraceArchitecture
import RetraceLog
import RetracePlatform
public import RetraceStorage
import Synchronization

extension Store {
  /// Which snapshot the state came from, and why; changed when the log had to be folded again.
  ///
  /// Its notice is for the person who uses the program, once.
  public var snapshotUse: SnapshotUse { use.withLock { $0 } }

  /// Lends the latest state, and answers what the body answers once all that it read was right.
  ///
  /// Parts of a state that came from a snapshot are read when they are asked for. If one turns out
  /// to be damaged, the log is folded and the body called again.
  ///
  /// - Parameter body: Looks at the state, and does nothing that must not be done twice.
  /// - Complexity: That of the body; that of folding the log after damage.
  /// - Throws: As folding does.
  public func read<Result>(
    _ body: (borrowing App.State) -> Result
  ) throws(StoreError) -> Result {
    let latest = latest
    let result = body(latest.state)
    if latest.isSound { return result }
    try refold()
    return body(state)
  }

  /// Whether all that was read of the latest state so far was what was written.
  var isSound: Bool { latest.isSound }

  /// Folds the log if a stored page is damaged, and publishes the state.
  func refold() throws(StoreError) {
    if storage.writer.isCurrent { return try refoldHere() }
    try storage.performWriting { () throws(StoreError) in try self.refoldHere() }
  }

  func refoldHere() throws(StoreError) {
    guard !isSound else { return }
    let (use, latest) = try engine.withLock { (engine) throws(StoreError) in
      let use = try engine.refold(in: storage)
      return (use, engine.takeCaughtUp() ?? Published(engine.fold, pages: engine.keeper.pages))
    }
    self.use.withLock { $0 = use }
    published.withLock { $0 = latest }
  }
}
