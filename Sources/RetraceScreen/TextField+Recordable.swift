public import RetraceAvro

extension TextField: Recordable {
  /// The name of the record.
  public static var recordedName: String { "TextField" }

  /// Returns a record of a string, `text`, and a long, `cursor`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { _ in
      .record(
        name: recordedName,
        fields: [Schema.Field("text", .string), Schema.Field("cursor", .long)])
    }
  }

  /// Writes the text and the cursor.
  public func encode(into writer: inout AvroWriter) {
    writer.string(text)
    writer.long(Int64(cursor))
  }

  /// Reads the text and the cursor; throws if the cursor is outside the text.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let text = try reader.string()
    let offset = reader.offset
    let cursor = Int(clamping: try reader.long())
    self.init(text, cursor: cursor)
    if self.cursor != cursor { throw AvroError(.outOfRange, at: offset, "cursor") }
  }
}

extension TextEdit: Recordable {
  /// The name of the record.
  public static var recordedName: String { "TextEdit" }

  /// Returns a record with one field, `case`: a union of a record for each case.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let text = [Schema.Field("text", .string)]
      let count = [Schema.Field("count", .long)]
      let cases: [(String, [Schema.Field])] = [
        ("insert", text), ("deleteBackward", count), ("deleteForward", count), ("moveLeft", []),
        ("moveRight", []), ("moveToStart", []), ("moveToEnd", []),
      ]
      var branches: [Schema] = []
      for (name, fields) in cases {
        branches.append(composer.caseRecord("\(recordedName)_\(name)", fields))
      }
      return .record(name: recordedName, fields: [Schema.Field("case", .union(branches))])
    }
  }

  /// Writes the index of the case and its payload.
  public func encode(into writer: inout AvroWriter) {
    switch self {
    case .insert(let text):
      writer.branch(0)
      writer.string(text)
    case .deleteBackward(let count):
      writer.branch(1)
      writer.long(count)
    case .deleteForward(let count):
      writer.branch(2)
      writer.long(count)
    case .moveLeft: writer.branch(3)
    case .moveRight: writer.branch(4)
    case .moveToStart: writer.branch(5)
    case .moveToEnd: writer.branch(6)
    }
  }

  /// Reads the index of the case and its payload.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    switch try reader.branch(count: 7) {
    case 0: self = .insert(try reader.string())
    case 1: self = .deleteBackward(try reader.long())
    case 2: self = .deleteForward(try reader.long())
    case 3: self = .moveLeft
    case 4: self = .moveRight
    case 5: self = .moveToStart
    default: self = .moveToEnd
    }
  }
}
