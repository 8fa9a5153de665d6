import Retrace

extension TextReplacement {
  /// Returns the edit after which a text that was only proposed is gone: a typed text takes its
  /// place, and any other edit is as it was.
  func replacing(proposed: TextDraft) -> TextReplacement {
    start == end && !text.isEmpty ? proposed.replacing(with: text) : self
  }
}
