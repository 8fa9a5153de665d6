/// Tells the letters of a path outside quotes from those inside.
///
/// A backslash in quotes escapes the letter after it.
struct QuoteScanner {
  private var isQuoted = false
  private var isEscaped = false

  /// Takes the next letter; returns whether it lies outside quotes.
  ///
  /// An opening quote is inside, a closing one outside.
  mutating func isOutside(_ letter: Character) -> Bool {
    if isEscaped {
      isEscaped = false
    } else if letter == "\\" {
      isEscaped = isQuoted
    } else if letter == "\"" {
      isQuoted.toggle()
    }
    return !isQuoted
  }
}
