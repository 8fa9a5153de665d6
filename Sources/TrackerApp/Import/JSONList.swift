import RetraceAvro

/// A JSON array that a program wrote, to import its elements.
enum JSONList {
  /// The reason for which a text is none.
  struct Failure: Error {
    /// The reason in words.
    let why: String
  }

  /// The size of the largest text that is read, in bytes.
  static var bytesMax: Int { 256 << 20 }

  /// Reads an array.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - what: What the elements are, in the plural.
  /// - Complexity: O(bytes).
  /// - Throws: ``Failure`` if the text is no array.
  static func read(_ bytes: [UInt8], of what: String) throws(Failure) -> [JSONValue] {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes.span, sizeLimit: bytesMax)
    } catch {
      throw Failure(why: "\(error)")
    }
    guard let list = json.arrayValue else { throw Failure(why: "it is no array of \(what)") }
    return list
  }
}
