import RetraceStorage
import RetraceSystem
package import RetraceToolSupport

/// The directory in which a child process that reads a log notes what it does.
///
/// It is the one of the store. A bundle has none, so its readers get a temporary one, which is
/// removed with this object.
package final class ReaderNotes: Sendable {
  /// The directory.
  package let folder: String
  private let isTemporary: Bool
  private static var namePrefix: String { "retrace-notes-" }

  /// Chooses the directory for readers of a log.
  ///
  /// - Throws: A failure if no temporary directory can be made.
  package convenience init(reading path: String) throws(ToolFailure) {
    if LogStorage.isBundle(path) { try self.init() } else { self.init(in: path) }
  }

  /// Makes a directory for readers of any number of bundles.
  ///
  /// - Throws: A failure if it cannot be made.
  package init() throws(ToolFailure) {
    do throws(SystemError) {
      folder = try FileSystem.makeTemporaryDirectory(Self.namePrefix)
    } catch {
      throw ToolFailure(
        what: "The log could not be read.",
        why: "A directory for notes on reading it could not be made: \(error).",
        advice: "Set TMPDIR to a directory that this user may write to.",
        exitCode: ToolExit.storage)
    }
    isTemporary = true
  }

  private init(in store: String) {
    folder = store
    isTemporary = false
  }

  deinit { if isTemporary { try? FileSystem.removeTree(folder) } }

  /// The variables of the processes that read.
  package var variables: [String: String] {
    isTemporary ? [StoreLocation.notesVariable: folder] : [:]
  }

  /// Removes the temporary directory that the parent of this process made for its readers.
  ///
  /// A reader calls it when its input has ended, because a parent that was killed removes nothing.
  package static func removeInherited() {
    guard let folder = Environment.process.text(StoreLocation.notesVariable),
      let name = folder.split(separator: "/").last, name.hasPrefix(namePrefix)
    else { return }
    try? FileSystem.removeTree(folder)
  }

  /// Removes what an ended process noted.
  package func forget(_ process: Int32) {
    UncleanShutdown.find(by: process, in: folder)?.remove(in: folder)
  }
}
