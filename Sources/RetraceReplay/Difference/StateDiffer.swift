public import Retrace
public import RetraceStorage

/// Computes the differences between two states of an app, by path.
///
/// Tables are compared as trees: shared parts are skipped, so the cost of comparing the tables of
/// neighbouring states depends only on what changed between them. Everything else is encoded and
/// compared byte by byte, and decoded only if the bytes differ. Instants are written as RFC 3339.
///
/// ```swift
/// var replayer = try Replayer<CounterApp>(storage)
/// try replayer.seek(to: sequence)
/// if let step: RecordStep<CounterApp> = try replayer.currentStep() {
///   let differ = try StateDiffer(like: step.after, detail: .values)
///   let difference: StateDifference = try differ.difference(from: step.before, to: step.after)
///   for change: StateChange in difference.changes { print(change.fields.map(\.path)) }
/// }
/// ```
public struct StateDiffer<State: RecordedState>: Sendable {
  /// The level of detail within entities.
  public enum Detail: Sendable {
    /// The fields of an entity, each as a whole.
    case fields
    /// The innermost values that differ.
    case values
  }

  private var comparison: StateComparison<State>
  /// The level of detail within entities.
  public var detail: Detail {
    didSet { comparison.depth = detail == .fields ? 1 : .max }
  }
  /// The largest number of changes, and of values in each; a negative limit counts as 0.
  public var limit: Int {
    get { comparison.limit }
    set { comparison.limit = max(0, newValue) }
  }
  /// How instants are written.
  package var moments: MomentFormat {
    get { comparison.moments }
    set { comparison.moments = newValue }
  }

  /// Prepares the comparison of states.
  ///
  /// - Parameters:
  ///   - sample: Any state.
  ///   - detail: The level of detail within entities.
  ///   - limit: The largest number of changes, and of values in each.
  /// - Complexity: O(size of the schema).
  /// - Throws: `storageFailed` for a state whose schema is contradictory.
  public init(
    like sample: State, detail: Detail = .values, limit: Int = 1_000
  ) throws(StoreError) {
    try self.init(like: sample, detail: detail, limit: limit, omitting: OmittedFields())
  }

  /// Prepares the comparison of states, without some of their fields.
  ///
  /// - Parameters:
  ///   - sample: Any state.
  ///   - detail: The level of detail within entities.
  ///   - limit: The largest number of changes, and of values in each.
  ///   - omitted: The fields that are not compared.
  /// - Complexity: O(size of the schema).
  /// - Throws: `storageFailed` for a state whose schema is contradictory.
  package init(
    like sample: State, detail: Detail = .values, limit: Int = 1_000,
    omitting omitted: OmittedFields
  ) throws(StoreError) {
    do throws(AvroError) {
      comparison = try StateComparison(like: sample, limit: max(0, limit), omitting: omitted)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
    comparison.depth = detail == .fields ? 1 : .max
    self.detail = detail
  }

  /// Returns the differences between two states.
  ///
  /// - Complexity: O(bytes outside of tables, and leaves of tables that differ).
  /// - Throws: `storageFailed` for a state whose encoding does not match its schema.
  public func difference(from old: State, to new: State) throws(StoreError) -> StateDifference {
    do throws(AvroError) {
      return try comparison.difference(from: old, to: new)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
  }

  /// Returns a state as JSON, without the fields that are not compared.
  ///
  /// - Complexity: O(size of the state).
  /// - Throws: `storageFailed` for a state whose encoding does not match its schema.
  package func json(of state: State) throws(StoreError) -> JSONValue {
    do throws(AvroError) {
      return try comparison.json(of: state)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
  }
}

extension StoreError {
  /// Returns the error of states that do not have their schema.
  package static func encodingMismatch(_ error: AvroError) -> StoreError {
    StoreError(
      .storageFailed, what: "Two states cannot be compared.", why: "\(error)",
      advice: "This is a bug in the program; please report it.")
  }
}
