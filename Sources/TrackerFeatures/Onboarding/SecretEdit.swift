/// An edit of a password, which has its place at the end of the text.
///
/// It is never recorded: a driver carries it out on the plain text and records the surrogate.
public enum SecretEdit: Equatable, Sendable {
  /// A text is typed or pasted.
  case insert(String)
  /// The last character is deleted.
  case deleteLast
  /// The whole text is deleted.
  case clear
}

extension SecretEdit {
  // lint:allow it is called at the edge, as its documentation says
  /// Carries the edit out on the bytes of a text.
  ///
  /// It depends on the Unicode tables of the toolchain, so it belongs at the edge.
  ///
  /// - Complexity: O(bytes of the text).
  public func apply(to plain: inout [UInt8]) {
    switch self {
    case .insert(let text): plain += Array(text.utf8)
    case .deleteLast: plain = Array(String(decoding: plain, as: UTF8.self).dropLast().utf8)
    case .clear: plain = []
    }
  }
}
