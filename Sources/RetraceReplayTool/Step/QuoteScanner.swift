/// Distinguishes the characters of a path outside quotes from those inside.
///
/// A backslash in quotes escapes the character after it.
struct QuoteScanner {
  private var isQuoted = false
  private var isEscaped = false

  /// Consumes the next character, and returns whether it is outside quotes.
  ///
  /// An opening quote counts as inside, a closing one as outside.
  mutating func isOutside(_ character: Character) -> Bool {
    if isEscaped {
      isEscaped = false
    } else if character == "\\" {
      isEscaped = isQuoted
    } else if character == "\"" {
      isQuoted.toggle()
    }
    return !isQuoted
  }
}
