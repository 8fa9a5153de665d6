import RetraceCommandLine
import RetraceSystem
import RetraceToolSupport

extension ConfigurationFile {
  /// Returns the path of the file for a command that writes it.
  func pathToWrite() throws(ToolFailure) -> String {
    guard let path else {
      throw .configuration(
        "Neither XDG_CONFIG_HOME nor HOME is set, so there is no file of settings.",
        advice: "Name a file in \(Self.variable).")
    }
    // A device must not be replaced by a file.
    if let info = try? FileSystem.info(path), !info.isRegular {
      throw .configuration(
        "\(path) is no file.", advice: "Name a file in \(Self.variable), or unset it.")
    }
    return path
  }

  /// Returns the bytes of the file for a verb that changes them; empty without a file.
  func bytesToChange() throws(ToolFailure) -> [UInt8] {
    do throws(SystemError) {
      if let path, try !FileSystem.exists(path) { return [] }
    } catch {
      // Reading the file below throws the error.
    }
    return try read() ?? []
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
