/// An address of a route: components, and items with a name and a value.
///
/// Its text is `component/component?name=value&name=value`, or `scheme://` before that. The parts
/// may be any text. Parsing what was printed gives the same parts, byte by byte. Printing, parsing,
/// ``DeepLinkReader`` and `==` use no tables of Unicode, so a reducer may open links.
public struct DeepLink: Sendable {
  /// A named value.
  public struct Item: Sendable {
    /// The name.
    public var name: String
    /// The value, which may be empty.
    public var value: String

    /// Creates an item.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The components, outermost first; they name the place.
  public var components: [String]
  /// The items, in order.
  public var items: [Item]

  /// Creates a link of parts.
  public init(components: [String], items: [Item] = []) {
    self.components = components
    self.items = items
  }

  /// Creates a link of components.
  public init(_ components: String...) { self.init(components: components) }

  /// Returns this link with an item after the others, or this link if the value is `nil`.
  public func item<Value: LosslessStringConvertible>(_ name: String, _ value: Value?) -> DeepLink {
    guard let value else { return self }
    return DeepLink(components: components, items: items + [Item(name, value.description)])
  }

  /// Returns this link followed by the components and items of another one, such as the link of an
  /// inner route.
  public func appending(_ inner: DeepLink) -> DeepLink {
    DeepLink(components: components + inner.components, items: items + inner.items)
  }
}

extension DeepLink.Item: Hashable {
  /// Returns whether the names and the values have the same bytes.
  public static func == (left: DeepLink.Item, right: DeepLink.Item) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8) && left.value.utf8.elementsEqual(right.value.utf8)
  }

  /// Hashes the bytes of the name.
  public func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(byte) }
  }
}

extension DeepLink: Hashable {
  /// Returns whether the components and items have the same bytes.
  public static func == (left: DeepLink, right: DeepLink) -> Bool {
    left.items == right.items
      && left.components.elementsEqual(right.components) { $0.utf8.elementsEqual($1.utf8) }
  }

  /// Hashes the bytes of the components, and the items.
  public func hash(into hasher: inout Hasher) {
    for component in components {
      for byte in component.utf8 { hasher.combine(byte) }
      hasher.combine(UInt8(0))
    }
    hasher.combine(items)
  }
}
