package import RetraceAvro
import RetraceSchema

/// Computes the differences between two encodings of an entity.
package struct EntityDiffer {
  private let codec: SelectiveCodec
  private let depth: Int
  private let limit: Int
  private let moments: MomentFormat

  /// Creates a computation.
  ///
  /// - Parameters:
  ///   - codec: The codec of the entities.
  ///   - depth: The number of nested records whose fields are compared one by one.
  ///   - limit: The largest number of differences.
  ///   - moments: How instants are written.
  package init(codec: SelectiveCodec, depth: Int, limit: Int, moments: MomentFormat) {
    self.codec = codec
    self.depth = depth
    self.limit = limit
    self.moments = moments
  }

  /// Returns the change between two encodings of an entity, each `nil` if the entity is absent.
  package func change(
    of entity: StateChange.Entity, from old: [UInt8]?, to new: [UInt8]?
  ) throws(AvroError) -> StateChange {
    guard let old else {
      return StateChange(entity: entity, kind: .created, fields: try fields(new, isNew: true))
    }
    guard let new else {
      return StateChange(entity: entity, kind: .removed, fields: try fields(old, isNew: false))
    }
    return StateChange(
      entity: entity, kind: .changed,
      fields: codec.differences(
        from: try codec.decode(old.span), to: try codec.decode(new.span), depth: depth,
        limit: limit, logical: moments.json))
  }

  /// Returns the fields of a created or removed entity, without null fields.
  private func fields(_ bytes: [UInt8]?, isNew: Bool) throws(AvroError) -> [ValueDifference] {
    guard let bytes else { return [] }
    let value = codec.json(try codec.decode(bytes.span), logical: moments.json)
    var members = [JSONValue.Member("", value)]
    if case .object(let fields) = value { members = fields.filter { $0.value != .null } }
    return members.prefix(limit).map { member in
      isNew
        ? ValueDifference(path: member.name, before: Optional.none, after: member.value)
        : ValueDifference(path: member.name, before: member.value, after: Optional.none)
    }
  }
}
