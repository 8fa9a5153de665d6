/// The settings of a file in TOML 1.0, in the order of the file.
///
/// Tables are not values of their own: each setting has its whole path. What a file of settings
/// does not need is refused: numbers with a point, dates and times, texts of several lines, inline
/// tables and arrays of tables.
public struct TOMLDocument: Hashable, Sendable {
  /// A key and its value.
  public struct Setting: Hashable, Sendable {
    /// The names of the tables that the key is in, and that of the key.
    public var path: [String]
    /// The value.
    public var value: TOMLValue
    /// Where the key begins.
    public var position: TOMLPosition
    /// The bytes of the value.
    public var valueBytes: Range<Int>
    /// The bytes of the line or the lines of the setting, with the end of the line.
    public var lineBytes: Range<Int>
  }

  /// A table that the file names in brackets.
  public struct Table: Hashable, Sendable {
    /// The names of the tables that the table is in, and its own.
    public var path: [String]
    /// Where the first name begins.
    public var position: TOMLPosition
    /// The bytes of the line.
    public var lineBytes: Range<Int>
  }

  /// The most bytes of a file.
  public static var bytesMax: Int { 1 << 20 }
  /// The most arrays inside each other.
  public static var depthMax: Int { 32 }
  /// The most names of a path.
  public static var namesMax: Int { 32 }

  /// The settings, in order.
  public internal(set) var settings: [Setting] = []
  /// The tables in brackets, in order.
  public internal(set) var tables: [Table] = []

  /// Reads a file.
  ///
  /// - Parameter bytes: The bytes of the file, which are UTF-8.
  /// - Complexity: O(bytes).
  /// - Throws: ``TOMLError`` with the line and the column of the first error.
  public init(_ bytes: [UInt8]) throws(TOMLError) {
    guard bytes.count <= Self.bytesMax else {
      throw TOMLError(.tooLong(bytes: bytes.count), at: TOMLPosition(line: 1, column: 1))
    }
    var parser = TOMLParser(bytes)
    try parser.parse(into: &self)
  }
}

/// A value of a setting.
public indirect enum TOMLValue: Hashable, Sendable {
  /// A text.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// `true` or `false`.
  case boolean(Bool)
  /// Values in brackets.
  case array([TOMLValue])

  /// What the value is, with its article, as in `a text`.
  public var kind: String {
    switch self {
    case .string: "a text"
    case .integer: "a number"
    case .boolean: "true or false"
    case .array: "a list"
    }
  }
}

/// A place in a file.
public struct TOMLPosition: Hashable, Sendable {
  /// The number of the line, from 1.
  public var line: Int
  /// The number of the character in the line, from 1; each Unicode scalar counts.
  public var column: Int

  /// Makes a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
