/// What is wrong with a file of trees.
package struct TreeFault: Error, Hashable, Sendable {
  /// What was found, in a few words.
  package var detail: String
  /// Whether bytes are not what was written; else they could not be looked at.
  package var isDamage: Bool

  init(_ detail: String, isDamage: Bool = true) {
    self.detail = detail
    self.isDamage = isDamage
  }

  /// What it means that a file could not be opened.
  init(_ failure: StructureFailure) {
    switch failure {
    case .damaged(let damage): self.init("\(damage)")
    case .otherVersion(let version): self.init("it is of LMDB's data version \(version)")
    case .unreadable(let error): self.init("it cannot be read: \(error)", isDamage: false)
    }
  }
}
