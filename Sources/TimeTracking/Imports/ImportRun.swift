import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of an import.
public struct ImportRunID: EntityID { @usableFromInline var number: Int64 }

/// An import of a file.
///
/// Its entries become visible at once when it is finished, and invisible when it is undone.
public struct ImportRun: TableEntity, TrackedEntity {
  /// The most bytes of the name of a file.
  public static var fileBytesMax: Int { 4_096 }

  /// The system that the file came from.
  public var source: SourceID
  /// The name of the file.
  public var file: String
  /// The SHA-256 of the file.
  public var digest: Digest
  /// The number of rows that were imported so far.
  public var rows: Int64 = 0
  /// Whether it is finished and not undone.
  public var isActive: Bool = false
  /// Whether it was finished, also if that is undone by now: no rows are added any more.
  public var wasFinished: Bool = false
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// When it was changed last.
  public var modified: Moment = Moment(microseconds: 0)
  /// When it was given up.
  public var deleted: Moment?

  /// Whether rows can be added, and it can be finished.
  var isOpen: Bool { deleted == nil && !wasFinished }

  /// Makes an import without rows.
  public init(source: SourceID, file: String, digest: Digest) {
    self.source = source
    self.file = file
    self.digest = digest
  }
}

/// The changes of the fields of an import.
public struct ImportRunChanges: EntityChanges {
  /// The entity.
  public typealias Entity = ImportRun

  /// The change of `rows`.
  public var rows: Change<Int64>?
  /// The change of `isActive`.
  public var isActive: Change<Bool>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?

  /// Makes a value without changes.
  public init() {}
}
