package import RetraceSystem

/// An error in an LMDB data file that is read without LMDB.
package struct TreeFileError: Error, Hashable, Sendable {
  /// A description in a few words.
  package var detail: String
  /// Whether the bytes are damaged; otherwise they could not be read.
  package var isDamage: Bool

  package init(_ detail: String, isDamage: Bool = true) {
    self.detail = detail
    self.isDamage = isDamage
  }

  /// Creates the error for a file or directory that the system refused.
  package init(_ error: SystemError) { self.init("\(error)", isDamage: false) }

  /// Creates the error for a file that could not be opened.
  init(_ failure: StructureFailure) {
    switch failure {
    case .damaged(let damage): self.init("\(damage)")
    case .unsupportedVersion(let version), .laterLMDB(let version):
      self.init("it has LMDB's data version \(version)")
    case .unreadable(let error): self.init("it cannot be read: \(error)", isDamage: false)
    }
  }
}
