package import Retrace

extension JSONValue {
  /// The value as a text that holds its JSON; `null` for `null`.
  ///
  /// A member with values of several kinds has one type this way, as readers of tables expect.
  package var asText: JSONValue { self == .null ? .null : .string(text()) }
}
