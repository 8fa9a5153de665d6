import RetraceAvro
import RetraceFixtures
import RetraceState
import RetraceTesting
import TimeTracking

/// Values of recorded types with hostile texts in their fields, made from the schema of the type,
/// so that a new field has them, too.
struct HostileValues {
  var random: SeededGenerator
  /// The fields that got a text in the value that was made last: a record and a field each.
  private(set) var fields: Set<String> = []
  private let now: Moment
  /// The names of records that are not made, as deletions are not: nothing would be left to show.
  static let left: Set<String> = ["DomainCommand_importRun", "DomainCommand_restore"]

  init(_ random: SeededGenerator, at now: Moment) { (self.random, self.now) = (random, now) }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  // MARK: New values

  /// Returns a random value of a type; `nil` for one that the type does not take.
  mutating func make<Value: Recordable>(_ type: Value.Type, with codec: SchemaCodec) -> Value? {
    fields = []
    let value = value(of: codec.schema, in: codec, place: "", depth: 0)
    return Self.decoded(value, with: codec)
  }

  private mutating func value(
    of schema: Schema, in codec: SchemaCodec, place: String, depth: Int
  ) -> AvroValue {
    if case .logical = schema { return .long(moment()) }
    switch codec.definition(of: schema) {
    case .null: return .null
    case .boolean: return .boolean(chance(3))
    case .int: return .int(Int32.random(in: 0...6, using: &random))
    case .long: return .long(Int64.random(in: 0...3, using: &random))
    case .string: return .string(text(in: place))
    case .enumeration(_, _, let symbols, _):
      let index = Int.random(in: 0..<symbols.count, using: &random)
      return .enumeration(index: index, symbol: symbols[index])
    case .array(let items):
      let count = depth > 8 || chance(2) ? 0 : 1
      return .array(
        (0..<count).map { _ in value(of: items, in: codec, place: place, depth: depth + 1) })
    case .union(let branches):
      let made = branches.indices.filter { !Self.isLeft(branches[$0], codec) }
      var branch = made.randomElement(using: &random) ?? 0
      if let null = branches.firstIndex(of: .null), chance(2) { branch = null }
      return .union(
        branch: branch, value(of: branches[branch], in: codec, place: place, depth: depth + 1))
    case .record("Name", _, _): return Self.value(of: Name(text(in: place)))
    case .record("RecordedZone", _, _):
      return .record(
        name: "RecordedZone",
        fields: [.init("id", .string("UTC")), .init("offsetSeconds", .int(0))])
    case .record("ElapsedTime", _, let parts):
      let seconds = Int64.random(in: 1...30_000, using: &random)
      return .record(
        name: "ElapsedTime", fields: parts.map { .init($0.name, .long(seconds * 1_000_000)) })
    case .record(let name, _, let parts):
      return .record(
        name: name,
        fields: parts.map { part in
          // A deleted entity is not shown, and an import has no place on a screen.
          let isLeft = ["deleted", "mergedInto", "externalIDs"].contains(part.name)
          let place =
            part.name == "case" || part.name.hasPrefix("_") ? place : "\(name).\(part.name)"
          return AvroValue.Entry(
            part.name,
            isLeft
              ? Self.empty(part.type, codec)
              : value(of: part.type, in: codec, place: place, depth: depth + 1))
        })
    default: return .null
    }
  }

  private static func isLeft(_ schema: Schema, _ codec: SchemaCodec) -> Bool {
    if case .record(let name, _, _) = codec.definition(of: schema) {
      left.contains(name) || name.hasSuffix("Changes_delete")
    } else {
      false
    }
  }

  private static func empty(_ schema: Schema, _ codec: SchemaCodec) -> AvroValue {
    switch codec.definition(of: schema) {
    case .array: .array([])
    case .union(let branches): .union(branch: branches.firstIndex(of: .null) ?? 0, .null)
    default: .null
    }
  }

  private mutating func moment() -> Int64 {
    let seconds = Int64.random(in: -60_000...0, using: &random)
    return now.adding(.seconds(seconds)).microseconds
  }

  private mutating func text(in place: String) -> String {
    if place.hasSuffix(".currency") { return "EUR" }
    fields.insert(place)
    // Most limits are of some kilobytes.
    if chance(12) { return HostileText.long(&random, bytesMax: chance(2) ? 60_000 : 400) }
    return HostileText.text(&random)
  }

  // MARK: Texts of a value

  /// Returns a value with hostile texts in place of most of its texts; `nil` if the type does not
  /// take one of them.
  mutating func replacingTexts<Value: Recordable>(
    in value: Value, with codec: SchemaCodec
  ) -> Value? {
    fields = []
    guard let known = try? codec.decode(value.encoded().span) else { return nil }
    return Self.decoded(replacingTexts(in: known, place: ""), with: codec)
  }

  private static func decoded<Value: Recordable>(
    _ value: AvroValue, with codec: SchemaCodec
  ) -> Value? {
    var writer = AvroWriter()
    do {
      try codec.encode(value, into: &writer)
      return try Value(encoded: writer.bytes.span)
    } catch {
      return nil
    }
  }

  private mutating func replacingTexts(in value: AvroValue, place: String) -> AvroValue {
    switch value {
    case .string(let text):
      if chance(4) { return .string(text) }
      fields.insert(place)
      return .string(chance(8) ? HostileText.long(&random) : HostileText.text(&random))
    case .array(let items):
      return .array(items.map { replacingTexts(in: $0, place: place) })
    case .union(let branch, let inner):
      return .union(branch: branch, replacingTexts(in: inner, place: place))
    case .record("Name", _):
      fields.insert(place)
      return Self.value(of: Name(HostileText.text(&random)))
    case .record("RecordedZone", _): return value
    case .record(let name, let parts):
      // The text of a draft is that of the field that has the draft.
      return .record(
        name: name,
        fields: parts.map { part in
          let isOwn = name == "TextDraft" || part.name == "case" || part.name.hasPrefix("_")
          let inner = isOwn ? place : "\(name).\(part.name)"
          return AvroValue.Entry(part.name, replacingTexts(in: part.value, place: inner))
        })
    default: return value
    }
  }

  private static func value(of name: Name) -> AvroValue {
    .record(
      name: "Name", fields: [.init("text", .string(name.text)), .init("key", .string(name.key))])
  }

  // MARK: Fields

  /// The fields of the records of a schema that have texts.
  static func textFields(of codec: SchemaCodec) -> Set<String> {
    var (found, visited): (Set<String>, Set<String>) = ([], [])
    func visit(_ schema: Schema, _ place: String) {
      if isLeft(schema, codec) { return }
      switch codec.definition(of: schema) {
      case .string: found.insert(place)
      case .array(let items): visit(items, place)
      case .union(let branches): for branch in branches { visit(branch, place) }
      case .record("Name", _, _), .record("TextDraft", _, _): found.insert(place)
      case .record("RecordedZone", _, _): break
      case .record(let name, _, let parts):
        for part in parts where part.name == "case" || part.name.hasPrefix("_") {
          // What a case or a reference has is its owner's.
          if visited.insert("\(place) \(name).\(part.name)").inserted { visit(part.type, place) }
        }
        guard visited.insert(name).inserted else { return }
        for part in parts where part.name != "case" && !part.name.hasPrefix("_") {
          visit(part.type, "\(name).\(part.name)")
        }
      default: break
      }
    }
    visit(codec.schema, "")
    return found
  }
}
