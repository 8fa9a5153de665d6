import CivilTime

/// A search for the order of day and month in the dates of a file.
///
/// One date that has only one reading settles it.
struct DateSurvey {
  /// The format; `nil` until it is settled.
  private(set) var format: DateFormat?
  /// The first date with two readings.
  private var ambiguous: (text: String, dayFirst: CivilDate, monthFirst: CivilDate)?

  /// Reads one date; a text that is no date settles nothing.
  mutating func note(_ text: String) {
    guard format == nil else { return }
    let dayFirst = (try? DateFormat.dayFirst.read(text))?.local.date
    let monthFirst = (try? DateFormat.monthFirst.read(text))?.local.date
    switch (dayFirst, monthFirst) {
    case (nil, nil): break
    case (nil, .some): format = .monthFirst
    case (.some, nil): format = .dayFirst
    case (let dayFirst?, let monthFirst?):
      if text.utf8.prefix(4).allSatisfy({ (0x30...0x39).contains($0) }) {
        format = .dayFirst
      } else if dayFirst != monthFirst, ambiguous == nil {
        ambiguous = (text, dayFirst, monthFirst)
      }
    }
  }

  /// Returns the format after the last date.
  ///
  /// - Throws: ``ImportFailure/ambiguousDate(_:dayFirst:monthFirst:)`` if all dates have two
  ///   readings.
  func end() throws(ImportFailure) -> DateFormat {
    if let format { return format }
    guard let ambiguous else { return .dayFirst }
    throw .ambiguousDate(
      ambiguous.text, dayFirst: ambiguous.dayFirst, monthFirst: ambiguous.monthFirst)
  }
}
