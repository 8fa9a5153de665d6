import RetraceArchitecture
import RetraceStorage

/// What is shown; an object, so that the writer copies no state to show another.
final class Published<App: ReplayableApp>: Sendable {
  let state: App.State
  let inFlight: EffectsInFlight
  let sequence: UInt64
  /// Where absent pages of the state are read, which says whether all that was read was right.
  let pages: StoredPages?

  init(_ fold: Fold<App>, pages: StoredPages?) {
    state = fold.state
    inFlight = fold.inFlight
    sequence = fold.sequence
    self.pages = pages
  }

  /// Whether all that was read of the state so far was what was written.
  var isSound: Bool { pages?.fault == nil }

  /// What an empty batch is answered with: nothing was appended.
  var emptyReceipt: Receipt<App> {
    Receipt(
      sequences: sequence + 1..<sequence + 1, state: state, sequence: sequence,
      effectsInFlight: inFlight)
  }
}
