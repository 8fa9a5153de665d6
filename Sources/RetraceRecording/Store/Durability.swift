/// The point at which a send returns, which determines what a crash can lose.
///
/// It has no effect on a store in memory.
///
/// ```swift
/// let durability: Durability = .relaxed(window: .milliseconds(50))
/// var configuration = StoreConfiguration(durability: durability)
/// configuration.snapshots = SnapshotPolicy(interval: 1_000)
/// ```
public enum Durability: Hashable, Sendable {
  /// A send returns when its batch is on stable storage. The batch then survives a process crash, a
  /// system crash and a power cut, if disk and file system keep the promise of `fdatasync`.
  ///
  /// Batches queued while a commit runs go into the next commit, so that senders share its disk
  /// flushes.
  case durable
  /// A send returns before its batch is on stable storage; the commit follows within the window.
  ///
  /// A process crash, a system crash or a power cut can lose the batches acknowledged in the last
  /// window and during its commit. It never loses older records, leaves a gap or damages the log.
  /// ``Store/durableSequence`` is the sequence of the last durable record. ``Store/flush()`` and
  /// ``Store/close()`` wait until everything is durable.
  ///
  /// Only one process can write: a second one that opens the store for writing gets `inUse`. If a
  /// commit fails, the store closes for writing and shows the durable state again. An action with
  /// an effect is committed at once, together with everything that waits before it, so that no
  /// effect runs before its cause is in the log. An action that crashes the program is recorded as
  /// crashed only if no earlier batch was waiting for its commit.
  case relaxed(window: Duration)
}
