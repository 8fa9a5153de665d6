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
    /// The type itself, if no other type has its name: types are faster to compare than names.
    private let type: ObjectIdentifier?

    /// Creates the component of a child that a type identifies in its parent.
    public init<Place>(_ place: Place.Type, id: Int64? = nil) {
      let (name, isUnique) = EffectScope.name(of: place)
      self.name = name
      self.id = id
      type = isUnique ? ObjectIdentifier(place) : nil
    }

    init(name: String, id: Int64?) {
      (self.name, self.id) = (name, id)
      type = nil
    }

    /// Returns whether a type identifies the child in its parent.
    public func isIn<Place>(_ place: Place.Type) -> Bool {
      guard let type else { return name.utf8.elementsEqual(EffectScope.name(of: place).name.utf8) }
      return type == ObjectIdentifier(place)
    }

    /// Returns whether both have names of the same bytes and the same id.
    public static func == (left: Component, right: Component) -> Bool {
      guard left.id == right.id else { return false }
      if let type = left.type, let other = right.type { return type == other }
      return left.name.utf8.elementsEqual(right.name.utf8)
    }

    /// Hashes the id and the bytes of the name.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      for byte in name.utf8 { hasher.combine(byte) }
    }
  }

  /// Returns the name of a type, the same in every process of a build.
  static func stableName<Place>(of type: Place.Type) -> String { name(of: type).name }

  /// Returns the name of a type, and whether no other type has it.
  ///
  /// The qualified name of a private type contains an address, so its short name is used, which
  /// other private types may have too.
  fileprivate static func name<Place>(of type: Place.Type) -> (name: String, isUnique: Bool) {
    let name = _typeName(type, qualified: true)
    guard name.utf8.contains(UInt8(ascii: "$")) else { return (name, true) }
    return (_typeName(type, qualified: false), false)
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
  public var description: String { components.map(\.description).joined(separator: " / ") }
}

extension EffectScope.Component: CustomStringConvertible {
  /// The name and the id.
  public var description: String { id.map { "\(name) \($0)" } ?? name }
}
