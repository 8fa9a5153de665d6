import CivilTime
import RetraceState
import TimeTracking

/// The times of entries.
extension ColumnMapping {
  /// The start and the end of an entry.
  struct Times {
    let start: Moment
    let end: Moment
    /// Whether the file has no time of day.
    var isPlaced = false
  }

  /// The moments that a local time can mean.
  private struct Candidates {
    let earlier: Moment
    /// The other moment, if clocks show the time twice.
    var later: Moment?
  }

  var zone: ZoneRules { options.zone }

  /// Returns the start and the end of the entry of a record.
  ///
  /// The duration counts if there is one, unless it is rounded and the times have seconds. Else the
  /// time from the start to the end counts.
  func times(
    of record: CSVRecord, _ user: Name, repeated: inout RepeatedTimes,
    placed: inout PlacedDurations
  ) throws(RowRejection) -> Times {
    let start = try time(.start, of: record)
    let text = try value(.duration, of: record)
    if has(.end) && text.isEmpty {
      return try timesToEnd(of: record, from: start, repeated: &repeated)
    }
    let duration = try duration(text, of: record)
    let hasEnd = has(.end) ? !(try value(.end, of: record).isEmpty) : false
    if !start.hasTimeOfDay, !hasEnd {
      let begin = placed.place(duration, on: start.local.date, of: user, in: zone)
      return Times(start: begin, end: begin.adding(duration), isPlaced: true)
    }
    let starts: Candidates
    do throws(RowRejection) {
      starts = try moments(of: start, .start, of: record)
    } catch {
      var rejection = error
      rejection.time = duration
      throw rejection
    }
    var times = Times(start: starts.earlier, end: starts.earlier.adding(duration))
    if hasEnd, let end = try? time(.end, of: record) {
      let step = DurationText.step(of: text, as: options.durationFormat)
      let haveSeconds = start.hasSeconds && end.hasSeconds
      let isRounded = step > .seconds(1) && haveSeconds
      // A time without seconds may lie up to a minute before what it stands for.
      let half = ElapsedTime(microseconds: step.microseconds / 2)
      let tolerance = haveSeconds ? half : half.adding(.seconds(60))
      let found = try agreeing(
        starts, with: end, of: record, lasting: duration, tolerance: tolerance)
      if let (first, last) = found {
        times = Times(start: first, end: isRounded ? last : first.adding(duration))
      }
    }
    if starts.later != nil {
      if times.start == starts.earlier { repeated.earlier += 1 } else { repeated.later += 1 }
    }
    return times
  }

  /// Returns the times of a record without a duration.
  private func timesToEnd(
    of record: CSVRecord, from start: WrittenTime, repeated: inout RepeatedTimes
  ) throws(RowRejection) -> Times {
    let starts = try moments(of: start, .start, of: record)
    if starts.later != nil { repeated.earlier += 1 }
    let end = try end(of: record, notBefore: starts.earlier, repeated: &repeated)
    guard end >= starts.earlier else { throw reject(.end, of: record, .negativeDuration) }
    let time = end.elapsed(since: starts.earlier)
    guard time <= TimeEntry.durationMax else {
      throw reject(.end, of: record, .durationTooLong, time: time)
    }
    return Times(start: starts.earlier, end: end)
  }

  /// Returns the end of a record: of two moments the first one that is not before the start.
  private func end(
    of record: CSVRecord, notBefore start: Moment, repeated: inout RepeatedTimes
  ) throws(RowRejection) -> Moment {
    let time = try time(.end, of: record)
    if let moment = time.moment { return moment }
    var local = time.local
    if sharesDate, !zone.moments(forLocal: local).contains(where: { $0 >= start.wholeSecond }) {
      let before = zone.local(at: start).secondsSince1970 - local.secondsSince1970
      // If the entry would be longer than usual, the times are more likely wrong.
      if before > 0, 86_400 - before <= TimeEntry.usualDurationMax.seconds {
        local = LocalTime(secondsSince1970: local.secondsSince1970 + 86_400)
      }
    }
    let end = zone.moment(of: local, notBefore: start.wholeSecond, repeated: &repeated)
    guard let end else { throw reject(.end, of: record, .skippedByZone(zone.id)) }
    return end.adding(time.fraction)
  }

  /// Returns the first possible start from which the duration leads to the end of a record, and
  /// that end; `nil` if the clocks of the zone skip the end, which then contradicts nothing.
  ///
  /// The two may differ by less than a minute, or by the tolerance.
  ///
  /// - Throws: A rejection if the duration leads from no start to the end.
  private func agreeing(
    _ starts: Candidates, with time: WrittenTime, of record: CSVRecord,
    lasting duration: ElapsedTime, tolerance: ElapsedTime
  ) throws(RowRejection) -> (Moment, Moment)? {
    var ends: [Moment]
    if let moment = time.moment {
      ends = [moment]
    } else {
      ends = zone.moments(forLocal: time.local).map { $0.adding(time.fraction) }
      // An end that shares the date of the start may be on the next day.
      if sharesDate { ends += ends.map { $0.adding(.seconds(86_400)) } }
    }
    guard let end = ends.first else { return nil }
    let tolerance = max(59_999_999, tolerance.microseconds)
    for start in [starts.earlier, starts.later].compactMap({ $0 }) {
      let found = ends.first { end in
        let rest = end.microseconds - start.microseconds - duration.microseconds
        return rest.magnitude <= UInt64(tolerance)
      }
      if let found { return (start, found) }
    }
    let total = ElapsedTime(microseconds: end.microseconds - starts.earlier.microseconds)
    throw reject(.duration, of: record, .otherDuration(total), time: duration)
  }

  /// Returns the moments that a time can mean.
  private func moments(
    of time: WrittenTime, _ field: ImportField, of record: CSVRecord
  ) throws(RowRejection) -> Candidates {
    if let moment = time.moment { return Candidates(earlier: moment) }
    switch zone.resolve(time.local) {
    case .existing(let moment, _): return Candidates(earlier: moment.adding(time.fraction))
    case .ambiguous(let earlier, let later, _):
      return Candidates(
        earlier: earlier.adding(time.fraction), later: later.adding(time.fraction))
    case .skipped: throw reject(field, of: record, .skippedByZone(zone.id))
    }
  }

  /// Reads the date in a field.
  func time(
    _ field: ImportField, of record: CSVRecord
  ) throws(RowRejection) -> WrittenTime {
    let text = try value(field, of: record)
    do throws(DateFormat.ParseError) {
      let time = try dateFormat.read(text)
      if let moment = time.moment, !TimeEntry.moments.contains(moment) {
        throw DateFormat.ParseError.yearOutOfRange
      }
      return time
    } catch .mismatch {
      throw reject(field, of: record, .dateFormat(dateFormat.name))
    } catch .noSuchTime {
      throw reject(field, of: record, .noSuchTime)
    } catch {
      throw reject(field, of: record, .yearOutOfRange(DateFormat.years))
    }
  }

  /// Reads a duration.
  func duration(_ text: String, of record: CSVRecord) throws(RowRejection) -> ElapsedTime {
    let duration: ElapsedTime
    do throws(DurationFormat.ParseError) {
      duration = try DurationText.read(text, as: options.durationFormat)
    } catch .mismatch {
      throw reject(.duration, of: record, .durationFormat(options.durationFormat))
    } catch .negative {
      throw reject(.duration, of: record, .negativeDuration)
    } catch {
      throw reject(.duration, of: record, .durationTooLong)
    }
    guard duration <= TimeEntry.durationMax else {
      throw reject(.duration, of: record, .durationTooLong, time: duration)
    }
    return duration
  }
}
