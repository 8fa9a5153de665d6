package import RetraceConfiguration
import RetraceSystem

/// The file of the tracker's settings.
///
/// `track` reads all of it; `replay` and `audit` read the directory of the store.
package enum ConfigurationFile {
  /// The environment variable that names another file.
  package static let variable = "RETRACE_CONFIG"

  /// The path of the file; `nil` if neither a variable nor the home directory tells one.
  ///
  /// It is `RETRACE_CONFIG`, otherwise `retrace/track.toml` in the user's directory of settings
  /// (`XDG_CONFIG_HOME`, or `.config` in the home directory).
  package static var path: String? {
    if let path = named { return path }
    if let folder = ThisProcess.environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return "\(folder)/retrace/track.toml"
    }
    guard let home = ThisProcess.environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.config/retrace/track.toml"
  }

  private static var named: String? {
    ThisProcess.environment(variable).flatMap { $0.utf8.isEmpty ? nil : $0 }
  }

  /// The file's path and settings, or the error in its TOML; read once, and `nil` without a file.
  package static let loaded: Result<(path: String, document: TOMLDocument)?, ToolFailure> =
    Result { () throws(ToolFailure) in
      guard let path, let bytes = try read(path) else { return nil }
      return (path, try document(bytes, of: path))
    }

  /// Returns the bytes of the file; `nil` if there is none, or if its path is `/dev/null`.
  ///
  /// - Throws: A failure if the file cannot be read, or if `RETRACE_CONFIG` names none.
  package static func read(_ path: String) throws(ToolFailure) -> [UInt8]? {
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

  /// Returns the settings of a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - path: The path, for errors.
  /// - Throws: A usage failure with the line and column of the first error.
  package static func document(
    _ bytes: [UInt8], of path: String
  ) throws(ToolFailure) -> TOMLDocument {
    do throws(TOMLError) {
      return try TOMLDocument(bytes)
    } catch {
      let place = error.position
      throw .configuration(
        "\(path), line \(place.line), column \(place.column): \(error)",
        advice: "Correct the line, as with `track config edit`.")
    }
  }

  /// Returns the text of a setting.
  ///
  /// - Parameters:
  ///   - setting: The setting.
  ///   - path: The path of the file, for errors.
  ///   - example: A value that the setting can have, for errors.
  /// - Throws: A usage failure if the value is not a text.
  package static func text(
    of setting: TOMLDocument.Setting, in path: String, example: String
  ) throws(ToolFailure) -> String {
    guard case .string(let text) = setting.value else {
      let name = setting.path.joined(separator: ".")
      throw .configuration(
        "\(path), line \(setting.position.line): `\(name)` is \(setting.value.kind), and has to be "
          + "a text.",
        advice: "Write a text in quotes, as in \(name) = \"\(example)\".")
    }
    return text
  }

  /// The name of the setting that names the directory of the store.
  package static let storeName = "store"
  /// A value that the setting `store` can have.
  package static let storeExample = "~/time"

  /// Returns the directory that the setting `store` names, absolute.
  ///
  /// - Parameters:
  ///   - setting: The setting.
  ///   - path: The path of the file, for errors.
  /// - Throws: A usage failure if the value is neither an absolute path nor one below `~/`.
  package static func store(
    _ setting: TOMLDocument.Setting, in path: String
  ) throws(ToolFailure) -> String {
    let text = try text(of: setting, in: path, example: storeExample)
    if text.hasPrefix("~/"), let home = ThisProcess.environment("HOME"), home.hasPrefix("/") {
      return home + text.dropFirst()
    }
    guard text.hasPrefix("/") else {
      throw .configuration(
        "\(path), line \(setting.position.line): `\(storeName)`: The path `\(text)` is not "
          + "absolute.",
        advice: "Give a path that begins with / or with ~/.")
    }
    return text
  }
}

extension ToolFailure {
  /// Creates a failure for settings that are wrong.
  package static func configuration(
    _ why: String, advice: String, exitCode: Int32 = ToolExit.usage
  ) -> ToolFailure {
    ToolFailure(
      what: "The settings were not read.", why: why, advice: advice, exitCode: exitCode)
  }
}
