import Retrace
import RetraceReplay
import RetraceToolSupport

/// An effect leaf in flight, or what an effect starts, as text or JSON.
enum EffectDescription {
  static func json(of effect: EffectInFlight) -> JSONValue {
    let leaf = effect.leaf
    return [
      "cause": .integer(Int64(clamping: leaf.id.cause)),
      "ordinal": .integer(Int64(leaf.id.ordinal)),
      "name": effect.name.map { .string($0) } ?? .null,
      "due": .string(leaf.due.sortableTimestamp),
      "feature": .string(leaf.scope.description),
      "cancellations": .array(leaf.cancellations.map { .string($0.name) }),
    ]
  }

  static func line(of effect: EffectInFlight) -> String {
    let leaf = effect.leaf
    let ids = leaf.cancellations.map(\.name).joined(separator: ", ")
    return "effect \(leaf.id) \(effect.name ?? "of unknown name"), due \(leaf.due.localTimestamp)"
      + (leaf.scope.isEmpty ? "" : ", in \(leaf.scope)")
      + (ids.isEmpty ? "" : ", cancellable as \(ids)")
  }

  /// Returns the leaves that the effect of a record starts: names, values, and when they are due.
  ///
  /// - Parameters:
  ///   - effect: The effect.
  ///   - cause: The record.
  ///   - inFlight: The leaves in flight after the record; a leaf that is not among them has no due
  ///     moment.
  static func started<Action, Environment>(
    by effect: Effect<Action, Environment>, of cause: UInt64, inFlight: EffectsInFlight
  ) -> JSONValue {
    .array(
      effect.leaves.map { leaf in
        let flying = inFlight.leaf(EffectLeafID(cause: cause, ordinal: leaf.ordinal))
        return [
          "name": .string(leaf.leaf.name),
          "due": flying.map { .string($0.due.sortableTimestamp) } ?? .null,
          "value": (try? StateDescription.json(of: leaf.leaf.base)) ?? .null,
        ]
      })
  }

  /// Returns the steps of an effect on one line, with its leaves as `leafText` writes them.
  static func text<Action, Environment>(
    of effect: Effect<Action, Environment>,
    _ leafText: (AnyEffectLeaf<Action, Environment>) -> String
  ) -> String {
    let steps = effect.steps.map { step in
      switch step.content {
      case .work(let work): text(of: work, leafText)
      case .throttle(let throttle, let work):
        "throttle(\(throttle.id), \(throttle.time.microseconds) us"
          + "\(throttle.latest ? ", latest" : ""), \(text(of: work, leafText)))"
      case .cancel(let id): "cancel(\(id))"
      case .cancelAll: "cancel all"
      }
    }
    return steps.joined(separator: ", ")
  }

  private static func text<Action, Environment>(
    of work: EffectWork<Action, Environment>,
    _ leafText: (AnyEffectLeaf<Action, Environment>) -> String
  ) -> String {
    switch work.content {
    case .leaf(let leaf): leafText(leaf)
    case .delay(let time, let work): "delay(\(time.microseconds) us, \(text(of: work, leafText)))"
    case .cancellable(let id, let work): "cancellable(\(id), \(text(of: work, leafText)))"
    case .merge(let parts):
      "merge(\(parts.map { text(of: $0, leafText) }.joined(separator: ", ")))"
    case .concatenate(let parts):
      "concatenate(\(parts.map { text(of: $0, leafText) }.joined(separator: ", ")))"
    }
  }
}
