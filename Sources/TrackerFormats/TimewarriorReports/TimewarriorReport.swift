import CivilTime
public import RetraceState

/// The input of a report extension of timewarrior.
///
/// The text equals what timewarrior 1.4.3 writes. It has the settings, one per line, ordered by the
/// bytes of their names; a blank line; and the intervals as a JSON array, one per line.
public struct TimewarriorReport: Hashable, Sendable {
  /// The version of timewarrior whose text is created.
  public static var version: String { "1.4.3" }

  /// The settings.
  public var configuration: TimewarriorConfiguration
  /// The start of the range; `nil` for none.
  public let start: Moment?
  /// The end of the range; `nil` for none.
  public let end: Moment?
  /// The tags that each interval must have, each once, in the order of their bytes.
  public let tags: [String]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - configuration: The settings.
  ///   - start: The start of the range; its fraction of a second is dropped.
  ///   - end: The end of the range; its fraction of a second is dropped.
  ///   - tags: The tags that each interval must have.
  public init(
    _ configuration: TimewarriorConfiguration, from start: Moment? = nil, to end: Moment? = nil,
    tags: [String] = []
  ) {
    let range = TimewarriorInterval(
      id: 0, start: start ?? Moment(microseconds: 0), end: end, tags: tags)
    self.configuration = configuration
    self.start = start.map { _ in range.start }
    self.end = range.end
    self.tags = range.tags
  }

  /// Returns whether an interval has time in the range and all of the tags.
  ///
  /// An interval without a duration is in the range that begins with it.
  public func contains(_ interval: TimewarriorInterval) -> Bool {
    guard tags.allSatisfy(interval.hasTag) else { return false }
    guard let start else { return true }
    if interval.start == start { return true }
    return end.map { interval.start < $0 } ?? true && interval.end.map { $0 > start } ?? true
  }

  /// Returns the whole text.
  ///
  /// - Parameter intervals: The intervals, in any order. Intervals outside the report are left out,
  ///   and the others are ordered by their starts.
  /// - Complexity: O(*n* log *n*) for *n* intervals.
  public func text(_ intervals: [TimewarriorInterval]) -> [UInt8] {
    var settings = configuration
    settings["temp.report.start"] = start.map(Self.stamp) ?? ""
    settings["temp.report.end"] = end.map(Self.stamp) ?? ""
    settings["temp.report.tags"] = tagList
    settings["temp.version"] = Self.version
    var text = settings.header
    text += "\n[\n".utf8
    let found = intervals.filter(contains).sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    for (index, interval) in found.enumerated() {
      if index > 0 { text += ",\n".utf8 }
      Self.append(interval, to: &text)
    }
    text += (found.isEmpty ? "]\n" : "\n]\n").utf8
    return text
  }

  /// The tags, joined by commas.
  ///
  /// The first tag is never quoted.
  private var tagList: String {
    guard let first = tags.first else { return "" }
    return ([first] + tags.dropFirst().map(Self.quoted)).joined(separator: ",")
  }

  private static func quoted(_ tag: String) -> String {
    let special = "\" +-/()<^!=~_%".utf8
    guard tag.utf8.contains(where: special.contains) else { return tag }
    var text = "\""
    for scalar in tag.unicodeScalars {
      if scalar == "\"" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }

  /// Returns an instant in UTC without separators, such as `20260302T090000Z`.
  private static func stamp(_ moment: Moment) -> String {
    let separators = "-:".utf8
    return String(
      decoding: moment.timestamp.utf8.filter { !separators.contains($0) }, as: UTF8.self)
  }

  private static func append(_ interval: TimewarriorInterval, to text: inout [UInt8]) {
    text += "{\"id\":\(interval.id),\"start\":\"\(stamp(interval.start))\"".utf8
    if let end = interval.end { text += ",\"end\":\"\(stamp(end))\"".utf8 }
    if !interval.tags.isEmpty {
      text += ",\"tags\":[".utf8
      for (index, tag) in interval.tags.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        appendJSON(tag, to: &text)
      }
      text.append(UInt8(ascii: "]"))
    }
    if !interval.annotation.isEmpty {
      text += ",\"annotation\":".utf8
      appendJSON(interval.annotation, to: &text)
    }
    text.append(UInt8(ascii: "}"))
  }

  /// Appends a JSON string as timewarrior writes it, with escaped slashes.
  ///
  /// Timewarrior does not escape rare control characters, which its users cannot type. Here they
  /// are escaped, because JSON forbids them unescaped.
  private static func appendJSON(_ string: String, to text: inout [UInt8]) {
    func escape(_ letter: Unicode.Scalar) { text += [0x5c, UInt8(ascii: letter)] }
    text.append(0x22)
    for byte in string.utf8 {
      switch byte {
      case 0x22, 0x2f, 0x5c: text += [0x5c, byte]
      case 0x08: escape("b")
      case 0x09: escape("t")
      case 0x0a: escape("n")
      case 0x0c: escape("f")
      case 0x0d: escape("r")
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        text += "\\u00".utf8
        text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: text.append(byte)
      }
    }
    text.append(0x22)
  }
}
