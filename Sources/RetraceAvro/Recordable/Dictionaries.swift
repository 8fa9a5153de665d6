extension Dictionary: Recordable where Key: Recordable, Value: Recordable {
  /// The name of the dictionary in the names of generic types.
  public static var recordedName: String {
    "Dictionary__\(Key.recordedName)__\(Value.recordedName)"
  }

  /// The former names of the dictionary in the names of generic types.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(of: "Dictionary", formerly: [], with: [Key.self, Value.self])
  }

  /// A `map` if the keys are strings, else an `array` of records with the fields `key`, `value`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    if Key.self == String.self { return .map(Value.schema(in: &composer)) }
    return .array(
      composer.named("\(recordedName)_entry", for: Self.self) { composer in
        .record(
          name: "\(recordedName)_entry", aliases: recordedAliases.map { "\($0)_entry" },
          fields: [
            Schema.Field("key", Key.schema(in: &composer)),
            Schema.Field("value", Value.schema(in: &composer)),
          ])
      })
  }

  /// Writes the entries in the order of their keys' encoded bytes.
  ///
  /// - Complexity: O(*n* log *n*) in the number of entries; allocates for more than one entry.
  @inlinable
  public func encode(into writer: inout AvroWriter) {
    writer.beginBlock(count: count)
    if count > 1 {
      var keys = KeyOrder<Value>(capacity: count)
      for (key, value) in self { keys.add(key, value) }
      keys.writeSorted(into: &writer) { value, writer in value.encode(into: &writer) }
    } else {
      for (key, value) in self {
        key.encode(into: &writer)
        value.encode(into: &writer)
      }
    }
    writer.endBlocks()
  }

  /// Reads entries in the order of their keys' encoded bytes; another order or an equal key is
  /// refused.
  ///
  /// - Complexity: O(bytes read).
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self = [:]
    let count = try reader.beginBlock()
    if count == 0 { return }
    try reader.enter()
    reserveCapacity(Swift.min(reader.reservation(for: count), 256))
    var previous = 0..<0
    for index in 0..<count {
      let start = reader.offset
      let key = try Key(decoding: &reader)
      let range = start..<reader.offset
      if index > 0 { try reader.requireOrder(previous, range) }
      previous = range
      guard updateValue(try Value(decoding: &reader), forKey: key) == nil else {
        throw AvroError(.duplicateKey, at: start)
      }
    }
    reader.leave()
    try reader.endBlocks()
  }
}

extension Set: Recordable where Element: Recordable {
  /// The name of the set in the names of generic types.
  public static var recordedName: String { "Set__\(Element.recordedName)" }

  /// The former names of the set in the names of generic types.
  public static var recordedAliases: [String] { Element.recordedAliases.map { "Set__\($0)" } }

  /// An `array`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    .array(Element.schema(in: &composer))
  }

  /// Writes the members in the order of their encoded bytes.
  ///
  /// - Complexity: O(*n* log *n*) in the number of members; allocates for more than one member.
  @inlinable
  public func encode(into writer: inout AvroWriter) {
    writer.beginBlock(count: count)
    if count > 1 {
      var keys = KeyOrder<Void>(capacity: count)
      for member in self { keys.add(member, ()) }
      keys.writeSorted(into: &writer) { _, _ in }
    } else {
      for member in self { member.encode(into: &writer) }
    }
    writer.endBlocks()
  }

  /// Reads members in the order of their encoded bytes; another order or an equal member is
  /// refused.
  ///
  /// - Complexity: O(bytes read).
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self = []
    let count = try reader.beginBlock()
    if count == 0 { return }
    try reader.enter()
    reserveCapacity(Swift.min(reader.reservation(for: count), 256))
    var previous = 0..<0
    for index in 0..<count {
      let start = reader.offset
      let member = try Element(decoding: &reader)
      let range = start..<reader.offset
      if index > 0 { try reader.requireOrder(previous, range) }
      previous = range
      guard insert(member).inserted else { throw AvroError(.duplicateKey, at: start) }
    }
    reader.leave()
    try reader.endBlocks()
  }
}

/// The entries of a dictionary on their way into the order of their encoded keys.
@usableFromInline
struct KeyOrder<Value>: ~Copyable {
  @usableFromInline var keys: AvroWriter
  @usableFromInline var entries: [(start: Int, end: Int, value: Value)]

  @inlinable
  init(capacity: Int) {
    keys = AvroWriter(capacity: capacity * 8)
    entries = []
    entries.reserveCapacity(capacity)
  }

  @inlinable
  mutating func add(_ key: some Recordable, _ value: Value) {
    let start = keys.count
    key.encode(into: &keys)
    entries.append((start, keys.count, value))
  }

  @inlinable
  mutating func writeSorted(
    into writer: inout AvroWriter, _ write: (Value, inout AvroWriter) -> Void
  ) {
    let bytes = keys.bytes
    entries.sort { left, right in
      bytes[left.start..<left.end].lexicographicallyPrecedes(bytes[right.start..<right.end])
    }
    for entry in entries {
      writer.raw(bytes.span.extracting(entry.start..<entry.end))
      write(entry.value, &writer)
    }
  }
}

extension AvroReader {
  /// Refuses an encoded key that is not above the one before it.
  @usableFromInline
  func requireOrder(_ previous: Range<Int>, _ next: Range<Int>) throws(AvroError) {
    if acceptsAnyOrder { return }
    var left = previous.lowerBound
    var right = next.lowerBound
    while left < previous.upperBound && right < next.upperBound {
      if bytes[left] != bytes[right] {
        if bytes[left] < bytes[right] { return }
        throw AvroError(.notCanonical, at: next.lowerBound, "order of keys")
      }
      left += 1
      right += 1
    }
    if left == previous.upperBound && right < next.upperBound { return }
    let same = left == previous.upperBound && right == next.upperBound
    throw AvroError(same ? .duplicateKey : .notCanonical, at: next.lowerBound, "order of keys")
  }
}
