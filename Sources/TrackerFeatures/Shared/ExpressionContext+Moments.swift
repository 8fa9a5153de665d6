import Retrace

extension ExpressionContext {
  /// Reads a time that a user typed into a field.
  func moment(of text: String) throws(KeyObstacle) -> Moment {
    do throws(ExpressionError) {
      return try TimeExpression(text, in: self, takesDigits: true).moment
    } catch {
      let isDuration = text.contains { $0.isLetter } && (try? DurationExpression(text)) != nil
      throw isDuration ? .durationInTime(text) : .unreadableField(TimeTextProblem(error))
    }
  }

  /// Reads a time; one without a day is on the first day, or on the next one if only that fits.
  ///
  /// - Parameters:
  ///   - text: The time.
  ///   - days: The days on which it may be.
  ///   - fits: Returns whether a moment is possible.
  func moment(
    of text: String, on days: ClosedRange<CivilDate>, where fits: (Moment) -> Bool
  ) throws(KeyObstacle) -> Moment {
    let first = try on(days.lowerBound).moment(of: text)
    guard !fits(first), days.upperBound > days.lowerBound else { return first }
    let next = try on(days.lowerBound.adding(days: 1)).moment(of: text)
    return fits(next) ? next : first
  }
}
