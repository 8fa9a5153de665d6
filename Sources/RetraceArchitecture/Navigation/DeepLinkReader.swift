public import RetraceState

/// A cursor that reads the parts of a deep link, outermost component first.
///
/// It remembers which parts were read, so that ``finish()`` can name a part that no route has read.
/// Names are compared by their UTF-8.
public struct DeepLinkReader {
  private let link: DeepLink
  private var index = 0
  private var readItems: [String] = []

  /// Creates a reader at the first component of a link.
  public init(_ link: DeepLink) { self.link = link }

  /// Whether all components are read.
  public var isAtEnd: Bool { index >= link.components.count }

  /// The error for a next component that no route has, or for a missing one.
  public var unknownComponent: DeepLinkError {
    isAtEnd
      ? .missingComponent(index: index) : .unknownComponent(link.components[index], index: index)
  }

  /// Moves past the next component if it has a name; returns whether it has.
  public mutating func take(_ name: String) -> Bool {
    guard !isAtEnd, link.components[index].utf8.elementsEqual(name.utf8) else { return false }
    index += 1
    return true
  }

  /// Returns what `read` returns; if that is `nil`, the reader does not move.
  ///
  /// - Throws: Rethrows the error of `read`.
  public mutating func attempt<Value>(
    _ read: (inout DeepLinkReader) throws(DeepLinkError) -> Value?
  ) throws(DeepLinkError) -> Value? {
    var ahead = self
    guard let value = try read(&ahead) else { return nil }
    self = ahead
    return value
  }

  /// Returns the next component as a value, and moves past it.
  ///
  /// - Throws: `missingComponent`; `invalidComponent` if the component is not exactly the text of a
  ///   value, or if the value is a number that is not finite.
  public mutating func component<Value: LosslessStringConvertible>(
    _ type: Value.Type = Value.self
  ) throws(DeepLinkError) -> Value {
    guard !isAtEnd else { throw .missingComponent(index: index) }
    let text = link.components[index]
    guard let value: Value = Self.value(of: text) else {
      throw .invalidComponent(text, index: index)
    }
    index += 1
    return value
  }

  /// Returns the next component as an id, and moves past it.
  ///
  /// - Throws: As ``component(_:)``.
  public mutating func id<ID: EntityID>(_ type: ID.Type = ID.self) throws(DeepLinkError) -> ID {
    ID(value: try component())
  }

  /// Returns the value of an item, or `nil` if the link does not have it.
  ///
  /// - Throws: `repeatedItem`; `invalidItem` if the item is not exactly the text of a value, or if
  ///   the value is a number that is not finite.
  public mutating func item<Value: LosslessStringConvertible>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(DeepLinkError) -> Value? {
    let texts = items(name)
    guard let text = texts.first else { return nil }
    guard texts.count == 1 else { throw .repeatedItem(name) }
    guard let value: Value = Self.value(of: text) else { throw .invalidItem(name, value: text) }
    return value
  }

  /// Returns the values of all items with a name, in order.
  public mutating func items(_ name: String) -> [String] {
    readItems.append(name)
    return link.items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map { $0.value }
  }

  /// Checks that every part of the link was read.
  ///
  /// - Complexity: O(items · names read).
  /// - Throws: `unknownComponent` or `unknownItem`.
  public func finish() throws(DeepLinkError) {
    guard isAtEnd else { throw unknownComponent }
    for item in link.items {
      guard readItems.contains(where: { $0.utf8.elementsEqual(item.name.utf8) }) else {
        throw .unknownItem(item.name)
      }
    }
  }

  /// Returns the value whose description is a text; `nil` for a number that is not finite.
  private static func value<Value: LosslessStringConvertible>(of text: String) -> Value? {
    // `Character` traps unless the text is one character, which depends on Unicode tables. A single
    // scalar always is one.
    if Value.self == Character.self, text.unicodeScalars.count != 1 { return nil }
    guard let value = Value(text), value.description.utf8.elementsEqual(text.utf8) else {
      return nil
    }
    switch value {
    case let number as Double: return number.isFinite ? value : nil
    case let number as Float: return number.isFinite ? value : nil
    default: return value
    }
  }
}
