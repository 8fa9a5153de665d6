/// What is wrong with a deep link, and where.
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
  /// A sentence for a person, without the text of the link's components and values.
  public var description: String {
    switch self {
    case .otherScheme(let scheme): "The link does not begin with \(scheme)://."
    case .unescapedCharacter(let offset): "The character at byte \(offset) has to be escaped."
    case .invalidEscape(let offset): "The % at byte \(offset) needs two hexadecimal digits."
    case .notUTF8(let offset): "The part at byte \(offset) is not UTF-8."
    case .missingValue(let offset): "The item at byte \(offset) has no value."
    case .unknownComponent(_, let index): "There is no route with component \(index + 1)."
    case .missingComponent(let index): "The link ends before component \(index + 1)."
    case .invalidComponent(_, let index): "Component \(index + 1) has an invalid value."
    case .unknownItem: "The route does not have one of the items."
    case .missingItem(let name): "The item \(name) is missing."
    case .repeatedItem(let name): "The item \(name) occurs more than once."
    case .invalidItem(let name, _): "The item \(name) has an invalid value."
    }
  }
}
