import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of an import.
public struct ImportRunID: EntityID { @usableFromInline var number: Int64 }

/// An import of a file.
///
/// Its entries become visible together when it is finished, and invisible when it is undone.
public struct ImportRun: TableEntity, TrackedEntity {
  /// The maximum number of bytes of a file name.
  public static var fileBytesMax: Int { 4_096 }

  /// The system that the file came from.
  public var source: SourceID
  /// The name of the file.
  public var file: String
  /// The SHA-256 of the file.
  public var digest: Digest
  /// The number of rows imported so far.
  public var rows: Int64 = 0
  /// Whether it is finished and not undone.
  public var isActive: Bool = false
  /// Whether it was finished, even if that is undone by now; then no more rows are added.
  public var wasFinished: Bool = false
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the cancellation, if it was cancelled.
  public var deleted: Moment?

  /// Whether the import can continue and be finished.
  var isOpen: Bool { deleted == nil && !wasFinished }

  /// Creates an import without rows.
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
}
