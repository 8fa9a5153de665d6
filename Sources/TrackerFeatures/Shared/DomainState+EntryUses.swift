import Retrace
package import TimeTracking

/// The entries that refer to an entity.
extension DomainState {
  /// Returns the number of visible entries that meet a condition.
  ///
  /// - Complexity: O(entries), about 0.3 seconds for a million.
  package func visibleEntries(where isMeant: (TimeEntry, inout AliasResolver) -> Bool) -> Int {
    var count = 0
    var visible = VisibleEntries(self)
    var aliases = AliasResolver(self)
    timeEntries.forEach { _, entry in
      if visible.contains(entry), isMeant(entry, &aliases) { count += 1 }
    }
    return count
  }

  /// Returns the reason not to delete an entity, as a sentence.
  ///
  /// - Parameters:
  ///   - entity: The kind and the name of the entity.
  ///   - count: The number of entries that refer to it.
  package static func reason(toKeep entity: String, entries count: Int) -> String {
    "\(count == 1 ? "1 entry is" : "\(count) entries are") of the \(entity)."
  }
}
