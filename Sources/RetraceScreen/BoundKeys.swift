/// A binding of a table, without what it gives.
package struct BoundKeys: Hashable, Sendable {
  /// The title of the table.
  package var table: String
  /// What the keys do.
  package var help: String
  /// The keys; none for a binding of typed text.
  package var keys: [Key]
}

extension Bindings {
  /// The bindings in the order in which a key is looked up, whether they are available or not.
  ///
  /// - Complexity: O(bindings).
  package var bound: [BoundKeys] {
    levels.flatMap { level in
      level.bindings.map { BoundKeys(table: level.title, help: $0.help, keys: $0.keys) }
    }
  }

  /// Returns the binding that takes a key in a context, or that says why it does not; `nil` if no
  /// binding does.
  ///
  /// - Complexity: As ``value(for:in:)``.
  package func taker(of key: Key, in context: Context) -> BoundKeys? {
    for key in [key] + (key.withoutShift.map { [$0] } ?? []) {
      for level in levels {
        for isText in [false, true] {
          let asked = level.bindings.first { $0.isText == isText && $0.matches(key) }
          guard let asked else { continue }
          if case .passed = asked.answer(to: key, in: context) { continue }
          return BoundKeys(table: level.title, help: asked.help, keys: asked.keys)
        }
      }
    }
    return nil
  }
}
