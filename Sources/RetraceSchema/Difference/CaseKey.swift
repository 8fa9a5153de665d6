public import RetraceAvro

extension SchemaCodec {
  /// Returns a number that identifies the cases of an action, from the outermost to the innermost.
  ///
  /// The number has 12 bits for each case: the index of its union branch, plus 1. All payloads with
  /// the same number have the same ``caseName(of:)``, so they can be grouped without being decoded.
  ///
  /// - Parameter payload: The bytes of an action.
  /// - Returns: The number; `nil` for a value that is not a Swift enum, and for one whose branches,
  ///   at 12 bits each, do not fit into 64 bits.
  /// - Complexity: O(nesting of the cases, and bytes of the values before a nested enum).
  /// - Throws: `AvroError` if the bytes read are not a part of a value of the schema.
  public func caseKey(in payload: Span<UInt8>) throws(AvroError) -> UInt64? {
    var reader = AvroReader(payload)
    var number: UInt64 = 0
    var next: Schema? = definition(of: schema)
    var depth = 0
    while let schema = next, depth < AvroLimits.depth {
      next = nil
      depth += 1
      switch schema {
      case .enumeration(_, _, let symbols, _):
        // A symbol counts as a case name only at the outermost level.
        guard depth == 1 else { break }
        let symbol = try reader.lenientBranch(count: symbols.count)
        guard Self.append(symbol, to: &number) else { return nil }
      case .record(_, _, let fields):
        guard fields.count == 1, fields[0].name == "case",
          case .union(let branches) = fields[0].type
        else { break }
        let branch = try reader.lenientBranch(count: branches.count)
        guard Self.append(branch, to: &number) else { return nil }
        guard case .record(_, _, let payloads) = definition(of: branches[branch]),
          let last = payloads.last
        else { break }
        let inner = definition(of: last.type)
        guard case .record(_, _, let parts) = inner, parts.count == 1, parts[0].name == "case"
        else { break }
        for field in payloads.dropLast() { _ = try decode(field.type, &reader) }
        next = inner
      default: break
      }
    }
    return number == 0 ? nil : number
  }

  /// The number of bits for one branch.
  ///
  /// It is the same at all levels, because enums nested in different cases have different numbers
  /// of branches.
  private static var bitsPerBranch: UInt64 { 12 }

  /// Appends the digit of a branch; returns `false` if the digit does not fit.
  ///
  /// No digit is 0, so that the number also tells the level of nesting.
  private static func append(_ branch: Int, to number: inout UInt64) -> Bool {
    let digit = UInt64(branch) + 1
    guard digit >> bitsPerBranch == 0, number.leadingZeroBitCount >= bitsPerBranch else {
      return false
    }
    number = number << bitsPerBranch | digit
    return true
  }
}
