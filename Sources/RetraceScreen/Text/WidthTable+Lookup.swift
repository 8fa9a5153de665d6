extension WidthTable {
  /// What the table says of a scalar.
  struct Entry {
    /// The four bits of the scalar.
    let bits: UInt8

    /// Whether the scalar is shown as an escape, whose cells are more than ``cells``.
    var isEscaped: Bool { bits & 3 == 3 }

    /// The cells of a scalar that is not escaped.
    var cells: Int { Int(bits & 3) }

    /// Whether a variation selector makes the scalar two cells wide.
    var widens: Bool { bits & 4 != 0 }

    /// Whether the scalar is a character of its own between others of this kind, on whose cells all
    /// terminals agree.
    var isSimple: Bool { bits & 8 == 0 }
  }

  /// Returns what the table says of a scalar.
  ///
  /// - Complexity: O(1).
  @inline(__always) static func entry(of scalar: UInt32) -> Entry {
    let block = Int(index[Int(scalar >> 8)])
    let word = blocks[block << 4 | Int(scalar >> 4 & 15)]
    return Entry(bits: UInt8(truncatingIfNeeded: word >> UInt64(scalar << 2 & 63)) & 15)
  }
}
