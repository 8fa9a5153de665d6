import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The style of times in lists: without seconds or with them, and as the user prefers.
struct ShownTimes {
  static let secondsOption = CommandOption(
    "seconds", "Show times with seconds; without it they are cut to minutes.")

  private let hasSeconds: Bool
  private var style = TimeStyle()

  /// Reads the option.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - total: What totals are. Totals that are sums of lines are those of all outputs, so the
  ///     lines have seconds.
  init(_ arguments: CommandArguments, totalOf total: ReportTotal = .exact) {
    hasSeconds = arguments.has(Self.secondsOption) || total == .lines
  }

  /// Returns the times in the style of a user.
  func styled(as style: TimeStyle) -> ShownTimes {
    var shown = self
    shown.style = style
    return shown
  }

  /// The form of durations.
  ///
  /// The option replaces decimals, which have no seconds.
  private var durations: DurationStyle {
    hasSeconds && style.durations == .decimal ? .improved : style.durations
  }

  /// The note to print if the printed times do not add up.
  var note: String {
    let rounded = durations == .decimal ? ", durations rounded up to hundredths of an hour" : ""
    return "Times are cut to minutes\(rounded); --seconds shows all."
  }

  /// Returns a duration as `1:23` or `1:23:45`, or as the user prefers.
  func text(_ time: ElapsedTime) -> String {
    durations == .improved && !hasSeconds ? time.hoursAndMinutes : durations.text(time)
  }

  /// Returns a time of day as `09:05` or `09:05:00`, or as the user prefers.
  func text(_ local: LocalTime) -> String {
    hasSeconds ? style.clockWithSeconds(local) : style.clock(local)
  }

  /// Returns a date with its weekday.
  func text(_ date: CivilDate) -> String { style.withWeekday(date) }

  /// Returns the local times of two moments, as `09:05 - 10:30`: the second with its date if that
  /// differs, and both with their offsets if these differ.
  func text(from start: Moment, to end: Moment, in rules: ZoneRules) -> String {
    let (first, last) = (rules.local(at: start), rules.local(at: end))
    let marks = rules.offsetMarks(from: start, to: end)
    let date = first.date == last.date ? "" : "\(style.text(last.date)) "
    return "\(text(first))\(marks.start) - \(date)\(text(last))\(marks.end)"
  }

  /// Returns whether a duration is shown as the time between its shown start and end.
  func agrees(
    _ time: ElapsedTime, from start: Moment, to end: Moment, in rules: ZoneRules
  ) -> Bool {
    func shown(_ moment: Moment) -> Moment {
      let second = moment.wholeSecond
      let rest = hasSeconds ? 0 : Int64(rules.local(at: second).second)
      return second.adding(.seconds(-rest))
    }
    return self.shown(time) == self.shown(shown(end).elapsed(since: shown(start)))
  }

  /// Returns the notes on printed times: that they are cut if they do not add up to their sum, else
  /// none.
  func notes(on parts: some Sequence<ElapsedTime>, sum total: ElapsedTime) -> [String] {
    sum(parts) == shown(total) ? [] : [note]
  }

  /// Returns the part of a duration that is shown.
  ///
  /// A started hundredth of an hour is shown as a whole one.
  func shown(_ time: ElapsedTime) -> ElapsedTime {
    switch durations {
    case .classic: return .seconds(time.seconds)
    case .improved:
      let unit: Int64 = hasSeconds ? 1 : 60
      return .seconds(time.seconds / unit * unit)
    case .decimal:
      let rest = time.seconds % 36
      return .seconds(time.seconds - rest + rest.signum() * 36)
    }
  }

  /// Returns the sum of the shown parts of durations.
  func sum(_ times: some Sequence<ElapsedTime>) -> ElapsedTime {
    times.reduce(.zero) { $0.adding(shown($1)) }
  }
}

extension CommandArguments {
  /// Returns the duration that an option gives; `nil` without the option.
  ///
  /// - Throws: A usage failure with an example for another value.
  func duration(
    _ option: CommandOption, such example: String
  ) throws(ToolFailure) -> ElapsedTime? {
    guard let text = self[option] else { return nil }
    do throws(ExpressionError) {
      return try DurationExpression(text).time
    } catch {
      throw .usage("--\(option.name): \(error)", advice: "Give a duration such as \(example).")
    }
  }
}
