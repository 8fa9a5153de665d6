import Retrace

/// Writes payloads as JSON inside a text, and collects what the columns beside it need.
///
/// The buffers are Avro's, which stage short pieces.
struct PayloadWriter: ~Copyable {
  private let format: FlatFormat
  private let quote: [UInt8]
  private let null = Array("null".utf8)
  private let booleans = ["false", "true"].map { Array($0.utf8) }
  /// The JSON.
  var text = AvroWriter(capacity: 4_096)
  /// The names of the cases of an action or a command, with dots between them; may be empty.
  var action = AvroWriter()
  /// The name of the entity whose id comes first in the payload; empty without an id.
  var entity = AvroWriter()
  /// The id of that entity.
  private(set) var id: Int64?
  /// The ids that count as the entity of the payload.
  private var ids = IDs.all
  /// The number of records around the value that are no cases.
  private var recordDepth = 0

  /// Some of the ids in a value.
  enum IDs {
    case all
    /// Those that are values of cases, or in lists there, and not in records.
    case ofCases
    case none
  }

  init(_ format: FlatFormat) {
    self.format = format
    quote = format.quote
  }

  /// Removes everything, before the next payload.
  mutating func removeAll() {
    text.removeAll()
    action.removeAll()
    entity.removeAll()
    id = nil
  }

  /// Writes a value, and the names of its cases.
  ///
  /// - Complexity: O(`bytes.count`).
  /// - Throws: `AvroError` if the bytes are not exactly one value of the program's schema; what was
  ///   written is incomplete then.
  mutating func write(
    _ bytes: Span<UInt8>, by program: PayloadProgram, hasCases: Bool
  ) throws(AvroError) {
    var reader = AvroReader(bytes)
    let root = program.nodes[program.root]
    if hasCases, root.kind == .symbols {
      let child = try Self.symbol(of: root, in: program, &reader)
      Self.put(child.name, of: program, to: &action)
      Self.put(child.piece, of: program, to: &text)
    } else {
      try write(program.root, of: program, &reader, isOnPath: hasCases)
    }
    try reader.finish()
  }

  /// Writes a value within a payload, or its bytes in hexadecimal if they cannot be decoded.
  ///
  /// - Parameters:
  ///   - bytes: The value.
  ///   - program: The program of its schema; `nil` if that is unknown.
  ///   - hasCases: Whether to write the names of its cases.
  ///   - ids: The ids that count as the entity of the payload.
  mutating func write(
    embedded bytes: Span<UInt8>, by program: PayloadProgram?, hasCases: Bool, ids: IDs = .all
  ) {
    let start = (text: text.count, action: action.count, entity: entity.count, id: id)
    (self.ids, recordDepth) = (ids, 0)
    defer { (self.ids, recordDepth) = (.all, 0) }
    if let program {
      do throws(AvroError) {
        return try write(bytes, by: program, hasCases: hasCases)
      } catch {
        text.truncate(to: start.text)
        action.truncate(to: start.action)
        entity.truncate(to: start.entity)
        id = start.id
      }
    }
    put(json: "{\"undecoded\":")
    put(hexadecimal: bytes)
    put(json: "}")
  }

  /// Writes JSON.
  mutating func put(json: String) { text.raw(format.escaped(json: json)) }

  /// Writes a number.
  mutating func put(_ number: Int64) { text.decimal(number) }

  @_lifetime(reader: copy reader)
  private mutating func write(
    _ index: Int, of program: PayloadProgram, _ reader: inout AvroReader, isOnPath: Bool = false
  ) throws(AvroError) {
    let node = program.nodes[index]
    switch node.kind {
    case .null: text.raw(null)
    case .boolean: text.raw(booleans[try reader.boolean() ? 1 : 0])
    case .int:
      let start = reader.offset
      let value = try reader.lenientLong()
      guard Int32(exactly: value) != nil else { throw AvroError(.outOfRange, at: start, "int") }
      text.decimal(value)
    case .long: text.decimal(try reader.lenientLong())
    case .float:
      // The shortest digits that identify the float, not its conversion to a double.
      let value = Float(bitPattern: try reader.littleEndian32())
      put(json: JSONValue.double(Double(value.description) ?? Double(value)).text())
    case .double:
      put(json: JSONValue.double(Double(bitPattern: try reader.littleEndian64())).text())
    case .bytes:
      let count = try reader.lenientLength()
      put(hexadecimal: try reader.raw(count))
    case .fixed: put(hexadecimal: try reader.raw(node.count))
    case .string: try writeString(&reader)
    case .symbols:
      let child = try Self.symbol(of: node, in: program, &reader)
      Self.put(child.piece, of: program, to: &text)
    case .id:
      let value = try reader.lenientLong()
      if id == nil, ids == .all || ids == .ofCases && recordDepth == 0 {
        id = value
        Self.put(program.children[node.first].name, of: program, to: &entity)
      }
      text.decimal(value)
    case .array, .map, .optional, .union, .cases, .record:
      try reader.enter()
      try writeNested(node, of: program, &reader, isOnPath: isOnPath)
      reader.leave()
    }
  }

