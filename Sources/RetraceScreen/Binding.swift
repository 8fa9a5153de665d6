/// A line of a table of bindings: keys, what they do for the user, and the value that they give.
///
/// The value is made from what the user saw when pressing the key, the context:
///
/// ```swift
/// let signing = Binding<TextDraft, String>(.enter, hint: "sign", help: "Sign with the name.") {
///   draft throws(KeyProblem) in
///   guard !draft.text.isEmpty else { throw .unavailable("Type your name first.") }
///   return draft.text
/// }
/// ```
///
/// A binding has one of three results: a value, ``KeyProblem/unavailable(_:)`` with a reason that
/// the user is told, or `nil`. A key for which the result is `nil` is passed on, as if the table
/// did not bind it now.
public struct Binding<Context, Value>: Sendable {
  /// The keys; none for a binding of typed text.
  public let keys: [Key]
  /// The word or two for the hint line; `nil` if the binding is not shown there.
  public let hint: String?
  /// The word or two for a list of keys in columns, where the sentence does not fit.
  public let brief: String?
  /// The purpose of the keys, as a sentence for the list of keys.
  public let help: String
  /// The names of the keys, if they differ from ``keys``.
  let label: String?
  /// Whether all keys mean the same, so that one of them stands for all on a narrow line.
  let hasSynonyms: Bool
  /// Whether either all keys are available or none, so that only the first one is asked.
  let areAvailableTogether: Bool
  private let give: @Sendable (Context, Key) throws(KeyProblem) -> Value?

  /// Creates a binding whose keys all give the same value.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - hint: The word or two for the hint line; by default the binding is not shown there.
  ///   - brief: The word or two for a list of keys in columns; by default those of the hint.
  ///   - help: What the keys do, as a sentence.
  ///   - value: Returns the value, or `nil` to pass the key on. It is also called to find out
  ///     whether the binding is available, so it must be cheap and have no effects.
  public init(
    _ keys: Key..., hint: String? = nil, brief: String? = nil, help: String,
    value: @escaping @Sendable (Context) throws(KeyProblem) -> Value?
  ) {
    self.init(
      keys: keys, label: nil, hasSynonyms: true, areAvailableTogether: true, hint: hint,
      brief: brief, help: help
    ) { context, _ throws(KeyProblem) in
      try value(context)
    }
  }

  /// Creates a binding whose value depends on the key, such as a digit that picks a row.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - label: A short name of all keys, such as `1-9`; by default their names.
  ///   - areAvailableTogether: Whether either all keys are available or none, so that only the
  ///     first one is asked for the hint line and the list of keys.
  ///   - hint: The word or two for the hint line; by default the binding is not shown there.
  ///   - brief: The word or two for a list of keys in columns; by default those of the hint.
  ///   - help: What the keys do, as a sentence.
  ///   - value: Returns the value for a key, or `nil` to pass the key on; see
  ///     ``init(_:hint:brief:help:value:)``.
  public init(
    keys: [Key], label: String? = nil, areAvailableTogether: Bool = false, hint: String? = nil,
    brief: String? = nil, help: String,
    value: @escaping @Sendable (Context, Key) throws(KeyProblem) -> Value?
  ) {
    self.init(
      keys: keys, label: label, hasSynonyms: false, areAvailableTogether: areAvailableTogether,
      hint: hint, brief: brief, help: help, value: value)
  }

  private init(
    keys: [Key], label: String?, hasSynonyms: Bool, areAvailableTogether: Bool, hint: String?,
    brief: String?, help: String,
    value: @escaping @Sendable (Context, Key) throws(KeyProblem) -> Value?
  ) {
    self.keys = keys
    self.label = label
    self.hasSynonyms = hasSynonyms
    self.areAvailableTogether = areAvailableTogether
    self.hint = hint
    self.brief = brief ?? hint
    self.help = help
    give = value
  }

  /// Creates a binding of typed or pasted text that no other binding of the table takes.
  ///
  /// - Parameters:
  ///   - label: The name of the text in the list of keys.
  ///   - help: What typing does, as a sentence.
  ///   - value: Returns the value for a text, or `nil` to pass the text on. It is also called with
  ///     an empty text, to find out whether the binding is available.
  public static func text(
    label: String = "text", help: String,
    value: @escaping @Sendable (Context, String) throws(KeyProblem) -> Value?
  ) -> Binding {
    Binding(keys: [], label: label, help: help) { context, key throws(KeyProblem) in
      switch key.code {
      case .text(let text), .paste(let text): try value(context, text)
      default: nil
      }
    }
  }

  /// Returns the value of a key, or `nil` if the binding passes the key on.
  ///
  /// - Complexity: As the function that the binding was made with.
  /// - Throws: The problem, if the binding is not available.
  public func value(for key: Key, in context: Context) throws(KeyProblem) -> Value? {
    try give(context, key)
  }

  var isText: Bool { keys.isEmpty }

  func matches(_ key: Key) -> Bool {
    switch key.code {
    case .text where isText, .paste where isText: true
    default: keys.contains(key)
    }
  }

  /// Returns the binding for a context and values that contain its own.
  func map<Outer, Result>(
    context: @escaping @Sendable (Outer) throws(KeyProblem) -> Context?,
    value: @escaping @Sendable (Outer, Value) -> Result
  ) -> Binding<Outer, Result> {
    let give = self.give
    return Binding<Outer, Result>(
      keys: keys, label: label, hasSynonyms: hasSynonyms,
      areAvailableTogether: areAvailableTogether, hint: hint, brief: brief, help: help
    ) { outer, key throws(KeyProblem) in
      guard let inner = try context(outer), let given = try give(inner, key) else { return nil }
      return value(outer, given)
    }
  }
}

/// The reason why a key does nothing.
public enum KeyProblem: Error, Hashable {
  /// The binding of the key is not available now, for a reason that the user is told.
  case unavailable(String)
  /// A table binds a key, named as in the list of keys, more than once; the texts are the help
  /// texts of its bindings.
  case boundTwice(String, help: [String])
}

extension KeyProblem: CustomStringConvertible {
  /// The reason as a sentence of safe text.
  public var description: String {
    switch self {
    case .unavailable(let reason): SafeText.line(reason)
    case .boundTwice(let key, let help):
      SafeText.line("The key \(key) is bound more than once: \(help.joined(separator: " "))")
    }
  }
}

extension Key {
  /// The name of the key as users read it.
  package var label: String {
    switch code {
    case .text(" "): "space"
    case .text(let text): SafeText.line(text)
    default: SafeText.line(name)
    }
  }
}
