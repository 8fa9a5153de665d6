/// The error of bytes that are not a file of the tz database.
public enum ZoneFileError: Error, Hashable, Sendable {
  /// The file does not start with `TZif`.
  case notTZif
  /// The file ends too early.
  case truncated
  /// A count, an index or the final rule is invalid; the text says which.
  case invalid(String)
}

extension ZoneRules {
  /// Reads a file of the tz database (TZif, versions 1 to 4).
  ///
  /// - Parameters:
  ///   - id: The id of the zone.
  ///   - bytes: The whole file.
  /// - Throws: ``ZoneFileError`` if the bytes are not such a file.
  /// - Complexity: O(bytes).
  public init(id: String, tzif bytes: Span<UInt8>) throws(ZoneFileError) {
    var counts = try ZoneFileHeader(bytes, at: 0, timeSize: 4)
    let wide = counts.version >= 0x32
    if wide { counts = try ZoneFileHeader(bytes, at: counts.end, timeSize: 8) }
    guard counts.end <= bytes.count else { throw .truncated }
    guard counts.types > 0 else { throw .invalid("there are no local time types") }
    // Files below `right/` count leap seconds; a moment does not.
    guard counts.leaps == 0 else { throw .invalid("the file counts leap seconds") }
    let times = Int(counts.times)
    let timeSize = wide ? 8 : 4
    let indexes = counts.start + times * timeSize
    let types = indexes + times
    var typeOffsets: [Int32] = []
    for type in 0..<Int(counts.types) {
      let offset = Int32(truncatingIfNeeded: integer(bytes, at: types + type * 6, size: 4))
      guard abs(Int64(offset)) <= Self.offsetLimit else {
        throw .invalid("the offset \(offset) is more than 26 hours")
      }
      typeOffsets.append(offset)
    }
    var transitions: [Int64] = []
    var offsets: [Int32] = []
    var last: Int64?
    for index in 0..<times {
      let time = integer(bytes, at: counts.start + index * timeSize, size: timeSize)
      let type = Int(bytes[indexes + index])
      guard type < typeOffsets.count else {
        throw .invalid("the local time type \(type) does not exist")
      }
      if let last, time <= last {
        throw .invalid("the transitions are not in ascending order")
      }
      last = time
      // The name of the offset may change alone. The rule, if there is one, begins at the last
      // transition.
      let isChange = typeOffsets[type] != offsets.last ?? typeOffsets[0]
      guard isChange || index == times - 1 else { continue }
      transitions.append(time)
      offsets.append(typeOffsets[type])
    }
    let rule = wide ? try footer(bytes, at: Int(counts.end)) : nil
    self.init(
      id: id, firstOffset: typeOffsets[0], transitions: transitions, offsets: offsets, rule: rule)
  }
}

/// The counts in the header of one of the two blocks of a tz file.
///
/// They have 64 bits, so that the end of a block can be computed from any bytes.
private struct ZoneFileHeader {
  let version: UInt8
  let start: Int
  let times: Int64
  let types: Int64
  let leaps: Int64
  /// The offset after the block.
  let end: Int64

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - place: The offset of the header.
  ///   - timeSize: The number of bytes of a time in the block.
  init(_ bytes: Span<UInt8>, at place: Int64, timeSize: Int64) throws(ZoneFileError) {
    guard place <= bytes.count - 4 else { throw place == 0 ? .notTZif : .truncated }
    let offset = Int(place)
    let magic: [UInt8] = [0x54, 0x5a, 0x69, 0x66]
    for index in 0..<4 where bytes[offset + index] != magic[index] { throw .notTZif }
    guard bytes.count >= offset + 44 else { throw .truncated }
    version = bytes[offset + 4]
    func count(_ index: Int) -> Int64 {
      integer(bytes, at: offset + 20 + index * 4, size: 4) & 0xffff_ffff
    }
    start = offset + 44
    // Counts: UT/local indicators, standard/wall indicators, leap seconds, times, types, names.
    leaps = count(2)
    times = count(3)
    types = count(4)
    let others = count(0) + count(1) + count(5)
    end = Int64(start) + times * (timeSize + 1) + types * 6 + others + leaps * (timeSize + 4)
  }
}

/// Returns a big-endian signed integer.
private func integer(_ bytes: Span<UInt8>, at offset: Int, size: Int) -> Int64 {
  var value: UInt64 = bytes[offset] & 0x80 == 0 ? 0 : UInt64.max
  for index in 0..<size { value = value << 8 | UInt64(bytes[offset + index]) }
  return Int64(bitPattern: value)
}

/// Reads the rule between the two line feeds at the end; returns `nil` if it is empty.
private func footer(_ bytes: Span<UInt8>, at offset: Int) throws(ZoneFileError) -> PosixRule? {
  guard offset < bytes.count, bytes[offset] == 0x0a else { throw .truncated }
  var text: [UInt8] = []
  var index = offset + 1
  while index < bytes.count && bytes[index] != 0x0a {
    text.append(bytes[index])
    index += 1
  }
  guard index < bytes.count else { throw .truncated }
  if text.isEmpty { return nil }
  guard let rule = PosixRule(text) else {
    throw .invalid("the rule `\(String(decoding: text, as: UTF8.self))` cannot be read")
  }
  return rule
}
