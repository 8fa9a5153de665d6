extension Array: Recordable where Element: Recordable {
  /// The name of this type as the argument of a generic type.
  public static var recordedName: String { "Array__\(Element.recordedName)" }
  /// The former names of this type as the argument of a generic type.
  public static var recordedAliases: [String] { Element.recordedAliases.map { "Array__\($0)" } }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns an `array`, or `bytes` for an array of `UInt8`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    hasBytes ? .bytes : .array(composer.schema(of: Element.self))
  }

  /// Whether the items are bytes, which are recorded as `bytes`.
  ///
  /// The optimizer knows the answer for each type of items.
  @inlinable
  @inline(__always)
  static var hasBytes: Bool { Element.self == UInt8.self }

  /// Writes the items in one block.
  ///
  /// - Complexity: O(bytes written).
  @inlinable
  public func encode(into writer: inout AvroWriter) {
    if Self.hasBytes, let bytes = self as? [UInt8] { return writer.bytes(bytes) }
    writer.beginBlocks(count: count)
    let items = span
    for index in items.indices { items[index].encode(into: &writer) }
    writer.endBlocks()
  }

  /// Reads the items of one block.
  ///
  /// - Complexity: O(bytes read); reserves memory for at most as many items as there are bytes.
  @inlinable
  @inline(__always)
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    if Self.hasBytes, let bytes = try reader.byteArray() as? [Element] {
      self = bytes
    } else {
      self = reader.skipIfEmpty() ? [] : try Self.items(in: &reader)
    }
  }

  /// Reads one block with items.
  @inlinable
  @inline(never)
  static func items(in reader: inout AvroReader) throws(AvroError) -> [Element] {
    let count = try reader.beginBlocks()
    if count == 0 { return [] }
    try reader.enter()
    let items =
      count > 4 ? try largeArray(count, in: &reader) : try smallArray(count, in: &reader)
    reader.leave()
    try reader.endBlocks()
    return items
  }

  /// Reads one to four items.
  ///
  /// A literal allocates its memory without the checks of a growing array, and most recorded lists
  /// are short.
  @inlinable
  @inline(__always)
  static func smallArray(
    _ count: Int, in reader: inout AvroReader
  ) throws(AvroError) -> [Element] {
    let first = try item(in: &reader)
    if count == 1 { return [first] }
    let second = try item(in: &reader)
    if count == 2 { return [first, second] }
    let third = try item(in: &reader)
    if count == 3 { return [first, second, third] }
    return [first, second, third, try item(in: &reader)]
  }

  /// Reads any number of items.
  @inlinable
  @inline(never)
  static func largeArray(
    _ count: Int, in reader: inout AvroReader
  ) throws(AvroError) -> [Element] {
    // Reserves memory for at most as many items as there are bytes.
    var items: [Element] = []
    while items.count < count {
      let part = Swift.min(count - items.count, Swift.max(1, reader.remaining), 1024)
      try items.append(addingCapacity: part) { output throws(AvroError) in
        for _ in 0..<part { output.append(try item(in: &reader)) }
      }
    }
    return items
  }

  /// Reads an item of an array; a function of its own, because lists call it in five places.
  @inlinable
  @inline(never)
  static func item(in reader: inout AvroReader) throws(AvroError) -> Element {
    let start = reader.offset
    let item = try Element(decoding: &reader)
    if reader.offset == start { try reader.countEmptyItem() }
    return item
  }

  /// Skips the items of one block.
  ///
  /// - Complexity: O(bytes skipped).
  public static func skip(in reader: inout AvroReader) throws(AvroError) {
    if hasBytes { return try reader.skip(try reader.length()) }
    let count = try reader.beginBlocks()
    if count == 0 { return }
    try reader.enter()
    for _ in 0..<count {
      let start = reader.offset
      try Element.skip(in: &reader)
      if reader.offset == start { try reader.countEmptyItem() }
    }
    reader.leave()
    try reader.endBlocks()
  }
}

extension Optional: Recordable where Wrapped: Recordable {
  /// The name of this type as the argument of a generic type.
  public static var recordedName: String { "Optional__\(Wrapped.recordedName)" }
  /// The former names of this type as the argument of a generic type.
  public static var recordedAliases: [String] {
    Wrapped.recordedAliases.map { "Optional__\($0)" }
  }
  /// Returns a union of `null` and the type.
  ///
  /// An optional in an optional is wrapped in a record, because a union cannot directly contain a
  /// union.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    let wrapped = composer.schema(of: Wrapped.self)
    guard case .union = wrapped else { return .union([.null, wrapped]) }
    let name = "\(Wrapped.recordedName)_present"
    let present = composer.named(name, for: Wrapped.self) { _ in
      .record(
        name: name, aliases: Wrapped.recordedAliases.map { "\($0)_present" },
        fields: [Schema.Field("value", wrapped)])
    }
    return .union([.null, present])
  }
  /// Writes the branch, then the value if there is one.
  @inlinable
  public func encode(into writer: inout AvroWriter) {
    switch self {
    case nil:
      writer.branch(0)
    case let value?:
      writer.branch(1)
      value.encode(into: &writer)
    }
  }
  /// Reads the branch, then the value if there is one.
  @inlinable
  @inline(__always)
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self = try reader.branch(count: 2) == 0 ? nil : try Wrapped(decoding: &reader)
  }
  /// Skips the branch and the value if there is one.
  @inlinable
  public static func skip(in reader: inout AvroReader) throws(AvroError) {
    if try reader.branch(count: 2) != 0 { try Wrapped.skip(in: &reader) }
  }
}
