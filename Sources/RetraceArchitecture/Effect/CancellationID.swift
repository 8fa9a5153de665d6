public import RetraceState

/// A key under which a feature runs work and cancels it.
///
/// A string is a key. A feature with several kinds of work declares an enum of strings. The id of
/// an entity is a key if its type says so, as in `struct NoteID: EntityID, CancellationKey`; any
/// other type gives the name of the key.
///
/// ```swift
/// enum SearchWork: String, CancellationKey { case hits, suggestions }
///
/// func count(_ query: String) -> Effect<SearchAction, NoteServer> {
///   .run(CountHits(query: query)).cancellable(SearchWork.hits)
/// }
/// ```
public protocol CancellationKey: NamedType, Hashable, Sendable {
  /// The name of the key, the same in every process.
  var cancellationName: String { get }
}

extension CancellationKey where Self: RawRepresentable, RawValue == String {
  /// The raw value.
  public var cancellationName: String { rawValue }
}

extension CancellationKey where Self: EntityID {
  /// The number.
  public var cancellationName: String { "\(value)" }
}

extension String: CancellationKey {
  /// The name of the type, which the ids of plain strings do not contain.
  public static var typeName: String { "Swift.String" }

  /// The string.
  public var cancellationName: String { self }
}

/// The name by which work in flight is cancelled, within the feature that started it.
///
/// The name of a typed key begins with the name of its type, so that keys of two types differ; two
/// private types of one name do not. The log does not contain it: every process derives it again.
public struct CancellationID: Hashable, Sendable {
  /// The name.
  public let name: String

  /// Creates the id of a key.
  public init<Key: CancellationKey>(_ key: Key) {
    name =
      Key.self == String.self
      ? key.cancellationName : "\(Key.typeName).\(key.cancellationName)"
  }

  init(name: String) { self.name = name }

  /// Returns whether the names have the same bytes; Unicode tables play no part.
  public static func == (left: CancellationID, right: CancellationID) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8)
  }

  /// Hashes the bytes of the name.
  public func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(byte) }
  }
}

extension CancellationID: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
