import CivilTime
import RetraceArchitecture
import RetraceAvro

/// An effect leaf in flight, as text or JSON.
enum EffectDescription {
  /// Returns the leaf as one JSON object.
  static func json(of leaf: EffectsInFlight.Leaf) -> JSONValue {
    [
      "cause": .integer(Int64(clamping: leaf.id.cause)),
      "ordinal": .integer(Int64(leaf.id.ordinal)),
      "due": .string(leaf.due.timestamp),
      "scope": .string(leaf.scope.description),
      "cancellations": .array(leaf.cancellations.map { .string($0.name) }),
    ]
  }

  /// Returns the leaf on one line.
  static func line(of leaf: EffectsInFlight.Leaf) -> String {
    let names = leaf.cancellations.map(\.name).joined(separator: ", ")
    return "in flight    effect \(leaf.id), due \(leaf.due.timestamp)"
      + (leaf.scope.isEmpty ? "" : ", of \(leaf.scope)")
      + (names.isEmpty ? "" : ", cancellable as \(names)")
  }
}
