/// A difference between the checks of lmdb 3.0.0's verifier and of ``StructureCheck``.
///
/// The page of `LMDBFile` explains each of them.
enum VerifierDifference: String, CaseIterable {
  // Only the verifier reports these.
  case reusedLongValue
  case lostPage
  // Only ``StructureCheck`` reports these.
  case separator
  case gap
  case longKey
  case nodeFlags
  case nestedDatabase
  case emptyKey
  case olderMetaPage
  case metaPageFlags
  case treeFlags
  case duplicates

  /// The texts of which every problem that the verifier reports has one; none if it reports none.
  var verifierTexts: [String] {
    switch self {
    case .reusedLongValue:
      ["header mp_pages", "overflow pages, record says", "neither reachable nor in the freeDB"]
    case .lostPage: ["neither reachable nor in the freeDB"]
    default: []
    }
  }

  /// The text of the damage that ``StructureCheck`` reports; `nil` if it reports none.
  var checkText: String? {
    switch self {
    case .reusedLongValue, .lostPage: nil
    case .separator: "has a key that belongs to another page"
    case .gap: "has its nodes in the wrong place"
    case .longKey: "has a node in the wrong place"
    case .nodeFlags: "has a value in the wrong place"
    case .nestedDatabase: "contains a nested database"
    case .emptyKey: "has an empty key"
    case .olderMetaPage: "the other one to commit"
    case .metaPageFlags: "is not an LMDB meta page"
    case .treeFlags: "has unknown flags"
    case .duplicates: "describes a database with unknown flags or a wrong size"
    }
  }

  /// Returns whether the difference explains two verdicts.
  ///
  /// - Parameters:
  ///   - damage: What ``StructureCheck`` reports; `nil` for nothing.
  ///   - problems: What the verifier reports.
  func explains(_ damage: String?, _ problems: [String]) -> Bool {
    if let checkText {
      return problems.isEmpty && damage?.contains(checkText) == true
    }
    return damage == nil && !problems.isEmpty
      && problems.allSatisfy { problem in verifierTexts.contains { problem.contains($0) } }
  }
}
