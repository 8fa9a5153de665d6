/// A JSON value with exact integers and ordered object members.
///
/// ```swift
/// let value = try JSONValue(parsing: json)
/// print(value.text(indented: true))
/// ```
public indirect enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number written without fraction and exponent.
  case integer(Int64)
  /// Any other number; NaN and the infinities are printed as strings.
  case double(Double)
  /// A string.
  case string(String)
  /// A list of values.
  case array([JSONValue])
  /// Named values, in the order in which they are printed.
  case object([Member])

  /// A named value in an object.
  public struct Member: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of an object's member, or `nil` if there is no such member or this is not an object.
  ///
  /// - Complexity: O(*n*) in the number of members.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text if this is a string, else `nil`.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number if this is an integer, else `nil`.
  public var integerValue: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The items if this is an array, else `nil`.
  public var arrayValue: [JSONValue]? {
    if case .array(let items) = self { items } else { nil }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object with the members in the order given.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0, $1) })
  }
}

/// The error of a text that is not accepted as JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the failure in the bytes, from 0.
  public var offset: Int
  /// A description for a person.
  public var message: String

  /// A description on one line.
  public var description: String { "\(message) at byte \(offset)" }
}
