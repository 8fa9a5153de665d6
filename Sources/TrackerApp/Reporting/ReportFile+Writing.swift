import Retrace
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

extension ReportFile {
  /// Returns the report of a state, as `track report --csv` prints it.
  ///
  /// - Parameters:
  ///   - domain: The entities.
  ///   - moment: The end of running entries.
  /// - Complexity: As the report.
  func csv(of domain: DomainState, at moment: Moment) -> ReportCSV {
    let report = domain.report(query, at: moment)
    return ReportCSV(report, ReportLabels(report, in: domain))
  }

  /// Writes values into the file.
  ///
  /// A file with the name stays as it is, unless it is to be replaced. Then it is replaced
  /// atomically. What is no regular file, such as a directory or a pipe, is never replaced.
  ///
  /// - Parameters:
  ///   - csv: The values.
  ///   - folder: The folder of a relative path; `nil` for the one of the process.
  /// - Complexity: O(bytes).
  func write(_ csv: ReportCSV, in folder: String? = nil) -> ReportFileOutcome {
    let lines = csv.lines
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.text.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    var path = Environment.process.expandingTilde(path)
    if let folder, !path.isEmpty, !path.hasPrefix("/") { path = "\(folder)/\(path)" }
    do throws(SystemError) {
      if replaces {
        try Self.replace(path, with: bytes)
      } else {
        try Self.create(path, with: bytes)
      }
      return .written(lines: Int64(lines.count - 1))
    } catch {
      return error.code == .fileExists && !replaces ? .exists : .failed(failure(error))
    }
  }

  /// Creates a file; one that cannot be written to its end is removed.
  private static func create(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let file = try OpenFile.open(path, [.write, .create, .exclusive], mode: 0o666)
    do throws(SystemError) {
      try file.write(bytes.span, at: 0)
      try file.synchronize()
    } catch {
      try? FileSystem.unlink(path)
      throw error
    }
  }

  private static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    // A link stays a link to the new file.
    let target = try FileSystem.realPath(path)
    let info = try FileSystem.info(target)
    guard info.isRegular else {
      throw SystemError(info.isDirectory ? .isADirectory : .invalidArgument, during: .open)
    }
    try FileSystem.replace(target, with: bytes.span, mode: info.mode)
  }

  private func failure(_ error: SystemError) -> FileFailure {
    let advice =
      switch error.code {
      case .noSuchFile, .notADirectory: "Name a folder that exists."
      case .accessDenied, .notPermitted, .readOnlyFileSystem: "Name a folder that you may write to."
      case .isADirectory: "Name a file."
      case .invalidArgument: "Name a file that is none yet, or that has text."
      case .nameTooLong: "Name the file with fewer letters."
      default: "Free some space, or name another folder."
      }
    return FileFailure(
      path: path, reason: error.code.description, advice: advice, code: error.code.rawValue)
  }
}
