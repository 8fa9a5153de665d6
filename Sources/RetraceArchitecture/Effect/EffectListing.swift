public import RetraceAvro
public import RetraceState

/// The id of a leaf: the record that caused it, and its index among the leaves of that effect.
public struct EffectLeafID: Hashable, Sendable {
  /// The sequence of the record whose action caused the effect.
  public var cause: UInt64
  /// The index among the leaves of the effect, from 0, in the order of ``Effect/leaves``.
  public var ordinal: UInt32

  /// Makes an id.
  public init(cause: UInt64, ordinal: UInt32) {
    self.cause = cause
    self.ordinal = ordinal
  }
}

extension EffectLeafID: Comparable {
  /// Returns whether the left leaf has the earlier cause, or the same cause and the lower ordinal.
  public static func < (left: EffectLeafID, right: EffectLeafID) -> Bool {
    left.cause == right.cause ? left.ordinal < right.ordinal : left.cause < right.cause
  }
}

extension EffectLeafID: CustomStringConvertible {
  /// The sequence of the cause and the ordinal, as in `120.0`.
  public var description: String { "\(cause).\(ordinal)" }
}

/// A leaf with its index in an effect, its delay and its cancellation ids.
public struct NumberedLeaf<Action: Sendable, Environment: Sendable>: Equatable, Sendable {
  /// The index among the leaves of the effect, from 0.
  public var ordinal: UInt32
  /// The leaf.
  public var leaf: AnyEffectLeaf<Action, Environment>
  /// The sum of the delays around the leaf.
  public var delay: ElapsedTime
  /// The ids under which the leaf runs, outermost first.
  public var cancellations: [CancellationID]
}

extension Effect {
  /// The leaves from left to right, numbered from 0.
  ///
  /// The same action in the same state has the same leaves.
  ///
  /// - Complexity: O(parts of the effect).
  public var leaves: [NumberedLeaf<Action, Environment>] {
    var found: [NumberedLeaf<Action, Environment>] = []
    list(into: &found, delay: .zero, cancellations: [])
    return found
  }

  /// The number of leaves, and so of ordinals.
  ///
  /// - Complexity: O(parts of the effect).
  public var leafCount: Int {
    switch content {
    case nil, .cancel: 0
    case .leaf: 1
    case .delay(_, let effect), .cancellable(_, _, let effect): effect.leafCount
    case .merge(let effects), .concatenate(let effects):
      effects.reduce(0) { $0 + $1.leafCount }
    }
  }

  private func list(
    into found: inout [NumberedLeaf<Action, Environment>], delay: ElapsedTime,
    cancellations: [CancellationID]
  ) {
    switch content {
    case nil, .cancel: break
    case .leaf(let leaf):
      let ordinal = UInt32(found.count)
      found.append(
        NumberedLeaf(ordinal: ordinal, leaf: leaf, delay: delay, cancellations: cancellations))
    case .delay(let time, let effect):
      effect.list(into: &found, delay: delay.adding(time), cancellations: cancellations)
    case .merge(let effects), .concatenate(let effects):
      for effect in effects {
        effect.list(into: &found, delay: delay, cancellations: cancellations)
      }
    case .cancellable(let id, _, let effect):
      effect.list(into: &found, delay: delay, cancellations: cancellations + [id])
    }
  }
}

extension Effect: CustomStringConvertible {
  /// The tree of the effect with its leaves, on one line.
  public var description: String {
    switch content {
    case nil: "none"
    case .leaf(let leaf): leaf.description
    case .delay(let time, let effect): "delay(\(time.microseconds) us, \(effect))"
    case .merge(let effects): "merge(\(Effect.joined(effects)))"
    case .concatenate(let effects): "concatenate(\(Effect.joined(effects)))"
    case .cancel(let id): "cancel(\(id.name))"
    case .cancellable(let id, let cancelInFlight, let effect):
      "cancellable(\(id.name)\(cancelInFlight ? ", cancel in flight" : ""), \(effect))"
    }
  }

  private static func joined(_ effects: [Effect]) -> String {
    effects.map(\.description).joined(separator: ", ")
  }
}

extension EffectLeafID: Recordable {
  /// The name of the record.
  public static var recordedName: String { "EffectLeafID" }

  /// Returns a record of two longs, `cause` and `ordinal`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { _ in
      .record(
        name: recordedName,
        fields: [Schema.Field("cause", .long), Schema.Field("ordinal", .long)])
    }
  }

  /// Writes both numbers.
  public func encode(into writer: inout AvroWriter) {
    writer.long(Int64(bitPattern: cause))
    writer.long(Int64(ordinal))
  }

  /// Reads both numbers.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    cause = UInt64(bitPattern: try reader.long())
    let offset = reader.offset
    guard let ordinal = UInt32(exactly: try reader.long()) else {
      throw AvroError(.outOfRange, at: offset, "ordinal")
    }
    self.ordinal = ordinal
  }
}
