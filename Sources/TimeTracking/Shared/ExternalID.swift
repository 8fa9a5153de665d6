public import RetraceAvro

/// The id that an entity has in another system.
///
/// Two ids are equal only if their sources are equal.
public struct ExternalID: Recordable {
  /// The other system.
  public var source: SourceID
  /// The id in that system.
  public var id: String

  /// Creates an id.
  public init(source: SourceID, id: String) {
    self.source = source
    self.id = id
  }
}

extension ExternalID: Hashable {
  /// Returns whether the sources are equal and the ids have the same bytes.
  public static func == (left: ExternalID, right: ExternalID) -> Bool {
    left.source == right.source && left.id.hasBytes(of: right.id)
  }

  /// Hashes the source and the bytes of the id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(bytesOf: id)
  }
}
