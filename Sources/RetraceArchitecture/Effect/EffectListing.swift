public import RetraceAvro
public import RetraceState

/// The id of a leaf: the record that caused it, and its index among the leaves of that effect.
public struct EffectLeafID: Hashable, Sendable {
  /// The sequence of the record whose action caused the effect.
  public var cause: UInt64
  /// The index among the leaves of the effect, from 0, in the order of ``Effect/leaves``.
  public var ordinal: UInt32

  /// Creates an id.
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

/// A leaf with its index in an effect, its feature, its delay and its cancellation ids.
public struct NumberedLeaf<Action: Sendable, Environment: Sendable>: Equatable, Sendable {
  /// The index among the leaves of the effect, from 0.
  public var ordinal: UInt32
  /// The leaf.
  public var leaf: AnyEffectLeaf<Action, Environment>
  /// The feature whose reducer returned the leaf.
  public var scope: EffectScope
  /// The sum of the delays around the leaf.
  public var delay: ElapsedTime
  /// The ids under which the leaf runs, outermost first.
  public var cancellations: [CancellationID]
}

extension Effect {
  /// The leaves of all steps in order, numbered from 0.
  ///
  /// The same action in the same state has the same leaves.
  ///
  /// - Complexity: O(parts of the effect).
  public var leaves: [NumberedLeaf<Action, Environment>] {
    var found: [NumberedLeaf<Action, Environment>] = []
    for step in steps {
      var ids: [CancellationID] = []
      if case .throttle(let throttle, _) = step.content { ids = [throttle.id] }
      step.work?.forEachLeaf(cancellations: ids) { leaf, delay, cancellations in
        found.append(
          NumberedLeaf(
            ordinal: UInt32(found.count), leaf: leaf, scope: step.scope, delay: delay,
            cancellations: cancellations))
      }
    }
    return found
  }

  /// The number of leaves, and so of ordinals.
  ///
  /// - Complexity: O(parts of the effect).
  public var leafCount: Int { steps.reduce(0) { $0 + ($1.work?.leafCount ?? 0) } }
}

extension EffectWork {
  /// The number of leaves.
  ///
  /// - Complexity: O(parts of the work).
  public var leafCount: Int {
    switch content {
    case .leaf: 1
    case .delay(_, let work), .cancellable(_, let work): work.leafCount
    case .merge(let parts), .concatenate(let parts): parts.reduce(0) { $0 + $1.leafCount }
    }
  }

  /// Calls `body` with each leaf from left to right, the delays around it and its ids.
  func forEachLeaf(
    delay: ElapsedTime = .zero, cancellations: [CancellationID],
    _ body: (AnyEffectLeaf<Action, Environment>, ElapsedTime, [CancellationID]) -> Void
  ) {
    switch content {
    case .leaf(let leaf):
      body(leaf, delay, cancellations)
    case .delay(let time, let work):
      work.forEachLeaf(delay: delay.adding(time), cancellations: cancellations, body)
    case .merge(let parts), .concatenate(let parts):
      for part in parts { part.forEachLeaf(delay: delay, cancellations: cancellations, body) }
    case .cancellable(let id, let work):
      work.forEachLeaf(delay: delay, cancellations: cancellations + [id], body)
    }
  }
}

extension Effect: CustomStringConvertible {
  /// The steps with their leaves, on one line.
  public var description: String {
    let steps = steps.map { $0.description }
    if steps.count > 1 { return "steps(\(steps.joined(separator: ", ")))" }
    return steps.first ?? "none"
  }
}

extension EffectStep: CustomStringConvertible {
  /// The step on one line, after the feature that it belongs to.
  public var description: String {
    let text =
      switch content {
      case .work(let work): work.description
      case .throttle(let throttle, let work):
        "throttle(\(throttle.id), \(throttle.time.microseconds) us"
          + "\(throttle.latest ? ", latest" : ""), \(work))"
      case .cancel(let id): "cancel(\(id))"
      case .cancelAll: "cancel all"
      }
    return scope.isEmpty ? text : "\(scope): \(text)"
  }
}

extension EffectWork: CustomStringConvertible {
  /// The tree of the work with its leaves, on one line.
  public var description: String {
    switch content {
    case .leaf(let leaf): leaf.description
    case .delay(let time, let work): "delay(\(time.microseconds) us, \(work))"
    case .merge(let parts): isNone ? "none" : "merge(\(Self.joined(parts)))"
    case .concatenate(let parts): "concatenate(\(Self.joined(parts)))"
    case .cancellable(let id, let work): "cancellable(\(id), \(work))"
    }
  }

  private static func joined(_ parts: [EffectWork]) -> String {
    parts.map { $0.description }.joined(separator: ", ")
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
