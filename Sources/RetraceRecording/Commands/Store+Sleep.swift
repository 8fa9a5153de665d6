import Retrace
package import RetraceStorage

extension Store {
  /// Returns how long this machine was suspended since a moment, at least.
  ///
  /// - Complexity: O(log records), each time O(bytes of one block).
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package func slept(
    since moment: Moment, by clock: SleepClock
  ) throws(StoreError) -> ElapsedTime {
    try storage.withReadView { view throws(StoreError) in
      try view.slept(since: moment, by: clock)
    }
  }
}
