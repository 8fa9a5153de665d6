package import RetraceBundle
import RetraceSystem

/// What becomes of the texts of a log in a bundle.
package struct BundleOptions: Sendable {
  /// Whether texts are kept, except for those that no bundle keeps.
  package var isPlain: Bool
  /// The fields whose texts are kept, besides those that the app names.
  package var allowed: [String]
  /// What the user says of the bundle; empty for what a log that is a bundle says already.
  package var message: String
  /// The key by which texts are replaced: 32 random bytes, which are not kept.
  package var key: [UInt8]

  /// Creates options.
  package init(
    isPlain: Bool = false, allowed: [String] = [], message: String = "", key: [UInt8]
  ) {
    self.isPlain = isPlain
    self.allowed = allowed
    self.message = message
    self.key = key
  }

  /// Replaces the key by another one, which follows from it.
  package mutating func changeKey() { key = SHA256Hasher.digest(of: key.span).bytes }
}

/// A bundle that was made, and what is in it.
package struct MadeBundle: Sendable {
  /// What the bundle says of itself.
  package var header: BundleHeader
  /// The bytes of the file.
  package var bytes: [UInt8]
  /// The number of texts that were replaced, by the field, in the order of the names.
  package var replaced: [(field: String, texts: Int)]
  /// The ids of the time zones in the log, each with whether its file is in the bundle.
  package var zones: [(id: String, hasFile: Bool)]
}
