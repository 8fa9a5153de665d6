/// A key that means something in a context, as a list of actions shows it.
public struct BoundAction: Hashable, Sendable {
  /// The key that performs the action.
  public let key: Key
  /// The names of the keys that do the same.
  public let label: String
  /// What the key does, as a sentence.
  public let help: String
  /// The reason why the key does nothing now; `nil` if it does something.
  public let problem: KeyProblem?
}

extension Bindings {
  /// Returns the actions of the table in a context, in the order of the list of keys.
  ///
  /// Keys of a binding that mean the same are one action. Of keys that mean different things, such
  /// as arrows, each one that the name of the binding has is an action. Typed text is none, and
  /// neither is a key that passes on, or that a table before it takes.
  ///
  /// - Parameters:
  ///   - context: What the user sees.
  ///   - isListed: Returns whether a binding is listed, by what its keys do. The others are not
  ///     asked.
  /// - Complexity: O(bindings), plus asking each listed one.
  public func actions(
    in context: Context, where isListed: (_ help: String) -> Bool = { _ in true }
  ) -> [BoundAction] {
    var actions: [BoundAction] = []
    for (number, level) in levels.enumerated() {
      for binding in level.bindings where !binding.isText && isListed(binding.help) {
        var shared: Binding<Context, Value>.Answer?
        let named = binding.keysOfLabel
        let given = (named.isEmpty ? binding.keys : named).compactMap { key -> BoundAction? in
          guard !isTaken(key, in: context, before: number) else { return nil }
          let label = binding.hasSynonyms ? binding.label(of: binding.keys) : key.label
          func action(_ problem: KeyProblem?) -> BoundAction {
            BoundAction(key: key, label: label, help: binding.help, problem: problem)
          }
          let answer = shared ?? binding.answer(to: key, in: context)
          if binding.areAvailableTogether { shared = answer }
          return switch answer {
          case .passed: nil
          case .given: action(nil)
          case .unavailable(let problem): action(problem)
          }
        }
        guard binding.hasSynonyms else {
          actions += given
          continue
        }
        if let first = given.first(where: { $0.problem == nil }) ?? given.first {
          actions.append(first)
        }
      }
    }
    return actions
  }
}

extension Binding {
  /// The keys that the name of the binding has; none without a name of its own.
  fileprivate var keysOfLabel: [Key] {
    guard let label else { return [] }
    return keys.filter { key in
      label.utf8.split(separator: UInt8(ascii: ",")).contains { part in
        part.drop { $0 == UInt8(ascii: " ") }.elementsEqual(key.label.utf8)
      }
    }
  }
}
