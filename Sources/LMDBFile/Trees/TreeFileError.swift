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

  package init(_ error: SystemError) { self.init("\(error)", isDamage: false) }

  init(_ failure: StructureFailure) {
    switch failure {
    case .damaged(let damage): self.init("\(damage)")
    case .unsupportedVersion(let version), .laterLMDB(let version):
      self.init("it has LMDB's data version \(version)")
    case .unreadable(let error): self.init("it cannot be read: \(error)", isDamage: false)
    }
  }
}
