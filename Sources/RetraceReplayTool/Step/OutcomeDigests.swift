import Retrace
import RetraceReplay
import RetraceSystem
import RetraceToolSupport

/// Digests of what a build makes of records: one of states, one of effects, one of decisions.
///
/// Two builds with equal digests of a stretch of records agree after each of them.
struct OutcomeDigests {
  /// Whether the digest of effects covers the values of leaves besides their names.
  let coversLeafValues: Bool
  private var states = SHA256Hasher()
  private var effects = SHA256Hasher()
  private var decisions = SHA256Hasher()
  private var inFlight: EffectsInFlight

  /// Starts before the first of the records.
  init(after inFlight: EffectsInFlight, coveringLeafValues coversLeafValues: Bool) {
    self.inFlight = inFlight
    self.coversLeafValues = coversLeafValues
  }

  mutating func add<App>(_ outcome: RecordOutcome<App>) {
    switch outcome.state {
    case .hash(let hash):
      let bytes = hash.bytes
      states.update(bytes.span)
    case .difference(let difference):
      if !difference.isEmpty {
        Self.add("\(outcome.sequence) \(ChangeJSON.canonical(difference).text())", to: &states)
      }
    }
    if !outcome.effect.isNone || outcome.inFlight != inFlight { addEffect(of: outcome) }
    inFlight = outcome.inFlight
    if let decision = outcome.decision {
      Self.add("\(outcome.sequence) \(decision.sorted.text())", to: &decisions)
    }
  }

  private mutating func addEffect<App>(of outcome: RecordOutcome<App>) {
    let effect = EffectDescription.text(of: outcome.effect) { leaf in
      guard coversLeafValues else { return leaf.name }
      return "\(leaf.name) \(leaf.base.encoded())"
    }
    let flying = outcome.inFlight.leaves.map { leaf in
      "\(leaf.id) \(leaf.due.microseconds) \(leaf.cancellations)"
    }
    Self.add("\(outcome.sequence) \(effect) \(flying)", to: &effects)
  }

  private static func add(_ text: String, to hasher: inout SHA256Hasher) {
    let bytes = Array(text.utf8)
    hasher.update(bytes.span)
  }

  /// The three digests as the members of an object.
  var json: [JSONValue.Member] {
    [
      .init("states", .string(states.digest().hex)),
      .init("effects", .string(effects.digest().hex)),
      .init("decisions", .string(decisions.digest().hex)),
    ]
  }
}

extension ChangeJSON {
  /// Returns a difference in an order that does not depend on the order of fields and tables.
  static func canonical(_ difference: StateDifference) -> JSONValue {
    var changes: [(key: String, json: JSONValue)] = []
    for change in difference.changes {
      var fields = change.fields.map { (key: $0.path, json: value($0).sorted) }
      fields.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      changes.append(
        (
          key: change.entity?.path ?? "",
          json: [
            "place": .string(change.entity?.path ?? ""), "change": .string(change.kind.rawValue),
            "fields": .array(fields.map(\.json)),
          ]
        ))
    }
    changes.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return .array(changes.map(\.json))
  }
}

extension JSONValue {
  /// The value with the members of each object in the order of the bytes of their names.
  var sorted: JSONValue {
    switch self {
    case .array(let items): .array(items.map(\.sorted))
    case .object(let members):
      .object(
        members.map { Member($0.name, $0.value.sorted) }
          .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    default: self
    }
  }
}
