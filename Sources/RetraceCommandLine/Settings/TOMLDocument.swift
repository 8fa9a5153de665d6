/// The settings of a file, in the order of the file.
///
/// The file is written in a part of TOML 1.0: comments, texts on one line, and tables of one level.
/// Everything else of TOML is ``TOMLError/Reason/unsupported``.
public struct TOMLDocument: Hashable, Sendable {
  /// A key and its value.
  public struct Setting: Hashable, Sendable {
    /// The name of the key, after that of its table if it is in one.
    public var path: [String]
    /// The text.
    public var value: String
    /// Where the key begins.
    public var position: TOMLPosition
    /// The bytes of the value, with its quotes.
    public var valueBytes: Range<Int>
    /// The bytes of the line, with the end of the line.
    public var lineBytes: Range<Int>
  }

  /// A table that the file names in brackets.
  public struct Table: Hashable, Sendable {
    /// The name of the table.
    public var name: String
    /// Where the name begins.
    public var position: TOMLPosition
    /// The bytes of the line, with the end of the line.
    public var lineBytes: Range<Int>
  }

  /// The most bytes of a file.
  public static var bytesMax: Int { 1 << 20 }

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

/// A place in a file.
public struct TOMLPosition: Hashable, Sendable {
  /// The number of the line, from 1.
  public var line: Int
  /// The number of the character in the line, from 1; each Unicode scalar counts.
  public var column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
