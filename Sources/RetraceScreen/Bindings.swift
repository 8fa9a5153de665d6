/// A table of keys, from which dispatch, the hint line, the list of keys and the documentation are
/// made.
///
/// A table binds a key once. ``within(_:)`` puts a child's table before its parent's: a key that
/// the child passes on, or does not bind, goes to the parent.
///
/// ```swift
/// let window = Bindings<NotesState, NotesAction>("Window") {
///   Binding(.escape, hint: "close", help: "Close the search.") { _ in .closed }
/// }
/// let notes = Bindings<NotesState, NotesAction>("Notes") {
///   Binding(.text("n"), hint: "new", help: "Add a note.") { _ in .added(title: "") }
/// }
/// .within(window)
/// ```
///
/// A table is a value without state, so it is a constant of its feature, and is tested without a
/// terminal: look up each key of ``all`` in a context.
public struct Bindings<Context, Value>: Sendable {
  struct Level: Sendable {
    var title: String
    var bindings: [Binding<Context, Value>]
  }

  /// The table's own bindings first, then its parents'.
  let levels: [Level]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - title: The title in the list of keys.
  ///   - bindings: Lists the bindings, in the order in which hints and help show them.
  public init(
    _ title: String, @BindingsBuilder<Context, Value> bindings: () -> [Binding<Context, Value>]
  ) {
    levels = [Level(title: title, bindings: bindings())]
  }

  init(levels: [Level]) { self.levels = levels }

  /// The bindings, with the parents' last.
  public var all: [Binding<Context, Value>] { levels.flatMap { $0.bindings } }

  /// Returns this table followed by the bindings of a parent.
  public func within(_ parent: Bindings) -> Bindings {
    Bindings(levels: levels + parent.levels)
  }

  /// Returns this table for a wider context and wider values, to put a child's table before its
  /// parent's.
  ///
  /// - Parameters:
  ///   - context: Returns the child's context; `nil` passes all keys on.
  ///   - value: Returns the parent's value that contains a value of the child; its first argument
  ///     is the parent's context, which may have an id to add.
  public func map<Outer, Result>(
    context: @escaping @Sendable (Outer) throws(KeyProblem) -> Context?,
    value: @escaping @Sendable (Outer, Value) -> Result
  ) -> Bindings<Outer, Result> {
    Bindings<Outer, Result>(
      levels: levels.map { level in
        Bindings<Outer, Result>.Level(
          title: level.title,
          bindings: level.bindings.map { $0.map(context: context, value: value) })
      })
  }

  /// Returns the value that a key gives in a context, or `nil` if no binding takes the key.
  ///
  /// In each table a binding of the key itself is asked first, then the binding of typed text.
  ///
  /// A key with modifiers that is not bound does nothing. Only shift with an arrow, home, end, a
  /// page key, enter or backspace is then looked up without shift, because many terminals send no
  /// difference.
  ///
  /// - Complexity: O(bindings), plus the bindings that are asked.
  /// - Throws: ``KeyProblem/unavailable(_:)`` from the binding;
  ///   ``KeyProblem/boundTwice(_:help:)`` for a key that is listed in ``conflicts``.
  public func value(for key: Key, in context: Context) throws(KeyProblem) -> Value? {
    if let value = try ownValue(for: key, in: context) { return value }
    guard let plain = key.withoutShift else { return nil }
    return try ownValue(for: plain, in: context)
  }

  /// Returns the value that a key gives with exactly its modifiers.
  private func ownValue(for key: Key, in context: Context) throws(KeyProblem) -> Value? {
    for level in levels {
      for isText in [false, true] {
        var taking: Binding<Context, Value>?
        for binding in level.bindings where binding.isText == isText && binding.matches(key) {
          if let first = taking {
            throw .boundTwice(isText ? "text" : key.label, help: [first.help, binding.help])
          }
          taking = binding
        }
        if let value = try taking?.value(for: key, in: context) { return value }
      }
    }
    return nil
  }

  /// The keys that one table binds more than once, each as a ``KeyProblem/boundTwice(_:help:)``; a
  /// test should require an empty array.
  ///
  /// A key that a table and its parent bind is not a conflict, because the order is defined.
  ///
  /// - Complexity: O(`bindings`²) for each table.
  public var conflicts: [KeyProblem] {
    levels.flatMap { level in
      var seen: Set<Key> = []
      var problems = level.bindings.flatMap { $0.keys }.compactMap { key -> KeyProblem? in
        let all = level.bindings.flatMap { binding in
          binding.keys.filter { $0 == key }.map { _ in binding.help }
        }
        guard all.count > 1, seen.insert(key).inserted else { return nil }
        return .boundTwice(key.label, help: all)
      }
      let texts = level.bindings.filter { $0.isText }
      if texts.count > 1 { problems.append(.boundTwice("text", help: texts.map({ $0.help }))) }
      return problems
    }
  }
}

/// Builds the list of a table's bindings.
@resultBuilder
public enum BindingsBuilder<Context, Value> {
  /// Lists one binding.
  public static func buildExpression(
    _ binding: Binding<Context, Value>
  ) -> [Binding<Context, Value>] { [binding] }

  /// Lists several bindings, such as those for editing a text.
  public static func buildExpression(
    _ bindings: [Binding<Context, Value>]
  ) -> [Binding<Context, Value>] { bindings }

  /// Joins the lists in order.
  public static func buildBlock(
    _ bindings: [Binding<Context, Value>]...
  ) -> [Binding<Context, Value>] { bindings.flatMap { $0 } }
}
