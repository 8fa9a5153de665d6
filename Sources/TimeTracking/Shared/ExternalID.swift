public import RetraceAvro

/// The id that an entity has in another system.
///
/// Ids of different sources never meet: two ids are the same only if their sources are.
public struct ExternalID: Recordable {
  /// The other system.
  public var source: SourceID
  /// The id there.
  public var id: String

  /// Makes an id.
  public init(source: SourceID, id: String) {
    self.source = source
    self.id = id
  }
}

extension ExternalID: Hashable {
  /// Returns whether the sources are the same and the ids have the same bytes.
  public static func == (left: ExternalID, right: ExternalID) -> Bool {
    left.source == right.source && left.id.hasBytes(of: right.id)
  }

  /// Hashes the source and the bytes of the id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(bytesOf: id)
  }
}
