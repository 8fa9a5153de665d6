import RetraceArchitecture

/// What one turn of the writer thread brought about.
struct Advance<App: ReplayableApp>: Sendable {
  /// A receipt for each batch that was committed, in order; with the effects of its records.
  var receipts: [Receipt<App>] = []
}
