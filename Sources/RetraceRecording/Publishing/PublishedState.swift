import Retrace
import RetraceStorage

/// The published state; a class, so that publishing another one copies no state.
final class PublishedState<App: ReplayableApp>: Sendable {
  let state: App.State
  let inFlight: EffectsInFlight
  let sequence: UInt64
  /// The storage from which pages of the state are read on first use; it records the first damaged
  /// page.
  let pages: StoredPages?

  init(_ fold: Fold<App>, pages: StoredPages?) {
    state = fold.state
    inFlight = fold.inFlight
    sequence = fold.sequence
    self.pages = pages
  }

  /// Whether all pages of the state that were read so far are intact.
  var isSound: Bool { pages?.firstError == nil }

  /// The receipt of an empty batch, which appended nothing.
  var emptyReceipt: Receipt<App> {
    Receipt(
      sequences: sequence + 1..<sequence + 1, state: state, sequence: sequence,
      effectsInFlight: inFlight)
  }
}
