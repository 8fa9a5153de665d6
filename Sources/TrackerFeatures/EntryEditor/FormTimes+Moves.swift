import Retrace
import TimeTracking

extension FormTimes {
  /// The times that saving takes.
  ///
  /// - Throws: The obstacle of a text that cannot be read, or of texts that do not agree.
  func span() throws(KeyObstacle) -> Span {
    if let seen = route.seen { return try editedSpan(of: seen) }
    if let leading = try leadingSpan() { return leading.span }
    return try newSpan()
  }

  /// Returns the text of a field for a time that is some time later, or for a longer duration.
  ///
  /// - Parameters:
  ///   - field: The start, the end or the duration.
  ///   - step: The time.
  /// - Returns: `nil` if the times cannot be read.
  func text(of field: EditorField, movedBy step: ElapsedTime) -> String? {
    do throws(KeyObstacle) {
      let span = try span()
      let (start, end) = (span.start ?? minute, span.end ?? minute)
      switch field {
      case .start: return typedText(of: start.adding(step), like: .start)
      case .end: return typedText(of: end.adding(step), like: .end)
      case .duration:
        let time = max(.zero, end.elapsed(since: start).adding(step))
        return min(time, TimeEntry.durationMax).clock
      case .description, .project, .tags, .billable: return nil
      }
    } catch {
      return nil
    }
  }

  /// The start of the present minute.
  private var minute: Moment {
    let second = edge.now.wholeSecond
    return second.adding(.seconds(-Int64(edge.rules.local(at: second).second)))
  }

  /// Returns a text that is read as a moment: its time of day alone if the field has such a text
  /// and the moment is on the day on which it is read.
  func typedText(of moment: Moment, like field: EditorField) -> String {
    let local = edge.rules.local(at: moment)
    let mark = edge.rules.offsetMark(at: moment)
    let clock = (local.second == 0 ? local.clock : local.clockWithSeconds) + mark
    let text = route[field]?.text ?? ""
    let isClock = text.utf8.contains(UInt8(ascii: ":")) && text.utf8.count <= 8
    let isSeen = route.seen?[field]?.hasBytes(of: text) == true
    guard isClock || text.isEmpty, !isSeen else { return "\(local.date) \(clock)" }
    var other = self.route
    other.set(field, to: clock)
    let span = try? FormTimes(other, at: edge, in: domain).span()
    let read = field == .start ? span?.start : span?.end
    return read == moment ? clock : "\(local.date) \(clock)"
  }
}

extension EntryEditorFrame {
  /// The time by which a key moves a time.
  private static var step: Int64 { 300 }

  /// Returns the steps that move the focused time by five minutes; `nil` in another field.
  ///
  /// - Parameter isLater: Whether it is moved to a later time, or made longer.
  func moving(later isLater: Bool) throws(KeyProblem) -> [KeyStep]? {
    let field = route.field
    guard [.start, .end, .duration].contains(field) else { return nil }
    if isGroup { return try telling(.timesOfGroup) }
    guard let edge, let draft = route[field] else { return [] }
    let times = FormTimes(route, at: edge, in: domain)
    let step = ElapsedTime.seconds(isLater ? Self.step : -Self.step)
    guard let text = times.text(of: field, movedBy: step) else {
      return try telling(.noTimeToMove)
    }
    return [.screen(.entryEditor(.edited(field, draft.replacing(with: text))))]
  }

  /// Returns the steps that end the entry of the form now: the end becomes the present time.
  ///
  /// A new entry without a start begins now, too. Times in the description move to their fields.
  func ending() throws(KeyProblem) -> [KeyStep] {
    if isGroup { return try telling(.timesOfGroup) }
    // While the frame is painted, the key is shown as available.
    guard let edge else { return [] }
    let times = FormTimes(route, at: edge, in: domain)
    let span: FormTimes.Span
    do throws(KeyObstacle) { span = try times.span() } catch { return try telling(error) }
    if span.end != nil { return try telling(.hasEnded) }
    let now = edge.now.wholeSecond
    let start = span.start ?? now
    if now < start { return try telling(.endBeforeStart) }
    if now.elapsed(since: start) > TimeEntry.durationMax { return try telling(.entryTooLong) }
    func setting(_ field: EditorField, to moment: Moment) -> [KeyStep] {
      guard let draft = route[field] else { return [] }
      let text = edge.rules.local(at: moment).description + edge.rules.offsetMark(at: moment)
      return [.screen(.entryEditor(.edited(field, draft.replacing(with: text))))]
    }
    var steps: [KeyStep] = []
    if timesBytes > 0 {
      let removal = TextReplacement(start: 0, end: Int64(timesBytes), text: "", cursor: 0)
      steps.append(.screen(.entryEditor(.edited(.description, removal))))
    }
    if route.entry == nil, timesBytes > 0 || Name(route.start.text).isEmpty {
      steps += setting(.start, to: start)
    }
    return steps + setting(.end, to: now)
  }
}
