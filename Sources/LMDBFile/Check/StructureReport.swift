package import RetraceSystem

/// The figures of a data file whose pages are all consistent.
package struct StructureReport: Hashable, Sendable {
  /// The number of the commit that was checked.
  package var transaction: UInt64
  package var pageSizeBytes: Int
  /// The page count of the commit, including the two meta pages.
  package var pages: UInt64
  package var treePages: UInt64
  /// The number of overflow pages, which hold long values.
  package var overflowPages: UInt64
  package var freePages: UInt64
  /// The names of the databases, in the order of their bytes.
  package var databases: [String]
  /// The number of pages that no tree and no list names; they are harmless.
  package var unusedPages: UInt64 { pages - 2 - treePages - overflowPages - freePages }
}

/// Damage to a page of a data file.
package struct StructureDamage: Error, Hashable, Sendable {
  /// The part of the data file that a page belongs to.
  package enum Part: Hashable, Sendable {
    /// The two pages at the start, which lead to everything else.
    case meta
    /// The tree that names the databases.
    case main
    case database(String)
    case freeList
  }

  package var part: Part
  package var page: UInt64
  package var detail: String
  /// The last key up to which the part is consistent; `nil` if unknown.
  package var after: [UInt8]?
  /// The first key that the damage makes unreachable; `nil` if unknown.
  package var from: [UInt8]?
}

extension StructureDamage: CustomStringConvertible {
  package var description: String {
    switch part {
    case .meta: "meta page \(page) of its data file \(detail)"
    case .main: "page \(page) of its data file, in the list of databases, \(detail)"
    case .database(let name): "page \(page) of its data file, in the database \(name), \(detail)"
    case .freeList: "page \(page) of its data file, in the list of free pages, \(detail)"
    }
  }
}

/// The reason why a check of a data file failed.
package enum StructureFailure: Error {
  case damaged(StructureDamage)
  /// The file has the page layout of LMDB 0.9, but another data version than 1.
  case unsupportedVersion(UInt64)
  /// The file has the page layout of LMDB 1.0, which writes data version 3.
  case laterLMDB(dataVersion: UInt64)
  case unreadable(SystemError)
}
