public import RetraceArchitecture
public import RetraceLog

extension RecordFold {
  /// Folds a record; what is wrong with it is an error of the store.
  ///
  /// - Complexity: That of `RecordFold.advance(_:)`.
  /// - Throws: `damaged` or `incompatible`; the state is then unchanged.
  /// - Returns: What the reducer answered.
  @inlinable
  @discardableResult
  public mutating func take(
    _ record: borrowing RecordCursor
  ) throws(StoreError) -> Effect<App.Action, App.Environment> {
    do throws(FoldError) {
      return try advance(record)
    } catch {
      throw StoreError(error)
    }
  }
}
