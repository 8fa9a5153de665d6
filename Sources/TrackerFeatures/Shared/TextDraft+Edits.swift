import Retrace

extension TextDraft {
  /// Returns the edit that replaces the whole text.
  func replacing(with text: String) -> TextReplacement {
    TextReplacement(
      start: 0, end: Int64(self.text.utf8.count), text: text, cursor: Int64(text.utf8.count))
  }

  /// Returns the edit that sets the cursor to an offset, and changes no text.
  func moving(to offset: Int64) -> TextReplacement {
    TextReplacement(start: offset, end: offset, text: "", cursor: offset)
  }
}
