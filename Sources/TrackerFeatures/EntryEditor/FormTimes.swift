import Retrace
import TimeTracking

/// A reader of the times in a form.
struct FormTimes {
  let route: EntryEditorRoute
  let edge: Edge
  let domain: DomainState
  private let context: ExpressionContext
  /// The style in which the user reads times.
  let style: TimeStyle
  /// Whether it is a new entry of a user who adds entries with a start and an end, and starts none.
  let isManual: Bool

  init(_ route: EntryEditorRoute, at edge: Edge, in domain: DomainState) {
    (self.route, self.edge, self.domain) = (route, edge, domain)
    let preferences = domain.preferences(of: route.user)?.set
    let calendar =
      preferences.map { ReportCalendar(edge.rules, $0) } ?? ReportCalendar(edge.rules)
    style = calendar.style
    isManual = route.entry == nil && preferences?.isManual ?? false
    // A new entry ends the running one. So a time of day in the future is read as yesterday's if
    // that is after the start of the running entry.
    let running = route.entry == nil ? domain.runningEntry(of: route.user)?.entry : nil
    context = calendar.expressionContext(at: edge.now, after: running?.start)
  }

  /// The start and the end of an entry.
  struct Span {
    /// The start; `nil` for the moment of the decision.
    var start: Moment?
    /// The end; `nil` while it runs.
    var end: Moment?
  }

