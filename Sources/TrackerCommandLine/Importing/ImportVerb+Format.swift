import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFormats

/// The format of a file, by an option or by the content.
extension ImportVerb {
  /// Returns the reader that an option names, or that the content of the file needs.
  ///
  /// - Throws: A failure if the content is unknown, or if columns are named for a file without any.
  func reader(of file: borrowing ImportFile) throws(ToolFailure) -> any ImportSource.Type {
    if let named = namedReader, columns.isEmpty || !named.format.hasColumns { return named }
    let found = try recognized(file, try importOptions())
    if let named = namedReader {
      guard let found, !found.format.hasColumns else { return named }
      throw .usage(
        "The file \(self.file ?? "") is no CSV. Its format is \(found.format.name).",
        advice: "Leave out --column.")
    }
    if let found { return found.source }
    let formats = ImportSources.all.map { $0.format }
    let kinds = formats.filter { !$0.hasColumns }.map(\.fileKind)
    throw .usage(
      "The format of the file \(self.file ?? "") is not known: it is no "
        + kinds.joined(separator: ", no ") + " and no CSV with a known header.",
      advice: "Name the columns of CSV with --column, or the format with --format, which takes "
        + formats.map(\.name).joined(separator: ", ") + ".")
  }

  /// Returns the failure for a file of another format than the one that was named, if it is one.
  func otherFormat(_ error: Importer.Failure, _ importing: ImportOptions) -> ToolFailure? {
    switch error {
    case .file, .part, .differs, .closed, .command, .format(_, .encoding): return nil
    case .format, .rejected: break
    }
    // What was read from a pipe cannot be read again.
    guard let path = file, path != "-", !path.hasPrefix("/dev/"),
      let found = Self.recognized(path, importing), found.format.name != format.name
    else { return nil }
    // A known header can be read with other columns, and as any CSV.
    let isAnyCSV = !columns.isEmpty || format.name == ImportSources.standard.format.name
    if found.format.hasColumns, isAnyCSV, format.hasColumns { return nil }
    return .usage(
      "The file \(path) is no \(format.fileKind). Its format is \(found.format.name).",
      advice: "Leave out --format \(format.name), or give another file.")
  }

  private func recognized(
    _ file: borrowing ImportFile, _ importing: ImportOptions
  ) throws(ToolFailure) -> RecognizedFormat? {
    do throws(Importer.Failure) {
      return try file.recognized(importing)
    } catch {
      throw failure(error, in: DomainState())
    }
  }

  private static func recognized(
    _ path: String, _ importing: ImportOptions
  ) -> RecognizedFormat? {
    do throws(Importer.Failure) {
      let file = try ImportFile.open(path)
      return try file.recognized(importing)
    } catch {
      return nil
    }
  }
}
