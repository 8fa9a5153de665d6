import Counter
import Retrace

/// Returns an action that was encoded and decoded again.
func roundTrip(_ action: CounterAction) throws(AvroError) -> CounterAction {
  let bytes = action.encoded()
  return try CounterAction(encoded: bytes.span)
}

/// A colour, for a conformance that is written by hand instead of generated.
struct Color {
  var red: UInt8
  var green: UInt8
  var blue: UInt8
}

extension Color: Recordable {
  static var recordedName: String { "Color" }

  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let black: Schema.Default = composer.defaultValue(0 as UInt8)
      let byte = composer.schema(of: UInt8.self)
      return .record(
        name: recordedName,
        fields: ["red", "green", "blue"].map { Schema.Field($0, byte, default: black) })
    }
  }

  func encode(into writer: inout AvroWriter) {
    red.encode(into: &writer)
    green.encode(into: &writer)
    blue.encode(into: &writer)
  }

  init(decoding reader: inout AvroReader) throws(AvroError) {
    red = try reader.read()
    green = try reader.read()
    blue = try reader.read()
  }
}

/// Returns the canonical encodings of colours, one after the other.
func bytes(of colors: [Color]) -> [UInt8] {
  var writer = AvroWriter()
  for color in colors { color.encode(into: &writer) }
  return writer.bytes
}

/// Reads colours that are written one after the other.
func colors(in bytes: [UInt8]) throws(AvroError) -> [Color] {
  var reader = AvroReader(bytes.span)
  var colors: [Color] = []
  while !reader.isAtEnd { colors.append(try reader.read()) }
  return colors
}

/// Returns whether bytes end early, so that more of them may make a value.
func isIncomplete(_ error: AvroError) -> Bool {
  let kind: AvroError.Kind = error.kind
  return kind == .truncated
}

/// Throws if values are nested deeper than any reader accepts.
func checkDepth(_ depth: Int) throws(AvroError) {
  guard depth <= AvroLimits.depth else {
    throw AvroError(.tooLarge, at: 0, "\(depth) levels")
  }
}

/// Reads a record of which only the schema is known, and returns the names of its fields.
func fieldNames(of bytes: [UInt8], schema json: String) throws(AvroError) -> [String] {
  let codec = try SchemaCodec(Schema(parsing: json))
  let value: AvroValue = try codec.decode(bytes.span)
  guard case .record(_, let entries) = value else { return [] }
  return entries.map { (entry: AvroValue.Entry) in entry.name }
}

/// Adds a member to a JSON object; returns `nil` if the text is another JSON value.
func adding(_ member: JSONValue.Member, to text: String) throws(JSONError) -> String? {
  guard case .object(let members) = try JSONValue(parsing: text) else { return nil }
  return JSONValue.object(members + [member]).text()
}

/// Returns the digest of several pieces of bytes, with the hash functions of the caller.
func digest<H: ByteHasher>(of pieces: [[UInt8]], with hasher: H.Type) -> Digest {
  var hash = H()
  for piece in pieces { hash.update(piece.span) }
  return hash.digest()
}
