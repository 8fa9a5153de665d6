import RetraceArchitecture
import RetraceAvro
import RetraceSchema

/// Tells what differs between two encodings of an entity.
struct EntityDiffer {
  let codec: SchemaCodec
  let depth: Int
  let limit: Int

  /// What became of an entity whose encodings are given, `nil` where there is none.
  func change(
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
        limit: limit, logical: instants))
  }

  /// The fields of an entity that came or went, without those that hold nothing.
  private func fields(_ bytes: [UInt8]?, isNew: Bool) throws(AvroError) -> [ValueDifference] {
    guard let bytes else { return [] }
    let value = codec.json(try codec.decode(bytes.span), logical: instants)
    var members = [JSONValue.Member("", value)]
    if case .object(let fields) = value { members = fields.filter { $0.value != .null } }
    return members.map { member in
      isNew
        ? ValueDifference(path: member.name, before: Optional.none, after: member.value)
        : ValueDifference(path: member.name, before: member.value, after: Optional.none)
    }
  }
}
