package import RetraceAvro

/// Refuses the encodings of a schema's values that are beyond ``AvroLimits``, before they are
/// recorded.
///
/// A type without recursion has no such value as a rule, which the schema tells. Of others, short
/// encodings are within the limits as well. So nearly every action costs one comparison with
/// ``fewestBytes``.
package struct LimitCheck: Sendable {
  private let codec: SchemaCodec
  /// The fewest bytes that a value beyond a limit takes; `Int.max` if the schema has no such value.
  package let fewestBytes: Int

  /// Looks through a schema once.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - text: The schema as it is recorded.
  /// - Complexity: O(bytes of the text).
  /// - Throws: ``AvroError`` of the kind `schema` when a name is not defined or is defined twice,
  ///   `tooLarge` when the text could not be parsed again; see ``AvroLimits/schemaDepth``.
  package init(_ schema: Schema, text: String) throws(AvroError) {
    guard Self.depth(ofJSON: text) <= AvroLimits.schemaDepth else {
      throw AvroError(.tooLarge, at: 0, "types that are nested too deeply")
    }
    codec = try SchemaCodec(schema)
    var survey = LimitSurvey(codec)
    fewestBytes = survey.fewestBytes(of: schema)
  }

  /// How deeply arrays and objects are nested in the text of a JSON value.
  private static func depth(ofJSON text: String) -> Int {
    var depth = 0
    var deepest = 0
    var isString = false
    var isEscaped = false
    for byte in text.utf8 {
      if isString {
        if !isEscaped && byte == UInt8(ascii: "\"") { isString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
      }
    }
    return deepest
  }

  /// Refuses an encoding that cannot be read back.
  ///
  /// - Parameter bytes: The encoding of a value of the schema.
  /// - Complexity: O(1) below ``fewestBytes``, else O(bytes).
  /// - Throws: ``AvroError`` of the kind `tooLarge`.
  package func check(_ bytes: Span<UInt8>) throws(AvroError) {
    if bytes.count >= fewestBytes { try codec.check(bytes) }
  }
}

/// What a schema says about the nesting of its values.
private struct LimitSurvey {
  private let codec: SchemaCodec
  /// The levels of each type that was looked through; `nil` while it is.
  private var depths: [String: Int?] = [:]
  private var chains: [String: Int?] = [:]
  private var hasEmptyItems = false

  init(_ codec: SchemaCodec) { self.codec = codec }

  mutating func fewestBytes(of schema: Schema) -> Int {
    let depth = depth(schema)
    // A count of so many items takes three bytes, and the end of the array one.
    if hasEmptyItems { return 4 }
    if depth <= AvroLimits.depth { return Int.max }
    // Each level but those of records takes a byte, and no more records than in the longest chain
    // of them lie between two such levels.
    var chain = 0
    for (_, type) in codec.definitions { chain = max(chain, records(type)) }
    return max(0, AvroLimits.depth - chain) / (chain + 1)
  }

  /// The most levels that a value of the type can have, or a number above the limit.
  private mutating func depth(_ schema: Schema) -> Int {
    switch schema {
    case .array(let items):
      if isEmpty(items, []) { hasEmptyItems = true }
      return sum(depth(items), 1)
    case .map(let values): return sum(depth(values), 1)
    case .union(let branches):
      var deepest = 0
      for branch in branches { deepest = max(deepest, depth(branch)) }
      return sum(deepest, 1)
    case .record(let name, _, let fields):
      depths.updateValue(Int?.none, forKey: name)
      var deepest = 0
      for field in fields { deepest = max(deepest, depth(field.type)) }
      depths[name] = sum(deepest, 1)
      return sum(deepest, 1)
    case .reference(let name):
      guard let known = depths[name] else { return 0 }
      return known ?? .max
    case .logical(_, let base), .narrowed(_, let base): return depth(base)
    default: return 0
    }
  }

  /// The longest chain of records directly in records; above the limit where it has no end.
  private mutating func records(_ schema: Schema) -> Int {
    guard case .record(let name, _, let fields) = codec.resolved(schema) else { return 0 }
    if let known = chains[name] { return known ?? AvroLimits.depth }
    chains.updateValue(Int?.none, forKey: name)
    var longest = 0
    for field in fields { longest = max(longest, records(field.type)) }
    let chain = min(AvroLimits.depth, longest + 1)
    chains[name] = chain
    return chain
  }

  /// Whether each value of the type takes no byte.
  private func isEmpty(_ schema: Schema, _ outer: Set<String>) -> Bool {
    switch codec.resolved(schema) {
    case .null: return true
    case .fixed(_, _, let size): return size == 0
    case .record(let name, _, let fields):
      return !outer.contains(name)
        && fields.allSatisfy { isEmpty($0.type, outer.union([name])) }
    default: return false
    }
  }

  private func sum(_ depth: Int, _ more: Int) -> Int {
    depth > AvroLimits.depth ? depth : depth + more
  }
}
