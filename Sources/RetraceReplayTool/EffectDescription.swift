import Retrace
import RetraceReplay

/// An effect leaf in flight, as text or JSON.
enum EffectDescription {
  static func json(of effect: EffectInFlight) -> JSONValue {
    let leaf = effect.leaf
    return [
      "cause": .integer(Int64(clamping: leaf.id.cause)),
      "ordinal": .integer(Int64(leaf.id.ordinal)),
      "name": effect.name.map { .string($0) } ?? .null,
      "due": .string(leaf.due.timestamp),
      "feature": .string(leaf.scope.description),
      "cancellations": .array(leaf.cancellations.map { .string($0.name) }),
    ]
  }

  static func line(of effect: EffectInFlight) -> String {
    let leaf = effect.leaf
    let ids = leaf.cancellations.map(\.name).joined(separator: ", ")
    return "effect \(leaf.id) \(effect.name ?? "of unknown name"), due \(leaf.due.timestamp)"
      + (leaf.scope.isEmpty ? "" : ", in \(leaf.scope)")
      + (ids.isEmpty ? "" : ", cancellable as \(ids)")
  }
}
