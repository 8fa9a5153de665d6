/// A step of opening a store, which may take long.
public enum OpeningStep: Hashable, Sendable, CaseIterable {
  /// The files are opened and checked; another process that opens or closes them is waited for.
  case openingFiles
  /// The state is computed from the newest snapshot and the records after it.
  case folding
  /// What crashed sessions and their effects left is recovered.
  case recovering
}
