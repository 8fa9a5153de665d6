import RetraceRecording
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures
import TrackerFormats

/// The failures of an import.
extension ImportVerb {
  func failure(_ failure: Importer.Failure, in domain: DomainState) -> ToolFailure {
    let what = "The file \(file ?? "") was not imported."
    switch failure {
    case .file(let error):
      return ToolFailure(
        what: what,
        why: error.code == .isADirectory
          ? "It is a directory without files of timewarrior, such as 2026-03.data."
          : reason(error),
        advice: "Check the name and the permissions of the file.",
        exitCode: isWrongFile(error) ? ToolExit.usage : ToolExit.storage)
    case .part(let name, let error):
      return self.failure(self.failure(error, in: domain), error, of: name)
    case .format(_, .empty):
      return .refused(
        "It has no header.", advice: "The first line has to name the columns.", what: what)
    case .format(let format, .notFile(let why)):
      return .refused("It is no \(format.fileKind): \(why).", advice: format.advice, what: what)
    case .format(_, .encoding(let encoding)): return self.failure(encoding, what)
    case .format(_, .ambiguousDate(let text, let dayFirst, let monthFirst)):
      return ToolFailure(
        what: what,
        why: "All its dates have two readings: \(text) is \(dayFirst) or \(monthFirst).",
        advice: "Add --date-format dmy for the first, or --date-format mdy for the second.",
        exitCode: ToolExit.usage)
    case .format(_, .row(let row)):
      return .refused(
        text(row).capitalizedFirst + ".",
        advice: "Correct it, or take it out of the file. Nothing was written.", what: what)
    case .format(_, .columns(let error, let separator)):
      return self.failure(error, separator, what)
    case .rejected(let rows):
      let count = rows.count
      return .refused(
        "\(count) row\(count == 1 ? " is" : "s are") invalid; the first is "
          + "\(rows.kept.first.map(text) ?? "unknown").",
        advice: isStrict
          ? "Correct them, or leave out --strict to import the others. Nothing was written."
          : "Correct them, or the options that say how the file is written. Nothing was written.",
        what: what)
    case .differs(let file):
      return .refused(
        "An import of \(file) was interrupted, and this command makes other entries of it.",
        advice: "Repeat the command as it was, or cancel that import with "
          + "`track import --cancel --source NAME` and begin again.", what: what)
    case .closed(let row, let refusal, let rows):
      return self.failure(row, in: refusal, rows: rows, domain, what)
    case .command(let error):
      var failure = ToolFailure(what, error, in: domain, options)
      // The period was closed after the rows had been checked.
      if case .refused(.closing, _) = error {
        failure.why += " The rows are in the log, and are not visible."
        failure.advice += Self.adviceOnRows
      }
      return failure
    }
  }

  /// Returns the failure for a row in a closed period.
  private func failure(
    _ row: ImportedRow, in refusal: ClosingRefusal, rows: Int64, _ domain: DomainState,
    _ what: String
  ) -> ToolFailure {
    let zone = options.shownZone(in: domain)
    var failure = ToolFailure.refused(what, .closing(refusal), in: domain, zone)
    failure.why += " The file has a part of it: \(row.mention(zone: zone))."
    if rows > 0 {
      failure.why += " An interrupted run has \(rows) rows in the log, which are not visible."
      failure.advice += Self.adviceOnRows
    } else {
      failure.why += " Nothing was written."
      failure.advice += " Or leave out the rows of that period."
    }
    return failure
  }

  /// What to do about rows in the log of an import that is not finished.
  private static let adviceOnRows =
    " Then repeat the command. Or cancel the import: `track import --cancel --source NAME`."

  /// Returns the failure of a header that lacks columns.
  private func failure(
    _ error: ColumnMapping.Failure, _ separator: UInt8?, _ what: String
  ) -> ToolFailure {
    let delimiter =
      switch separator {
      case UInt8(ascii: "\t"): "tab"
      case .some(let byte): "\"\(Unicode.Scalar(byte))\""
      case nil: ""
      }
    let advice =
      if case .projectMissing(let field) = error {
        "Add --column project=HEADER, or leave out the column of the \(field.rawValue)."
      } else if separator == nil {
        "Name the columns as the header does: --column FIELD=HEADER."
      } else {
        "The header has these columns with another delimiter: add --delimiter \(delimiter)."
      }
    return ToolFailure(
      what: what, why: "\(error)".capitalizedFirst + ".", advice: advice,
      exitCode: ToolExit.usage)
  }

  /// Returns the failure of a file of a directory.
  private func failure(
    _ failure: ToolFailure, _ error: Importer.Failure, of name: String
  ) -> ToolFailure {
    var failure = failure
    failure.why = "\(name): \(failure.why)"
    failure.advice = "Correct that file, or move it to another directory."
    switch error {
    case .file(let error): failure.why = "\(name): \(reason(error))"
    case .format(_, .encoding(let encoding)):
      let folder = file ?? ""
      let path = commandWord(folder.hasSuffix("/") ? "\(folder)\(name)" : "\(folder)/\(name)")
      failure.advice =
        "Convert it with `iconv -f \(encoding.iconvName) -t UTF-8 \(path) > utf8.data`, and put "
        + "utf8.data in its place."
    default: break
    }
    return failure
  }

  private func failure(_ encoding: TextEncoding, _ what: String) -> ToolFailure {
    let name = encoding == .windows1252 ? "Windows-1252 or Latin-1" : encoding.iconvName
    let command = "iconv -f \(encoding.iconvName) -t UTF-8"
    let file = self.file ?? "-"
    let ending = file.split(separator: "/").last?.split(separator: ".").dropFirst().last
    let converted = commandWord("utf8" + (ending.map { ".\($0)" } ?? ""))
    return .refused(
      "It seems to be in \(name), not in UTF-8.",
      advice: file == "-"
        ? "Pipe it through `\(command)`."
        : "Convert it with `\(command) \(commandWord(file)) > \(converted)`, "
          + "and import \(converted).",
      what: what)
  }

  /// Returns whether the error means that the command line names the wrong file.
  private func isWrongFile(_ error: SystemError) -> Bool {
    [.noSuchFile, .notADirectory, .isADirectory, .accessDenied, .nameTooLong, .tooManyLinks]
      .contains(error.code)
  }

  private func reason(_ error: SystemError) -> String {
    switch error.code {
    case .noSuchFile: "There is no such file."
    case .isADirectory: "It is a directory."
    case .accessDenied: "You do not have permission to read it."
    default: "\(error)."
    }
  }
}
