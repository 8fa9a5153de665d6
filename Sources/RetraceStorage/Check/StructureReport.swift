package import RetraceSystem

/// What a check of the pages of a data file found when all of them fit together.
public struct StructureReport: Hashable, Sendable {
  /// The number of the commit that was checked.
  public var transaction: UInt64
  /// The size of a page in bytes.
  public var pageSizeBytes: Int
  /// The number of pages that the file counts, the two meta pages included.
  public var pages: UInt64
  /// The number of pages of trees: inner pages and leaves.
  public var treePages: UInt64
  /// The number of pages that hold long values.
  public var overflowPages: UInt64
  /// The number of pages on the list of free ones.
  public var freePages: UInt64
  /// The number of pages that no tree and no list names; they do no harm.
  public var unusedPages: UInt64 { pages - 2 - treePages - overflowPages - freePages }
}

/// What is wrong with the pages of a data file.
public struct StructureDamage: Error, Hashable, Sendable {
  /// The part of the data file that a page belongs to.
  public enum Part: Hashable, Sendable {
    /// The two pages at the beginning, which say where everything else is.
    case meta
    /// The tree that names the databases.
    case main
    /// A named database.
    case database(String)
    /// The list of pages that can be used again.
    case freeList
  }

  /// The part that the page belongs to.
  public var part: Part
  /// The number of the page.
  public var page: UInt64
  /// What is wrong with it.
  public var detail: String
  /// The last key of the part up to which everything fits; `nil` if nothing is known to.
  public var after: [UInt8]?
  /// The first key that cannot be reached in order; `nil` if that is unknown.
  public var from: [UInt8]?
}

extension StructureDamage: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch part {
    case .meta: "meta page \(page) of its data file \(detail)"
    case .main: "page \(page) of its data file, of the list of databases, \(detail)"
    case .database(let name): "page \(page) of its data file, of the database \(name), \(detail)"
    case .freeList: "page \(page) of its data file, of the list of free pages, \(detail)"
    }
  }
}

/// Why a check of a data file did not end well.
package enum StructureFailure: Error {
  /// The pages do not fit together.
  case damaged(StructureDamage)
  /// The file is of another version of LMDB's format.
  case otherVersion(UInt64)
  /// The file could not be read.
  case unreadable(SystemError)
}
