import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// The names of entities as the latest state that was met has them.
///
/// So names of entities that were added later than the selected record are known, too.
///
/// It is a class, because the compiler (Swift 6.3.1) crashes when another module destroys a
/// structure like this in a release build.
final class RecordNames<State: RecordedState> {
  private struct Key: Hashable {
    var type: String
    var id: Int64
  }

  private let names: StateNames<State>
  private var state: State
  private var sequence: UInt64 = 0
  private var known: [Key: String?] = [:]

  init(_ state: State) throws(StoreError) {
    do throws(AvroError) {
      names = try StateNames(like: state)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
    self.state = state
  }

  /// Reads names from a state from now on, if it is later than the one before.
  func use(_ state: State, at sequence: UInt64) {
    guard sequence > self.sequence else { return }
    (self.state, self.sequence) = (state, sequence)
    known = [:]
  }

  /// Returns the name of an entity; `nil` if it has none.
  func name(of entity: StateChange.Entity) -> String? { names.name(of: entity, in: state) }

  /// Returns what a row says, with names in place of ids.
  ///
  /// - Complexity: O(size of the payload and of the entities that were not met before).
  func summary(of row: TimelineRow, in zone: ZoneRules) -> RecordSummary {
    row.summary(
      naming: { type, id in
        let key = Key(type: type, id: id)
        if let name = known[key] { return name }
        let name = names.name(of: id, ofType: type, in: state)
        known[key] = name
        return name
      }, in: zone)
  }

  /// Returns the value of a field of an entity with names in place of ids.
  ///
  /// - Complexity: O(size of the entities).
  func named(_ value: JSONValue?, of field: String, in entity: StateChange.Entity?) -> JSONValue? {
    guard let entity, let value else { return value }
    let names = names.names(for: value, of: field, ofType: entity.name, in: state)
    guard let items = names?.arrayValue else { return names == .null ? value : names ?? value }
    return .array(
      zip(items, value.arrayValue ?? []).map { name, id in name == .null ? id : name })
  }
}
