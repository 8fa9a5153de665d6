extension Dictionary: Recordable where Key: Recordable, Value: Recordable {
  /// The name of this type as the argument of a generic type.
  public static var recordedName: String {
    "Dictionary__\(Key.recordedName)__\(Value.recordedName)"
  }

  /// The former names of this type as the argument of a generic type.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(
      of: "Dictionary", formerly: [], with: [Key._recordedNames, Value._recordedNames])
  }

  /// No rule in addition to the one in the schema.
  public static var recordedRule: String? { nil }

  /// Returns a `map` if the keys are strings, else an `array` with the rule `dictionary` of records
  /// with the fields `key` and `value`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    if Key.self == String.self { return .map(composer.schema(of: Value.self)) }
    let entry = composer.named("\(recordedName)_entry", for: Self.self) { composer in
      let key = composer.schema(of: Key.self)
      let value = composer.schema(of: Value.self)
      return .record(
        name: "\(recordedName)_entry", aliases: recordedAliases.map { "\($0)_entry" },
        fields: [Schema.Field("key", key), Schema.Field("value", value)])
    }
    return .ruled(SchemaRule.dictionary, .array(entry))
  }

  /// Writes the entries in the order of their keys' encodings.
  ///
  /// Keys with equal encodings, such as several NaNs, are written once, with the value whose
  /// encoding sorts first.
  ///
  /// - Complexity: O(*n* log *n*) in the number of entries; allocates for more than one entry.
  @inlinable
  public func encode(into writer: inout AvroWriter) {
    if count > 1 {
      var keys = KeySorter<Value>(capacity: count)
      for (key, value) in self { keys.add(key, value) }
      keys.sort { $0.encoded().lexicographicallyPrecedes($1.encoded()) }
      writer.beginBlocks(count: keys.entries.count)
      keys.write(into: &writer) { value, writer in value.encode(into: &writer) }
    } else {
      writer.beginBlocks(count: count)
      for (key, value) in self {
        key.encode(into: &writer)
        value.encode(into: &writer)
      }
    }
    writer.endBlocks()
  }

  /// Reads the entries; throws if two keys are equal.
  ///
  /// Also throws if the entries are not in the order of their keys' encodings, unless the bytes
  /// were resolved from another schema.
  ///
  /// - Complexity: O(bytes read).
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self = [:]
    let count = try reader.beginBlocks()
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
  /// The name of this type as the argument of a generic type.
  public static var recordedName: String { "Set__\(Element.recordedName)" }

  /// The former names of this type as the argument of a generic type.
  public static var recordedAliases: [String] { Element.recordedAliases.map { "Set__\($0)" } }

  /// Returns an `array` with the rule `set`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    .ruled(SchemaRule.set, .array(composer.schema(of: Element.self)))
  }

  /// Writes the members in the order of their encodings.
  ///
  /// Members with equal encodings, such as several NaNs, are written once.
  ///
  /// - Complexity: O(*n* log *n*) in the number of members; allocates for more than one member.
  @inlinable
  public func encode(into writer: inout AvroWriter) {
    if count > 1 {
      var keys = KeySorter<Void>(capacity: count)
      for member in self { keys.add(member, ()) }
      keys.sort { _, _ in false }
      writer.beginBlocks(count: keys.entries.count)
      keys.write(into: &writer) { _, _ in }
    } else {
      writer.beginBlocks(count: count)
      for member in self { member.encode(into: &writer) }
    }
    writer.endBlocks()
  }

  /// Reads the members in the order of their encodings.
  ///
  /// Throws if the order is different, or if two members are equal. Neither is an error if the
  /// bytes were resolved from another schema; equal members then count once.
  ///
  /// - Complexity: O(bytes read).
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self = []
    let count = try reader.beginBlocks()
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
      guard insert(member).inserted || reader.isResolved else {
        throw AvroError(.duplicateKey, at: start)
      }
    }
    reader.leave()
    try reader.endBlocks()
  }
}

/// A sorter of the entries of a dictionary, or the members of a set, by their encoded keys.
@usableFromInline
struct KeySorter<Value>: ~Copyable {
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

  /// Sorts the entries by key and keeps one for each key.
  ///
  /// - Parameter precedes: Of two values of one key, returns whether to keep the first.
  @inlinable
  mutating func sort(_ precedes: (Value, Value) -> Bool) {
    let bytes = keys.bytes
    entries.sort { left, right in
      bytes[left.start..<left.end].lexicographicallyPrecedes(bytes[right.start..<right.end])
    }
    var kept = 0
    for index in 1..<entries.count {
      let entry = entries[index]
      if bytes[entry.start..<entry.end] == bytes[entries[kept].start..<entries[kept].end] {
        if precedes(entry.value, entries[kept].value) { entries[kept] = entry }
      } else {
        kept += 1
        if kept < index { entries[kept] = entry }
      }
    }
    entries.removeLast(entries.count - 1 - kept)
  }

  @inlinable
  mutating func write(
    into writer: inout AvroWriter, _ write: (Value, inout AvroWriter) -> Void
  ) {
    let bytes = keys.bytes
    for entry in entries {
      writer.raw(bytes.span.extracting(entry.start..<entry.end))
      write(entry.value, &writer)
    }
  }
}

extension AvroReader {
  /// Throws if an encoded key does not sort after the previous one.
  ///
  /// Does nothing if the bytes were resolved from another schema.
  @usableFromInline
  package func requireOrder(_ previous: Range<Int>, _ next: Range<Int>) throws(AvroError) {
    if isResolved { return }
    var left = previous.lowerBound
    var right = next.lowerBound
    while left < previous.upperBound && right < next.upperBound {
      if bytes[left] != bytes[right] {
        if bytes[left] < bytes[right] { return }
        throw AvroError(.notCanonical, at: next.lowerBound, "the keys are not in ascending order")
      }
      left += 1
      right += 1
    }
    if left == previous.upperBound && right < next.upperBound { return }
    let same = left == previous.upperBound && right == next.upperBound
    if same { throw AvroError(.duplicateKey, at: next.lowerBound) }
    throw AvroError(.notCanonical, at: next.lowerBound, "the keys are not in ascending order")
  }
}