  /// Splits the description of a new entry into the times at its beginning and the rest.
  ///
  /// The times are read as the command line reads them.
  ///
  /// - Returns: `nil` if the description begins with no time, or if another field has a text.
  /// - Throws: The obstacle of a time that does not exist or could be misread.
  func leadingSpan() throws(KeyObstacle) -> (span: Span, rest: String)? {
    let fields = [route.start, route.end, route.duration]
    guard route.entry == nil, fields.allSatisfy({ Name($0.text).isEmpty }) else { return nil }
    let text = route.description.text
    let words = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: Self.wordsMax)
    // A long text is not searched for times beyond its beginning.
    let first = words.prefix(Self.wordsMax).prefix { $0.count <= Self.wordBytesMax }
    var rest = first.map { String(Substring($0)) }[...]
    do throws(LeadingTimeError) {
      guard let span = try Self.span(from: &rest, in: context) else { return nil }
      let read = first.count - rest.count
      let start = read < words.count ? words[read].startIndex : text.endIndex
      return (span, String(text[start...]))
    } catch {
      switch error {
      case .unreadable(.ambiguous(let text, let instead)):
        throw .unreadableBeginning(.ambiguous(text, instead: instead))
      case .unreadable: return nil
      case .wrong(.endNotLater): throw .rangeEndsFirst
      case .wrong(let error): throw .unreadableBeginning(TimeTextProblem(error))
      case .misread(let before, let last):
        throw .beginningMisread(before: before, last: last)
      }
    }
  }

  /// The most words, and the most bytes of each, in which times at the beginning are looked for.
  private static var wordsMax: Int { 16 }
  private static var wordBytesMax: Int { 64 }

  /// Whether the description begins with a time, be it right or wrong.
  var beginsWithTime: Bool {
    do throws(KeyObstacle) { return try leadingSpan() != nil } catch { return true }
  }

  /// Removes a range or a start from the beginning of words.
  private static func span(
    from words: inout ArraySlice<String>, in context: ExpressionContext
  ) throws(LeadingTimeError) -> Span? {
    do throws(LeadingTimeError) {
      if let range = try LeadingTime.readRange(from: &words, in: context) {
        return Span(start: range.start.moment, end: range.end?.moment)
      }
    } catch {
      // Words that are not a range may begin with one time.
      guard case .unreadable = error else { throw error }
    }
    return try LeadingTime.readTime(from: &words, in: context).map { Span(start: $0.moment) }
  }

  /// Returns the times of a new entry.
  func newSpan() throws(KeyObstacle) -> Span {
    let start = try moment(in: .start)
    let end: Moment?
    if let start {
      // Until the next day, as in a range of the command line.
      let day = context.day(at: start)
      end = try moment(in: .end, on: day...day.adding(days: 1)) { $0 > start && $0 <= edge.now }
    } else {
      end = try moment(in: .end)
    }
    let duration = try duration()
    switch (start, end, duration) {
    case (let start?, nil, let duration?):
      return Span(start: start, end: start.adding(duration))
    case (nil, let end, let duration?):
      // The duration is subtracted from the instant of the end, not from its local time.
      let end = end ?? edge.now.wholeSecond
      return Span(start: end.adding(duration.negated), end: end)
    case (nil, _?, nil): throw .startAndDurationMissing
    case (let start?, let end?, let duration?) where end.elapsed(since: start) != duration:
      throw .timesDisagree
    case (let start, let end, _): return try ended(Span(start: start, end: end))
    }
  }

  /// The start of a new entry whose other times cannot be read; nothing of a recorded entry, whose
  /// times of day are on its days.
  var startAlone: Span {
    Span(start: route.entry == nil ? (try? moment(in: .start)) ?? nil : nil)
  }

  /// Returns the span of a new entry: in manual mode one with a start, which ends now without
  /// another end.
  func ended(_ span: Span) throws(KeyObstacle) -> Span {
    guard isManual else { return span }
    guard let start = span.start else { throw .startMissing }
    return Span(start: start, end: span.end ?? edge.now.wholeSecond)
  }

  /// Returns whether the text of a field differs from the one that the form was made with.
  private func isChanged(_ field: EditorField, from seen: SeenEntry) -> Bool {
    guard let text = route[field]?.text, let shown = seen[field] else { return false }
    return !text.hasBytes(of: shown)
  }

  private func text(_ moment: Moment) -> String {
    let local = edge.rules.local(at: moment)
    return "\(style.text(local.date)) \(style.clockWithSeconds(local))"
  }

  /// Returns the times that saving takes where a time that the user did not change differs from
  /// its text.
  func replacedTexts(of seen: SeenEntry) throws(KeyObstacle) -> [EditorField: String] {
    let fields: [EditorField] = [.start, .end, .duration]
    guard fields.contains(where: { isChanged($0, from: seen) }) else { return [:] }
    let span = try editedSpan(of: seen)
    guard let start = span.start else { return [:] }
    guard let end = span.end else {
      // The typed duration of a running entry moves its start.
      let isMoved = start != seen.start && !isChanged(.start, from: seen)
      return isMoved ? [.start: text(start)] : [:]
    }
    guard start <= end else { return [:] }
    let texts: [(field: EditorField, typed: String, text: String)] = [
      (.start, edge.rules.local(at: start).description, text(start)),
      (.end, edge.rules.local(at: end).description, text(end)),
      (.duration, end.elapsed(since: start).clock, style.text(end.elapsed(since: start))),
    ]
    var replaced: [EditorField: String] = [:]
    for (field, typed, text) in texts {
      guard let shown = seen[field], !shown.isEmpty, !isChanged(field, from: seen),
        !typed.hasBytes(of: shown)
      else { continue }
      replaced[field] = text
    }
    return replaced
  }

  /// Returns the days and times that are read from the start and the end, or from the description
  /// in their place; none for a text that is one, or that the user did not change.
  func readings(of span: Span) -> [EditorField: String] {
    var readings: [EditorField: String] = [:]
    for (field, moment) in [(EditorField.start, span.start), (.end, span.end)] {
      guard let moment, let text = route[field]?.text else { continue }
      if let shown = route.seen?[field], text.hasBytes(of: shown) { continue }
      let local = edge.rules.local(at: moment)
      if text.hasBytes(of: local.description) { continue }
      let clock = local.second == 0 ? style.clock(local) : style.clockWithSeconds(local)
      let reading = "\(style.text(local.date)) \(clock)\(edge.rules.offsetMark(at: moment))"
      if !text.hasBytes(of: reading) { readings[field] = reading }
    }
    return readings
  }

  /// The duration that is read from its text; `nil` for none, and for a text with a colon, which
  /// reads like one.
  var durationReading: String? {
    let text = route.duration.text
    if let shown = route.seen?.durationText, text.hasBytes(of: shown) { return nil }
    guard !text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    return ((try? duration()) ?? nil).map { style.text($0) }
  }

  /// Returns the times of the edited entry; times with unchanged texts stay as they were.
  func editedSpan(of seen: SeenEntry) throws(KeyObstacle) -> Span {
    let (changesStart, changesEnd) = (isChanged(.start, from: seen), isChanged(.end, from: seen))
    let changesDuration = isChanged(.duration, from: seen)
    var span = Span(start: seen.start, end: seen.end)
    guard changesStart || changesEnd || changesDuration else { return span }
    guard seen.shows(edge.rules) else { throw .otherZone(edge.rules.id) }
    // A time of day is on the day of the entry, or on the last one if only that fits.
    let last = seen.end ?? max(seen.start, edge.now)
    func days(from moment: Moment) -> ClosedRange<CivilDate> {
      let day = context.day(at: moment)
      return day...max(day, context.day(at: last))
    }
    if changesStart {
      let start = try moment(in: .start, on: days(from: seen.start)) {
        $0 >= seen.start && $0 <= last
      }
      guard let start else { throw .startMissing }
      span.start = start
    }
    let start = span.start ?? seen.start
    let end = changesEnd ? try moment(in: .end, on: days(from: start)) { $0 > start } : nil
    let duration = changesDuration ? try duration() : nil
    switch (end, duration) {
    case (let end?, let duration?):
      let start = end.adding(duration.negated)
      if changesStart, start != span.start { throw .timesDisagree }
      span = Span(start: start, end: end)
    case (let end?, nil): span.end = end
    case (nil, let duration?):
      if seen.end == nil, !changesStart {
        // A running entry goes on, and its start follows.
        span.start = edge.now.wholeSecond.adding(duration.negated)
      } else {
        span.end = start.adding(duration)
      }
    case (nil, nil) where Name(route.end.text).isEmpty:
      // Without its end, an entry is as long as it was; without both, it runs.
      let isStopped = !Name(route.duration.text).isEmpty
      span.end = isStopped ? seen.end.map { start.adding($0.elapsed(since: seen.start)) } : nil
    case (nil, nil): break
    }
    return span
  }

  func duration() throws(KeyObstacle) -> ElapsedTime? {
    let text = route.duration.text
    if Name(text).isEmpty { return nil }
    if let time = Self.time(ofDigits: Name(text).text) { return time }
    do throws(ExpressionError) {
      return try DurationExpression(text).time
    } catch {
      throw .unreadableField(TimeTextProblem(error))
    }
  }

  /// Returns the duration of at most five digits, as they are typed on a calculator: `130` is one
  /// hour and a half.
  ///
  /// The command line asks for a unit. A form shows how it has read the digits.
  private static func time(ofDigits text: String) -> ElapsedTime? {
    guard (1...5).contains(text.utf8.count) else { return nil }
    var digits = DurationDigits()
    for byte in text.utf8 {
      guard (0x30...0x39).contains(byte) else { return nil }
      digits.push(Int(byte) - 0x30)
    }
    return digits.time
  }

  /// Returns the moment in a field; `nil` if it is empty.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - days: The days on which a time of day may be; `nil` for today.
  ///   - fits: Returns whether a moment is possible. If the one on the first day is not, the one on
  ///     the next day is taken if it is possible and one of the days.
  func moment(
    in field: EditorField, on days: ClosedRange<CivilDate>? = nil,
    where fits: (Moment) -> Bool = { _ in true }
  ) throws(KeyObstacle) -> Moment? {
    guard let text = route[field]?.text, !Name(text).isEmpty else { return nil }
    guard let days else { return try context.moment(of: text) }
    return try context.moment(of: text, on: days, where: fits)
  }
}

extension SeenEntry {
  /// Returns whether its texts show the times of a zone.
  ///
  /// A form outlives its process, so its texts may show the times of another zone.
  fileprivate func shows(_ rules: ZoneRules) -> Bool {
    startText.hasBytes(of: rules.local(at: start).description)
      && endText.hasBytes(of: end.map { rules.local(at: $0).description } ?? "")
  }
}

extension ElapsedTime {
  /// The negative of the time.
  fileprivate var negated: ElapsedTime { ElapsedTime(microseconds: 0 &- microseconds) }
}
