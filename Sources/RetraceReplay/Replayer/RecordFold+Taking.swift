import RetraceArchitecture
import RetraceLog
import RetraceStorage

extension RecordFold {
  /// Folds a record; what is wrong with it is an error of the store.
  ///
  /// - Complexity: As ``RecordFold/advance(_:)``.
  /// - Throws: `damaged` or `incompatible`; the state is then unchanged.
  /// - Returns: What the reducer answered.
  @discardableResult
  mutating func take(
    _ record: borrowing RecordCursor
  ) throws(StoreError) -> Effect<App.Action, App.Environment> {
    do throws(FoldError) {
      return try advance(record)
    } catch {
      throw StoreError(error)
    }
  }
}
