/// A JSON value that keeps integers exact and the members of objects in order.
public indirect enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number that was written without a fraction and an exponent.
  case integer(Int64)
  /// Any other number; printed as a string where JSON has no number for it, as for NaN.
  case double(Double)
  /// A string.
  case string(String)
  /// A list of values.
  case array([JSONValue])
  /// Named values in the order in which they are printed.
  case object([Member])

  /// A named value in an object.
  public struct Member: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Makes a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The member of an object with a name, or `nil` when there is none or this is no object.
  ///
  /// - Complexity: O(*n*) in the number of members.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string, else `nil`.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number if it is an integer, else `nil`.
  public var integerValue: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The items of an array, else `nil`.
  public var arrayValue: [JSONValue]? {
    if case .array(let items) = self { items } else { nil }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Makes an object with the members in the order written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0, $1) })
  }
}

/// Why a text is not accepted as JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position of the byte at which it was noticed, counted from 0.
  public var offset: Int
  /// What is wrong, for a person.
  public var message: String

  /// One line for a person.
  public var description: String { "\(message) at byte \(offset)" }
}
