import RetraceConfiguration
import RetraceSystem
import RetraceToolSupport

/// The file of settings.
enum ConfigurationFile {
  /// The environment variable that names another file.
  static let variable = "RETRACE_CONFIG"

  /// The path of the file; `nil` if neither a variable nor the home directory tells one.
  ///
  /// It is `RETRACE_CONFIG`, otherwise `retrace/track.toml` in the user's directory of settings
  /// (`XDG_CONFIG_HOME`, or `.config` in the home directory).
  static var path: String? {
    get throws(ToolFailure) {
      if let path = named { return path }
      if let folder = ThisProcess.environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
        return "\(folder)/retrace/track.toml"
      }
      guard let home = ThisProcess.environment("HOME"), home.hasPrefix("/") else { return nil }
      return "\(home)/.config/retrace/track.toml"
    }
  }

  private static var named: String? {
    ThisProcess.environment(variable).flatMap { $0.utf8.isEmpty ? nil : $0 }
  }

  /// Returns the bytes of the file; `nil` if there is none, or if its path is `/dev/null`.
  ///
  /// - Throws: A failure if the file cannot be read, or if `RETRACE_CONFIG` names none.
  static func read(_ path: String) throws(ToolFailure) -> [UInt8]? {
    guard path != "/dev/null" else { return nil }
    do throws(SystemError) {
      return try FileSystem.readWhole(path, limitBytes: TOMLDocument.bytesMax)
    } catch {
      switch error.code {
      case .noSuchFile, .notADirectory:
        guard named == nil else {
          throw .configuration(
            "There is no file \(path), which \(variable) names.",
            advice: "Make one with `track config edit`, or unset \(variable).")
        }
        return nil
      case .accessDenied:
        throw .configuration(
          "You do not have permission to read \(path).",
          advice: "Change the permissions of the file, or name another one in \(variable).")
      case .aboveLimit, .isADirectory, .invalidArgument:
        throw .configuration(
          "\(path) is not a file of at most \(TOMLDocument.bytesMax) bytes.",
          advice: "Replace it by a file of settings, or name another one in \(variable).")
      default:
        throw .configuration(
          "\(error).", advice: "Check the disk, or name another file in \(variable).",
          exitCode: ToolExit.storage)
      }
    }
  }

  /// Returns the path of the file for a command that writes it.
  static func pathToWrite() throws(ToolFailure) -> String {
    guard let path = try path else {
      throw .configuration(
        "Neither XDG_CONFIG_HOME nor HOME is set, so there is no file of settings.",
        advice: "Name a file in \(variable).")
    }
    // A device must not be replaced by a file.
    if let info = try? FileSystem.info(path), !info.isRegular {
      throw .configuration(
        "\(path) is no file.", advice: "Name a file in \(variable), or unset it.")
    }
    return path
  }

  /// Returns the bytes of a file for a command that changes them; empty if there is none.
  static func bytesToChange(_ path: String) throws(ToolFailure) -> [UInt8] {
    do throws(SystemError) {
      if try !FileSystem.exists(path) { return [] }
    } catch {
      // Reading the file gives the failure.
    }
    return try read(path) ?? []
  }

  /// Replaces the file in one step; a link stays a link.
  static func write(_ bytes: [UInt8], to path: String) throws(ToolFailure) {
    do throws(SystemError) {
      if let end = path.utf8.lastIndex(of: UInt8(ascii: "/")), end > path.startIndex {
        try FileSystem.makeDirectories(String(path[..<end]))
      }
      let target = (try? FileSystem.realPath(path)) ?? path
      let mode = (try? FileSystem.info(target))?.mode
      try FileSystem.replace(target, with: bytes.span, mode: mode ?? 0o600)
    } catch {
      throw ToolFailure(
        what: "The settings were not changed.", why: "\(error).",
        advice: "Check the permissions of \(path) and of its directory.",
        exitCode: ToolExit.storage)
    }
  }
}
