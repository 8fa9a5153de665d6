import RetraceStorage
package import RetraceSystem

/// The bundles among the files of a folder.
package enum BundleFiles {
  /// The end of the name of a file that is taken for a bundle, whatever its bytes are.
  package static var suffix: String { ".bundle" }

  /// Returns the paths of the bundles in a folder, sorted by the bytes of their names.
  ///
  /// A damaged bundle is not left out: its name tells that it is one. A file with another name is a
  /// bundle if it begins as one.
  ///
  /// - Complexity: O(files), each opened once.
  /// - Throws: `SystemError` if the folder cannot be read.
  package static func paths(in folder: String) throws(SystemError) -> [String] {
    let folder = folder.hasSuffix("/") && folder != "/" ? String(folder.dropLast()) : folder
    return try FileSystem.list(folder)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { "\(folder)/\($0)" }
      .filter { $0.hasSuffix(suffix) || LogStorage.isBundle($0) }
  }
}
