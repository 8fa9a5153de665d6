/// The feature whose reducer returned an effect, as the path to it from the root reducer.
///
/// A child's effect gets its scope when it is mapped to the parent. Cancellation keys belong to a
/// scope, and the effects of a scope end when its child is gone.
public struct EffectScope: Hashable, Sendable {
  /// One step of the path: a child of a feature.
  public struct Component: Hashable, Sendable {
    /// The name of the type that identifies the child in its parent, such as an ``EnumCase``.
    public let name: String
    /// The id of the child; `nil` if there is only one.
    public let id: Int64?

    /// Creates the component of a child that a type identifies in its parent.
    public init<Place: NamedType>(_ place: Place.Type, id: Int64? = nil) {
      self.init(name: Place.typeName, id: id)
    }

    init(name: String, id: Int64?) { (self.name, self.id) = (name, id) }

    /// Returns whether a type identifies the child in its parent.
    public func isIn<Place: NamedType>(_ place: Place.Type) -> Bool {
      EffectScope.isSame(name, Place.typeName)
    }

    /// Returns whether both have names of the same bytes and the same id.
    public static func == (left: Component, right: Component) -> Bool {
      left.id == right.id && EffectScope.isSame(left.name, right.name)
    }

    /// Hashes the id and the bytes of the name.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      for byte in name.utf8 { hasher.combine(byte) }
    }
  }

  /// Returns whether names have the same bytes; most others differ in their length.
  fileprivate static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }

  /// The children on the path, outermost first; empty for the root reducer.
  public private(set) var components: [Component] = []

  /// Creates the scope of the root reducer.
  public init() {}

  init(_ components: [Component]) { self.components = components }

  /// Whether this is the scope of the root reducer.
  public var isEmpty: Bool { components.isEmpty }

  /// Returns whether this scope equals another one or belongs to a child in it.
  ///
  /// - Complexity: O(components).
  public func isWithin(_ other: EffectScope) -> Bool { components.starts(with: other.components) }

  /// Returns the scope as seen from the parent of a child.
  func inside(_ component: Component) -> EffectScope { EffectScope([component] + components) }
}

extension EffectScope: CustomStringConvertible {
  /// The names of the children, such as `Notes.NoteScope 3 / Notes.TextScope`.
  public var description: String { components.map { $0.description }.joined(separator: " / ") }
}

extension EffectScope.Component: CustomStringConvertible {
  /// The name and the id.
  public var description: String { id.map { "\(name) \($0)" } ?? name }
}
