import CivilTime
import RetraceState

/// The entries of a file of klog, in the order of the file.
struct KlogRecords {
  /// The entries, and the rejections of other lines.
  private(set) var entries: [Result<KlogEntry, RowRejection>] = []
  /// The number of records with a target, such as `(8h!)`.
  private(set) var targets = 0

  private typealias Line = (number: Int, text: Substring)
  private static let dateFormats = ["yyyy-MM-dd", "yyyy/MM/dd"].compactMap { try? DateFormat($0) }

  /// Reads the records of a text.
  ///
  /// - Complexity: O(bytes).
  init(_ text: String) {
    var block: [Line] = []
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      if text.unicodeScalars.allSatisfy(\.isKlogBlank) {
        addRecord(block)
        block = []
      } else {
        // A date after the entries of a record begins a new record even without a blank line.
        let isAfterEntry = block.last?.text.first.map { $0 == " " || $0 == "\t" } ?? false
        if isAfterEntry && (try? Self.date(of: text)) != nil {
          addRecord(block)
          block = []
        }
        block.append((index + 1, text))
      }
    }
    addRecord(block)
  }

  private mutating func reject(
    _ line: Line, _ reason: RowRejection.Reason, on day: CivilDate? = nil
  ) {
    let text = String(trimmed(line.text).prefix(200))
    entries.append(
      .failure(
        RowRejection(line: line.number, column: nil, value: text, reason: reason, day: day)))
  }

  /// Adds the entries of a record.
  ///
  /// If its date is invalid, the record is one rejection.
  private mutating func addRecord(_ lines: [Line]) {
    guard let headline = lines.first else { return }
    let date: CivilDate
    do throws(KlogFailure) {
      date = try Self.date(of: headline.text)
    } catch {
      return reject(headline, error.reason)
    }
    if trimmed(headline.text).hasSuffix(")") { targets += 1 }
    var rest = lines.dropFirst()
    let summary = rest.prefix { $0.text.first != " " && $0.text.first != "\t" }
    rest = rest.dropFirst(summary.count)
    let recordSummary = KlogText(summary.map { String($0.text) })
    guard let first = rest.first else { return }
    let begin = entries.count
    defer { applyDeductions(since: begin) }
    let indentation = ["    ", "   ", "  ", "\t"].first { first.text.hasPrefix($0) }
    while let line = rest.popFirst() {
      guard let indentation, line.text.hasPrefix(indentation),
        !" \t".contains(line.text.dropFirst(indentation.count).first ?? " ")
      else {
        reject(line, .indentation, on: date)
        continue
      }
      let more = rest.prefix { $0.text.hasPrefix(indentation + indentation) }
      rest = rest.dropFirst(more.count)
      let text = String(line.text.dropFirst(indentation.count))
      do throws(KlogFailure) {
        let (span, summary) = try KlogEntry.span(of: text, on: date)
        let texts = [summary] + more.map(\.text)
        entries.append(
          .success(
            KlogEntry(
              line: line.number, text: text, date: date, span: span,
              summary: KlogText(texts.map { trimmed($0) }), recordSummary: recordSummary)))
      } catch {
        reject(line, error.reason, on: date)
      }
    }
  }

  /// Shortens entries of the last record by its negative durations, and removes these.
  ///
  /// A negative duration shortens the nearest longer entry before it, or else the first longer one
  /// after it, or else several entries in this order. If the entries are shorter together, the
  /// duration is rejected.
  ///
  /// - Parameter begin: The index of the first entry of the record.
  /// - Complexity: O(deductions times entries of the record).
  private mutating func applyDeductions(since begin: Int) {
    for place in entries.indices[begin...] {
      guard case .success(let entry) = entries[place], case .deduction(let duration) = entry.span
      else { continue }
      let others = Array((begin..<place).reversed()) + Array(entries.indices[place...].dropFirst())
      let lengths = others.map { (try? entries[$0].get())?.length ?? .zero }
      if let longer = lengths.firstIndex(where: { $0 > duration }) {
        shorten(others[longer], by: duration, entry.text)
      } else if lengths.reduce(0, { $0 + $1.seconds }) >= duration.seconds {
        var rest = duration.seconds
        for (other, length) in zip(others, lengths) where rest > 0 && length > .zero {
          shorten(other, by: .seconds(min(rest, length.seconds)), entry.text)
          rest -= min(rest, length.seconds)
        }
      } else {
        let time = ElapsedTime(microseconds: -duration.microseconds)
        entries[place] = .failure(entry.rejection(.deduction, time: time))
      }
    }
    let rest = entries[begin...].filter { entry in
      guard case .success(let entry) = entry, case .deduction = entry.span else { return true }
      return false
    }
    entries.replaceSubrange(begin..., with: rest)
  }

  private mutating func shorten(_ place: Int, by duration: ElapsedTime, _ line: String) {
    guard case .success(var entry) = entries[place] else { return }
    entry.shorten(by: duration, line)
    entries[place] = .success(entry)
  }

  /// Returns whether a line is the first one of a record.
  static func isHeadline(_ line: String) -> Bool { (try? date(of: Substring(line))) != nil }

  /// Returns the date in the first line of a record.
  ///
  /// The target duration may follow the date, as in `(8h!)`.
  private static func date(of headline: Substring) throws(KlogFailure) -> CivilDate {
    let text = headline.prefix { $0 != " " && $0 != "\t" }
    let rest = trimmed(headline[text.endIndex...])
    if !rest.isEmpty {
      let inner = trimmed(rest.dropFirst().dropLast())
      guard rest.hasPrefix("("), rest.hasSuffix(")"), inner.hasSuffix("!"),
        try KlogEntry.duration(inner.dropLast()) != nil
      else { throw KlogFailure(.notKlogDate) }
    }
    guard text.utf8.count == 10 else { throw KlogFailure(.notKlogDate) }
    for format in dateFormats {
      do throws(DateFormat.ParseError) {
        return try format.parse(String(text)).date
      } catch {
        switch error {
        case .mismatch: continue
        case .noSuchTime: throw KlogFailure(.noSuchTime)
        default: throw KlogFailure(.yearOutOfRange(DateFormat.years))
        }
      }
    }
    throw KlogFailure(.notKlogDate)
  }
}
