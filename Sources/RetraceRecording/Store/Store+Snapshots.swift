public import RetraceArchitecture
import RetraceLog
import RetracePlatform
public import RetraceStorage
import Synchronization

extension Store {
  /// Which snapshot the state came from, and why; changed when the log had to be folded again.
  ///
  /// Its notice is for the person who uses the program, once.
  public var snapshotUse: SnapshotUse { opened.withLock { $0.use } }

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
    let result = body(state)
    guard !isSound else { return result }
    try refold()
    return body(state)
  }

  /// Whether all that was read of the state so far was what was written.
  var isSound: Bool { opened.withLock { $0.pages?.fault == nil } }

  /// Folds the log if a stored page is damaged, and publishes the state.
  func refold() throws(StoreError) {
    if storage.writer.isCurrent { return try refoldHere() }
    try storage.writer.perform { () throws(StoreError) in try self.refoldHere() }
  }

  func refoldHere() throws(StoreError) {
    guard !isSound else { return }
    let (use, fold) = try engine.withLock { (engine) throws(StoreError) in
      (try engine.refold(in: storage), engine.takeCaughtUp() ?? engine.fold)
    }
    opened.withLock { $0 = Opened(use: use, pages: nil) }
    published.withLock { $0 = Published(fold) }
  }
}
