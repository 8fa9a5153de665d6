import RetraceReplay
import RetraceSystem
import RetraceToolSupport

/// A folder of bundles.
enum BundleFolder {
  /// Returns the paths of the bundles in a folder, in the order of their names.
  ///
  /// - Complexity: O(files), each opened once.
  /// - Throws: A failure if the folder cannot be read or has no bundle.
  static func bundles(in folder: String) throws(ToolFailure) -> [String] {
    let paths: [String]
    do throws(SystemError) {
      paths = try BundleFiles.paths(in: folder)
    } catch {
      throw ToolFailure(
        what: "The folder \(folder) was not read.", why: "\(error).",
        advice: "Give the folder of the bundles.",
        exitCode: error.code == .noSuchFile || error.code == .notADirectory
          ? ToolExit.notFound : ToolExit.storage)
    }
    guard !paths.isEmpty else {
      throw .notFound(
        "bundle", why: "The folder \(folder) has no file that is a bundle.",
        advice: "Write one with `\(ToolProcess.replay) bundle --output "
          + "\(folder)/NAME\(BundleFiles.suffix)`.")
    }
    return paths
  }
}

/// The replacement of an output file.
enum OutputFile {
  /// Writes a text to a file, which is replaced as a whole.
  static func replace(_ path: String, with text: String) throws(ToolFailure) {
    do throws(SystemError) {
      let bytes = Array(text.utf8)
      try FileSystem.replace(path, with: bytes.span, mode: 0o644, isSynced: false)
    } catch {
      throw ToolFailure(
        what: "The file \(path) was not written.", why: "\(error).",
        advice: "Check the folder, its permissions and the free space, and try again.",
        exitCode: ToolExit.storage)
    }
  }
}

extension BundleDeclaration {
  /// Writes the declaration into the file beside a bundle, which is replaced as a whole.
  func write(beside bundle: String) throws(ToolFailure) {
    try OutputFile.replace(Self.path(of: bundle), with: json.text(indented: true) + "\n")
  }
}
