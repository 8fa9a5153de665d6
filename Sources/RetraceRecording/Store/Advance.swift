import RetraceArchitecture

/// What one turn of the writer thread brought about.
struct Advance<App: ReplayableApp>: Sendable {
  /// An effect that a record of this session caused, and that record.
  struct OwnEffect: Sendable {
    let sequence: UInt64
    let effect: Effect<App.Action, App.Environment>
  }

  /// A receipt for each batch that was committed, in order.
  var receipts: [Receipt<App>] = []
  /// The effects of the records that this turn appended, in order; those of others are theirs.
  var effects: [OwnEffect] = []
}
