extension Recordable {
  /// Returns the schema of an array of this type: an `array`.
  public static func arraySchema(in composer: inout SchemaComposer) -> Schema {
    .array(composer.schema(of: Self.self))
  }

  /// Writes an `array`.
  ///
  /// - Complexity: O(bytes written).
  @inlinable
  public static func encode(array: [Self], into writer: inout AvroWriter) {
    writer.beginBlocks(count: array.count)
    let items = array.span
    for index in items.indices { items[index].encode(into: &writer) }
    writer.endBlocks()
  }

  /// Reads an `array`.
  ///
  /// - Complexity: O(bytes read); reserves memory for at most as many items as there are bytes.
  @inlinable
  public static func decodeArray(from reader: inout AvroReader) throws(AvroError) -> [Self] {
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
  ) throws(AvroError) -> [Self] {
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
  ) throws(AvroError) -> [Self] {
    // Reserves memory for at most as many items as there are bytes.
    var items: [Self] = []
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
  static func item(in reader: inout AvroReader) throws(AvroError) -> Self {
    let start = reader.offset
    let item = try Self(decoding: &reader)
    if reader.offset == start { try reader.countEmptyItem() }
    return item
  }

  /// Skips an `array`.
  ///
  /// - Complexity: O(bytes skipped).
  public static func skipArray(in reader: inout AvroReader) throws(AvroError) {
    let count = try reader.beginBlocks()
    if count == 0 { return }
    try reader.enter()
    for _ in 0..<count {
      let start = reader.offset
      try Self.skip(in: &reader)
      if reader.offset == start { try reader.countEmptyItem() }
    }
    reader.leave()
    try reader.endBlocks()
  }
}

extension Array: Recordable where Element: Recordable {
  /// The name of this type as the argument of a generic type.
  public static var recordedName: String { "Array__\(Element.recordedName)" }
  /// The former names of this type as the argument of a generic type.
  public static var recordedAliases: [String] { Element.recordedAliases.map { "Array__\($0)" } }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns an `array`, or `bytes` for an array of `UInt8`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    Element.arraySchema(in: &composer)
  }
  /// Writes the items in one block.
  @inlinable
  public func encode(into writer: inout AvroWriter) { Element.encode(array: self, into: &writer) }
  /// Reads the items of one block.
  @inlinable
  @inline(__always)
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self = reader.skipIfEmpty() ? [] : try Element.decodeArray(from: &reader)
  }
  /// Skips the items of one block.
  @inlinable
  public static func skip(in reader: inout AvroReader) throws(AvroError) {
    try Element.skipArray(in: &reader)
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