  @_lifetime(reader: copy reader)
  private mutating func writeNested(
    _ node: PayloadProgram.Node, of program: PayloadProgram, _ reader: inout AvroReader,
    isOnPath: Bool
  ) throws(AvroError) {
    switch node.kind {
    case .array: try writeItems(program.children[node.first].node, of: program, &reader)
    case .map: try writeEntries(program.children[node.first].node, of: program, &reader)
    case .optional:
      let branch = try reader.lenientBranch(count: node.count)
      try write(program.children[node.first + branch].node, of: program, &reader)
    case .union:
      let child = program.children[node.first + (try reader.lenientBranch(count: node.count))]
      Self.put(child.piece, of: program, to: &text)
      try write(child.node, of: program, &reader)
      if !child.piece.isEmpty { text.byte(UInt8(ascii: "}")) }
    case .cases:
      try writeCase(node, of: program, &reader, isOnPath: isOnPath)
    default:
      recordDepth += 1
      defer { recordDepth -= 1 }
      try writeFields(node, of: program, &reader, isOnPath: false)
    }
  }

  /// Writes a case of a Swift enum, whose union is one more level of nesting.
  @_lifetime(reader: copy reader)
  private mutating func writeCase(
    _ node: PayloadProgram.Node, of program: PayloadProgram, _ reader: inout AvroReader,
    isOnPath: Bool
  ) throws(AvroError) {
    try reader.enter()
    let child = program.children[node.first + (try reader.lenientBranch(count: node.count))]
    if isOnPath {
      if action.count > 0 { action.byte(UInt8(ascii: ".")) }
      Self.put(child.name, of: program, to: &action)
    }
    Self.put(child.piece, of: program, to: &text)
    let payloads = program.nodes[child.node]
    switch payloads.kind {
    case .record:
      try reader.enter()
      try writeFields(payloads, of: program, &reader, isOnPath: isOnPath)
      reader.leave()
    case .id:
      // A case with a number, and not an entity.
      text.decimal(try reader.lenientLong())
    default: try write(child.node, of: program, &reader)
    }
    text.byte(UInt8(ascii: "}"))
    reader.leave()
  }

  /// Writes the fields of a record.
  ///
  /// - Parameter isOnPath: Whether the last field may continue the names of cases.
  @_lifetime(reader: copy reader)
  private mutating func writeFields(
    _ node: PayloadProgram.Node, of program: PayloadProgram, _ reader: inout AvroReader,
    isOnPath: Bool
  ) throws(AvroError) {
    if node.count == 0 { text.byte(UInt8(ascii: "{")) }
    for index in 0..<node.count {
      let child = program.children[node.first + index]
      Self.put(child.piece, of: program, to: &text)
      let isLast = index == node.count - 1
      try write(child.node, of: program, &reader, isOnPath: isOnPath && isLast)
    }
    text.byte(UInt8(ascii: "}"))
  }

  @_lifetime(reader: copy reader)
  private mutating func writeItems(
    _ item: Int, of program: PayloadProgram, _ reader: inout AvroReader
  ) throws(AvroError) {
    text.byte(UInt8(ascii: "["))
    var isFirst = true
    while let count = try reader.lenientBlockCount() {
      for _ in 0..<count {
        let start = reader.offset
        if !isFirst { text.byte(UInt8(ascii: ",")) }
        isFirst = false
        try write(item, of: program, &reader)
        if reader.offset == start { try reader.countEmptyItem() }
      }
    }
    text.byte(UInt8(ascii: "]"))
  }

  @_lifetime(reader: copy reader)
  private mutating func writeEntries(
    _ value: Int, of program: PayloadProgram, _ reader: inout AvroReader
  ) throws(AvroError) {
    text.byte(UInt8(ascii: "{"))
    var keys: Set<String> = []
    while let count = try reader.lenientBlockCount() {
      for _ in 0..<count {
        let start = reader.offset
        let key = try reader.lenientString()
        if !keys.isEmpty { text.byte(UInt8(ascii: ",")) }
        guard keys.insert(key).inserted else { throw AvroError(.duplicateKey, at: start) }
        put(json: JSONValue.string(key).text() + ":")
        try write(value, of: program, &reader)
      }
    }
    text.byte(UInt8(ascii: "}"))
  }

  @_lifetime(reader: copy reader)
  private mutating func writeString(_ reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    let count = try reader.lenientLength()
    let bytes = try reader.raw(count)
    var isPlain = true
    for index in bytes.indices {
      let byte = bytes[index]
      // Most texts are plain ASCII and need no escapes.
      if byte < 0x20 || byte > 0x7e || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        isPlain = false
        break
      }
    }
    guard !isPlain else {
      text.raw(quote)
      text.raw(bytes)
      text.raw(quote)
      return
    }
    let string: String
    do {
      string = String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw AvroError(.notUTF8, at: start)
    }
    put(json: JSONValue.string(string).text())
  }

  @_lifetime(reader: copy reader)
  private static func symbol(
    of node: PayloadProgram.Node, in program: PayloadProgram, _ reader: inout AvroReader
  ) throws(AvroError) -> PayloadProgram.Child {
    program.children[node.first + (try reader.lenientBranch(count: node.count))]
  }

  private mutating func put(hexadecimal bytes: Span<UInt8>) {
    text.raw(quote)
    for index in bytes.indices {
      text.byte(Self.digit(bytes[index] >> 4))
      text.byte(Self.digit(bytes[index] & 15))
    }
    text.raw(quote)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func put(
    _ piece: Range<Int>, of program: PayloadProgram, to writer: inout AvroWriter
  ) {
    writer.raw(program.texts.span.extracting(piece))
  }
}

extension AvroWriter {
  /// Writes a number in decimal digits.
  mutating func decimal(_ value: Int64) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = digits.count
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    for index in first..<digits.count { byte(digits[index]) }
  }
}
