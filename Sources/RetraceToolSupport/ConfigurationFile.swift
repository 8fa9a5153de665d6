package import RetraceCommandLine
import RetraceSystem

/// The file of an app's settings.
///
/// The app reads all settings; `replay` and `audit` read only the directory of the store.
package struct ConfigurationFile: Sendable {
  package static let variable = "RETRACE_CONFIG"

  /// The path of the file; `nil` if neither a variable nor the home directory gives one.
  ///
  /// It is `RETRACE_CONFIG`, otherwise `retrace/APP.toml` in the user's directory of settings
  /// (`XDG_CONFIG_HOME`, or `.config` in the home directory).
  package let path: String?
  private let isNamed: Bool
  private let environment: Environment

  /// Finds the file.
  ///
  /// - Parameters:
  ///   - app: The name of the app.
  ///   - environment: The variables.
  package init(of app: String, in environment: Environment) {
    self.environment = environment
    let named = environment.text(Self.variable)
    isNamed = named != nil
    path = named ?? environment.settingsFolder.map { "\($0)/retrace/\(app).toml" }
  }

  /// Reads the settings; returns `nil` if there is no file.
  ///
  /// - Throws: A failure if the file cannot be read, or with the place of an error in its TOML.
  package func document() throws(ToolFailure) -> TOMLDocument? {
    guard let bytes = try read() else { return nil }
    return try document(bytes)
  }

  /// Returns the bytes of the file, if it exists; `nil` also for the path `/dev/null`.
  ///
  /// - Throws: A failure if the file cannot be read, or if `RETRACE_CONFIG` names none.
  package func read() throws(ToolFailure) -> [UInt8]? {
    guard let path, path != "/dev/null" else { return nil }
    do throws(SystemError) {
      return try FileSystem.readWhole(path, limitBytes: TOMLDocument.bytesMax)
    } catch {
      switch error.code {
      case .noSuchFile, .notADirectory:
        guard !isNamed else {
          throw .configuration(
            "There is no file \(path), which \(Self.variable) names.",
            advice: "Make one with `track config edit`, or unset \(Self.variable).")
        }
        return nil
      case .accessDenied:
        throw .configuration(
          "You do not have permission to read \(path).",
          advice: "Change the permissions of the file, or name another one in \(Self.variable).")
      case .aboveLimit, .isADirectory, .invalidArgument:
        throw .configuration(
          "\(path) is not a file of at most \(TOMLDocument.bytesMax) bytes.",
          advice: "Replace it by a file of settings, or name another one in \(Self.variable).")
      default:
        throw .configuration(
          "\(error).", advice: "Check the disk, or name another file in \(Self.variable).",
          exitCode: ToolExit.storage)
      }
    }
  }

  /// Returns the settings in the bytes of the file.
  ///
  /// - Throws: A usage failure with the line and column of the first error.
  package func document(_ bytes: [UInt8]) throws(ToolFailure) -> TOMLDocument {
    do throws(TOMLError) {
      return try TOMLDocument(bytes)
    } catch {
      let place = error.position
      throw .configuration(
        "\(path ?? ""), line \(place.line), column \(place.column): \(error)",
        advice: "Correct the line, as with `track config edit`.")
    }
  }

  package func failure(line: Int, _ why: String, advice: String) -> ToolFailure {
    .configuration("\(path ?? ""), line \(line): \(why)", advice: advice)
  }

  /// The name of the setting that names the directory of the store.
  package static let storeName = "store"
  package static let storeExample = "~/time"

  /// Returns the directory that the setting `store` names, absolute.
  ///
  /// - Throws: A usage failure if the value is neither an absolute path nor one below `~/`.
  package func store(_ setting: TOMLDocument.Setting) throws(ToolFailure) -> String {
    let text = setting.value
    let path = environment.expandingTilde(text)
    guard path.hasPrefix("/"), text != "~" else {
      throw failure(
        line: setting.position.line, "`\(Self.storeName)`: The path `\(text)` is not absolute.",
        advice: "Give a path that begins with / or with ~/.")
    }
    return path
  }
}

extension ToolFailure {
  package static func configuration(
    _ why: String, advice: String, exitCode: Int32 = ToolExit.usage
  ) -> ToolFailure {
    ToolFailure(
      what: "The settings were not read.", why: why, advice: advice, exitCode: exitCode)
  }
}
