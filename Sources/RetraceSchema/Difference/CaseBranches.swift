public import RetraceAvro

extension SchemaCodec {
  /// A number that tells the cases an action is made of from those of every other one of the
  /// schema: that of the branches on the way to the innermost case.
  ///
  /// ``caseName(of:)`` has one answer for all payloads of one number. Payloads are told apart by
  /// this without being decoded.
  ///
  /// - Parameter payload: The bytes of an action.
  /// - Returns: The number; `nil` for a value that is no Swift enum, and for one nested so deeply,
  ///   or of so many cases, that 64 bits do not tell it apart.
  /// - Complexity: O(nesting of the cases, and bytes of what stands before a nested enum).
  /// - Throws: ``AvroError`` when the bytes on the way are no value of the schema.
  public func caseBranches(in payload: Span<UInt8>) throws(AvroError) -> UInt64? {
    var reader = AvroReader(payload)
    var number: UInt64 = 0
    var next: Schema? = resolved(schema)
    var depth = 0
    while let schema = next, depth < AvroLimits.depth {
      next = nil
      depth += 1
      switch schema {
      case .enumeration(_, _, let symbols, _):
        // A symbol is a name only where nothing was around it.
        guard depth == 1 else { break }
        let symbol = try reader.anyBranch(count: symbols.count)
        guard Self.append(symbol, to: &number) else { return nil }
      case .record(_, _, let fields):
        guard fields.count == 1, fields[0].name == "case",
          case .union(let branches) = fields[0].type
        else { break }
        let branch = try reader.anyBranch(count: branches.count)
        guard Self.append(branch, to: &number) else { return nil }
        guard case .record(_, _, let payloads) = resolved(branches[branch]),
          let last = payloads.last
        else { break }
        let inner = resolved(last.type)
        guard case .record(_, _, let parts) = inner, parts.count == 1, parts[0].name == "case"
        else { break }
        for field in payloads.dropLast() { _ = try decode(field.type, &reader) }
        next = inner
      default: break
      }
    }
    return number == 0 ? nil : number
  }

  /// How many bits of a number one branch takes; the digits of all levels are as wide, since what
  /// is nested in one branch has other branches than what is nested in another.
  private static var bitsPerBranch: UInt64 { 12 }

  /// Adds a digit that is never 0, so that what is nested differs from what is not.
  private static func append(_ branch: Int, to number: inout UInt64) -> Bool {
    let digit = UInt64(branch) + 1
    guard digit >> bitsPerBranch == 0, number.leadingZeroBitCount >= bitsPerBranch else {
      return false
    }
    number = number << bitsPerBranch | digit
    return true
  }
}
