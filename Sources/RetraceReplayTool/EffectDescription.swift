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
  ///   - moments: How instants and durations in the values are written; `nil` for numbers.
  static func started<Action, Environment>(
    by effect: Effect<Action, Environment>, of cause: UInt64, inFlight: EffectsInFlight,
    moments: MomentFormat? = nil
  ) -> JSONValue {
    .array(
      effect.leaves.map { leaf in
        let flying = inFlight.leaf(EffectLeafID(cause: cause, ordinal: leaf.ordinal))
        return [
          "name": .string(leaf.leaf.name),
          "due": flying.map { .string($0.due.sortableTimestamp) } ?? .null,
          "value": (try? StateDescription.json(of: leaf.leaf.base, moments: moments)) ?? .null,
        ]
      })
  }

  /// Returns the steps of an effect on one line for people, with the values of its leaves and with
  /// features; `none` if there is nothing to do.
  static func line<Action, Environment>(of effect: Effect<Action, Environment>) -> String {
    let steps = effect.steps.map { step in
      let text = text(
        of: step, { StateDescription.text(of: $0.base, named: $0.name) }, \.exactText)
      return step.scope.isEmpty ? text : "\(step.scope): \(text)"
    }
    return effect.isNone ? "none" : SafeText.line(steps.joined(separator: ", "), bytesMax: .max)
  }

  /// Returns the steps of an effect on one line, with its leaves as `leafText` writes them.
  ///
  /// Builds compare this text.
  static func text<Action, Environment>(
    of effect: Effect<Action, Environment>,
    _ leafText: (AnyEffectLeaf<Action, Environment>) -> String
  ) -> String {
    effect.steps.map { step in
      text(of: step, leafText) { "\($0.microseconds) us" }
    }.joined(separator: ", ")
  }

  private static func text<Action, Environment>(
    of step: EffectStep<Action, Environment>,
    _ leafText: (AnyEffectLeaf<Action, Environment>) -> String,
    _ timeText: (ElapsedTime) -> String
  ) -> String {
    switch step.content {
    case .work(let work): text(of: work, leafText, timeText)
    case .throttle(let throttle, let work):
      "throttle(\(throttle.id), \(timeText(throttle.time))"
        + "\(throttle.latest ? ", latest" : ""), \(text(of: work, leafText, timeText)))"
    case .cancel(let id): "cancel(\(id))"
    case .cancelAll: "cancel all"
    }
  }

  private static func text<Action, Environment>(
    of work: EffectWork<Action, Environment>,
    _ leafText: (AnyEffectLeaf<Action, Environment>) -> String,
    _ timeText: (ElapsedTime) -> String
  ) -> String {
    func text(_ work: EffectWork<Action, Environment>) -> String {
      Self.text(of: work, leafText, timeText)
    }
    func list(_ parts: [EffectWork<Action, Environment>]) -> String {
      parts.map(text).joined(separator: ", ")
    }
    switch work.content {
    case .leaf(let leaf): return leafText(leaf)
    case .delay(let time, let work): return "delay(\(timeText(time)), \(text(work)))"
    case .cancellable(let id, let work): return "cancellable(\(id), \(text(work)))"
    case .merge(let parts): return "merge(\(list(parts)))"
    case .concatenate(let parts): return "concatenate(\(list(parts)))"
    }
  }
}
