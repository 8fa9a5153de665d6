/// When an action of a store on disk counts as kept, and what can be lost.
public enum Durability: Hashable, Sendable {
  /// When a send returns, its batch is on stable storage: it survives the end of the process, of
  /// the system and of the power, if disk and file system keep what `fdatasync` promises.
  ///
  /// What is queued while a commit runs goes into the next one, so that senders share its flushes.
  case durable
  /// A send returns before its batch is on stable storage, which follows within the window.
  ///
  /// The end of the process or of the system, or a power cut, may lose what was acknowledged in at
  /// most the last window and while its commit runs; never older records, never a gap, never
  /// damage. ``Store/durableSequence`` tells what is kept; ``Store/flush()`` waits until everything
  /// is, and so does ``Store/close()``.
  ///
  /// One process writes: another that has the store open for writing is `inUse`. If a commit fails,
  /// the store closes for writing and shows the durable state again. An action that has an effect
  /// is committed at once, with all that waits before it: what happens outside is never ahead of
  /// the log. An action that ends the program is recorded as crashed only if nothing waited before
  /// it.
  case relaxed(window: Duration)
}
