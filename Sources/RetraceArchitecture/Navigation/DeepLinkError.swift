import RetraceScreen

/// The error of a deep link, with its place.
///
/// Offsets count the bytes of the text, components count from 0.
public enum DeepLinkError: Error, Hashable {
  /// The text does not begin with the expected scheme and `://`.
  case otherScheme(expected: String)
  /// A byte that a link has to escape is not escaped.
  case unescapedCharacter(offset: Int)
  /// A `%` is not followed by two hexadecimal digits.
  case invalidEscape(offset: Int)
  /// A component, or a name or value of an item, is not UTF-8 after its escapes are resolved.
  case notUTF8(offset: Int)
  /// An item has no `=`.
  case missingValue(offset: Int)
  /// No route has the component, or the route ends before it.
  case unknownComponent(String, index: Int)
  /// The link ends before the route does.
  case missingComponent(index: Int)
  /// The component is not a value of the expected type.
  case invalidComponent(String, index: Int)
  /// The route has no such item.
  case unknownItem(String)
  /// The route needs the item.
  case missingItem(String)
  /// The item is there several times.
  case repeatedItem(String)
  /// The value of the item is not one of the expected type.
  case invalidItem(String, value: String)
}

extension DeepLinkError: CustomStringConvertible {
  /// A sentence for a person, which names the component or the item; a long one is shortened.
  public var description: String {
    switch self {
    case .otherScheme(let scheme):
      "The link does not begin with \(SafeText.line(scheme, bytesMax: Self.bytesMax))://."
    case .unescapedCharacter(let offset): "The character at byte \(offset) has to be escaped."
    case .invalidEscape(let offset): "The % at byte \(offset) needs two hexadecimal digits."
    case .notUTF8(let offset): "The part at byte \(offset) is not UTF-8."
    case .missingValue(let offset): "The item at byte \(offset) has no value."
    case .unknownComponent(let text, let index):
      "There is no route with \(Self.quoted(text)) as component \(index + 1)."
    case .missingComponent(let index): "The link ends before component \(index + 1)."
    case .invalidComponent(let text, let index):
      "Component \(index + 1), \(Self.quoted(text)), is not a valid value."
    case .unknownItem(let name): "The route has no item \(Self.quoted(name))."
    case .missingItem(let name): "The item \(Self.quoted(name)) is missing."
    case .repeatedItem(let name): "The item \(Self.quoted(name)) occurs more than once."
    case .invalidItem(let name, let value):
      "The item \(Self.quoted(name)) has the invalid value \(Self.quoted(value))."
    }
  }

  /// The size at which a text of the link is shortened, in bytes of UTF-8.
  private static var bytesMax: Int { 80 }

  private static func quoted(_ text: String) -> String {
    "\"\(SafeText.line(text, bytesMax: bytesMax))\""
  }
}
