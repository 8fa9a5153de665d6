import RetraceArchitecture
import RetraceStorage

/// The published state; an object, so that publishing another one copies no state.
final class Published<App: ReplayableApp>: Sendable {
  let state: App.State
  let inFlight: EffectsInFlight
  let sequence: UInt64
  /// The place where absent pages of the state are read; it records the first damaged page.
  let pages: StoredPages?

  init(_ fold: Fold<App>, pages: StoredPages?) {
    state = fold.state
    inFlight = fold.inFlight
    sequence = fold.sequence
    self.pages = pages
  }

  /// Whether no page of the state read so far was damaged.
  var isSound: Bool { pages?.fault == nil }

  /// The receipt of an empty batch, which appended nothing.
  var emptyReceipt: Receipt<App> {
    Receipt(
      sequences: sequence + 1..<sequence + 1, state: state, sequence: sequence,
      effectsInFlight: inFlight)
  }
}
