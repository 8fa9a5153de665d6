/// The intervals between saves of a state, in records; `.max` means never.
public struct SnapshotPolicy: Hashable, Sendable {
  /// The smallest number of records between two saves of a running session.
  public var interval: UInt64
  /// The smallest number of records after the newest snapshot that makes a closing session save.
  ///
  /// A session that loaded the schema of an older build saves in any case, unless this is `.max`.
  public var closingInterval: UInt64
  /// The largest gap between two kept snapshots, in records; two fifths of it for small snapshots.
  public var gapMax: UInt64
  /// Whether a state keeps in memory what a save has written; `true` by default.
  ///
  /// With `false`, saved parts are released, and read again from the snapshot when they are needed.
  /// A session that writes much and reads little of it then needs memory only for the entities
  /// since the last save.
  public var keepsSavedParts = true

  /// Creates a policy; the defaults are the documented ones.
  public init(
    interval: UInt64 = 10_000, closingInterval: UInt64 = 250, gapMax: UInt64 = 250_000
  ) {
    self.interval = interval
    self.closingInterval = closingInterval
    self.gapMax = gapMax
  }
}
