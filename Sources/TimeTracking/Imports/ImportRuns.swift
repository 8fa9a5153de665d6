public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The decisions and rules of imports.
public enum ImportRuns: EntityModule {
  /// The ids.
  public typealias ID = ImportRunID
  /// The changes.
  public typealias Changes = ImportRunChanges
  /// The commands.
  public typealias Command = ImportCommand
  /// The refusals.
  public typealias Refusal = ImportRefusal

  /// Decides a command.
  public static func decide(
    _ command: ImportCommand, in editor: inout EntityEditor<DomainEdit>
  ) throws(ImportRefusal) {
    let moment = editor.moment
    switch command {
    case .begin(let source, let file, let digest):
      editor.isBulk = true
      try begin(source, file, digest, in: &editor)
    case .rows(let id, let rows):
      editor.isBulk = true
      var run = try open(id, in: editor)
      guard rows.first == run.rows else { throw .outOfOrder(expected: run.rows) }
      guard let list = rows.rows else { throw .rowsMissing }
      var inserter = RowInserter(list, of: id, run.source)
      for (number, row) in list.enumerated() {
        do throws(EntityRefusal) {
          try inserter.insert(row, in: &editor)
        } catch {
          throw .row(rows.first + Int64(number), error)
        }
      }
      run.rows += rows.count
      editor.change(id, of: Self.self) { $0 = run }
    case .finish(let id):
      let run = try open(id, in: editor)
      // Another import of the same file may be finished by now.
      if let active = editor.state.activeImport(of: run.digest) { throw .alreadyImported(active) }
      editor.change(id, of: Self.self) { $0.isActive = true }
    case .cancel(let id):
      editor.isBulk = true
      _ = try open(id, in: editor)
      editor.change(id, of: Self.self) { $0.deleted = moment }
    }
  }

  /// Returns whether no user has two running entries after an import is redone, and no other import
  /// of the file is active.
  public static func allows(_ id: ImportRunID, in state: borrowing DomainState) -> Bool {
    guard let run = state.importRuns[id], run.isActive else { return true }
    let other = state.activeImport(of: run.digest, except: id)
    guard other == nil else { return false }
    var users: Set<UserID> = []
    var isAllowed = true
    state.forEachRunningEntry { _, entry in
      if !users.insert(entry.user).inserted { isAllowed = false }
    }
    return isAllowed
  }

  /// Sets the moment of the last change, and marks an active import as finished once.
  public static func touch(_ entity: inout ImportRun, at moment: Moment) {
    entity.modified = moment
    if entity.isActive { entity.wasFinished = true }
  }

  /// Returns an open import.
  private static func open(
    _ id: ImportRunID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(ImportRefusal) -> ImportRun {
    guard let run = editor.entity(id, of: Self.self) else { throw .unknownRun(id) }
    guard run.isOpen else { throw .ended(id) }
    return run
  }

  private static func begin(
    _ source: Name, _ file: String, _ digest: Digest, in editor: inout EntityEditor<DomainEdit>
  ) throws(ImportRefusal) {
    guard file.utf8.count <= ImportRun.fileBytesMax else { throw .fileNameTooLong }
    let id: SourceID
    do throws(EntityRefusal) {
      id = try ExternalSources.findOrCreate(ExternalSource(name: source), in: &editor)
    } catch {
      throw .entity(error)
    }
    try editor.state.checkImport(of: digest, from: id)
    // Continuing an import needs no fact, because its number of rows says where it stopped.
    guard editor.state.openImport(of: id) == nil else { return }
    editor.insert(ImportRun(source: id, file: file, digest: digest), of: Self.self)
  }
}

extension DomainState {
  /// Checks that a file may be imported from a source now.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the file.
  ///   - source: The source; `nil` for one that does not exist yet.
  /// - Complexity: O(imports).
  /// - Throws: ``ImportRefusal`` if the file was imported, or another import is open.
  public func checkImport(of digest: Digest, from source: SourceID?) throws(ImportRefusal) {
    if let active = activeImport(of: digest) { throw .alreadyImported(active) }
    if let other = openImport(ofFile: digest), other.run.source != source {
      throw .anotherRuns(other.id)
    }
    if let source, let run = openImport(of: source), run.run.digest != digest {
      throw .anotherRuns(run.id)
    }
  }

  /// Returns the active import of a file, whatever its source and name.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the file.
  ///   - other: An import to ignore.
  /// - Complexity: O(imports).
  public func activeImport(
    of digest: Digest, except other: ImportRunID? = nil
  ) -> ImportRunID? {
    var found: ImportRunID?
    importRuns.forEach { id, run in
      if id != other, run.isActive, run.digest == digest { found = id }
    }
    return found
  }

  /// Returns the open import of a file, whatever its source and name.
  ///
  /// - Complexity: O(imports).
  func openImport(ofFile digest: Digest) -> (id: ImportRunID, run: ImportRun)? {
    var found: (id: ImportRunID, run: ImportRun)?
    importRuns.forEach { id, run in
      if run.digest == digest, run.isOpen { found = (id, run) }
    }
    return found
  }

  /// Returns the open import of a source.
  ///
  /// - Complexity: O(imports).
  public func openImport(of source: SourceID) -> (id: ImportRunID, run: ImportRun)? {
    var found: (id: ImportRunID, run: ImportRun)?
    importRuns.forEach { id, run in
      if run.source == source, run.isOpen { found = (id, run) }
    }
    return found
  }
}
