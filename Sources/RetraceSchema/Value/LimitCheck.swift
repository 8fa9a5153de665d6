package import RetraceAvro

/// A check that an encoded value is within `AvroLimits`, made before the value is recorded.
///
/// For most types without recursion the schema shows that no value exceeds a limit. For other types
/// a short encoding cannot exceed a limit. So nearly every action costs one comparison with
/// ``minViolationByteCount``.
package struct LimitCheck: Sendable {
  private let codec: SchemaCodec
  /// The number of bytes below which every encoding is within the limits; `Int.max` if all
  /// encodings are.
  package let minViolationByteCount: Int

  /// Analyzes a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - text: The schema as it is recorded.
  /// - Complexity: O(bytes of the text).
  /// - Throws: `AvroError` of the kind `schema` if a name is not defined or defined twice,
  ///   `tooLarge` if the text is too deep to be parsed again; see `AvroLimits/schemaDepth`.
  package init(_ schema: Schema, text: String) throws(AvroError) {
    guard Self.depth(ofJSON: text) <= AvroLimits.schemaDepth else {
      throw AvroError(.tooLarge, at: 0, "the types are nested too deeply")
    }
    codec = try SchemaCodec(schema)
    var survey = LimitAnalysis(codec)
    minViolationByteCount = survey.minViolationByteCount(of: schema)
  }

  /// Returns the depth of nested arrays and objects in the text of a JSON value.
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

  /// Throws if an encoding cannot be read back.
  ///
  /// - Parameter bytes: The encoding of a value of the schema.
  /// - Complexity: O(1) below ``minViolationByteCount``, else O(bytes).
  /// - Throws: `AvroError` of the kind `tooLarge`.
  package func check(_ bytes: Span<UInt8>) throws(AvroError) {
    if bytes.count >= minViolationByteCount { try codec.check(bytes) }
  }
}

/// An analysis of the depth of a schema's values.
private struct LimitAnalysis {
  private let codec: SchemaCodec
  /// The levels of each type visited; `nil` while the type is being visited.
  private var depths: [String: Int?] = [:]
  private var chains: [String: Int?] = [:]
  private var hasEmptyItems = false

  init(_ codec: SchemaCodec) { self.codec = codec }

  mutating func minViolationByteCount(of schema: Schema) -> Int {
    let depth = depth(schema)
    // An array with too many zero-byte items takes three bytes for the count and one for the end.
    if hasEmptyItems { return 4 }
    if depth <= AvroLimits.depth { return Int.max }
    // Each level except records takes a byte. Between two such levels there are at most as many
    // records as in the longest chain of records.
    var chain = 0
    for (_, type) in codec.definitions { chain = max(chain, recordChainLength(type)) }
    return max(0, AvroLimits.depth - chain) / (chain + 1)
  }

  /// Returns the maximum number of levels of a value, or a number above the limit.
  private mutating func depth(_ schema: Schema) -> Int {
    switch schema {
    case .array(let items):
      if takesZeroBytes(items, within: []) { hasEmptyItems = true }
      return saturatingSum(depth(items), 1)
    case .map(let values): return saturatingSum(depth(values), 1)
    case .union(let branches):
      var deepest = 0
      for branch in branches { deepest = max(deepest, depth(branch)) }
      return saturatingSum(deepest, 1)
    case .record(let name, _, let fields):
      depths.updateValue(Int?.none, forKey: name)
      var deepest = 0
      for field in fields { deepest = max(deepest, depth(field.type)) }
      depths[name] = saturatingSum(deepest, 1)
      return saturatingSum(deepest, 1)
    case .reference(let name):
      guard let known = depths[name] else { return 0 }
      return known ?? .max
    case .logical(_, let base), .ruled(_, let base): return depth(base)
    default: return 0
    }
  }

  /// Returns the length of the longest chain of directly nested records, capped at the limit.
  private mutating func recordChainLength(_ schema: Schema) -> Int {
    guard case .record(let name, _, let fields) = codec.definition(of: schema) else { return 0 }
    if let known = chains[name] { return known ?? AvroLimits.depth }
    chains.updateValue(Int?.none, forKey: name)
    var longest = 0
    for field in fields { longest = max(longest, recordChainLength(field.type)) }
    let chain = min(AvroLimits.depth, longest + 1)
    chains[name] = chain
    return chain
  }

  private func takesZeroBytes(_ schema: Schema, within outer: Set<String>) -> Bool {
    switch codec.definition(of: schema) {
    case .null: return true
    case .fixed(_, _, let size): return size == 0
    case .record(let name, _, let fields):
      return !outer.contains(name)
        && fields.allSatisfy { takesZeroBytes($0.type, within: outer.union([name])) }
    default: return false
    }
  }

  private func saturatingSum(_ depth: Int, _ more: Int) -> Int {
    depth > AvroLimits.depth ? depth : depth + more
  }
}
