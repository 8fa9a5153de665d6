import RetracePlatform

/// The path of a store, and what is looked at there before anything is opened.
struct StorePath {
  /// The directory, without slashes at its end.
  let directory: String

  init(_ path: String) {
    var text = Substring(path)
    while text.utf8.count > 1, text.hasSuffix("/") { text.removeLast() }
    directory = text.isEmpty ? "." : String(text)
  }

  /// The path of a file in the store.
  func file(_ name: String) -> String { "\(directory)/\(name)" }

  /// The directory above.
  var parent: String {
    guard let slash = directory.lastIndex(of: "/") else { return "." }
    return slash == directory.startIndex ? "/" : String(directory[..<slash])
  }

  /// The description of a file by its name in the store, a link not followed; `nil` for none.
  func info(_ name: String) throws(StoreError) -> FileInfo? {
    try info(at: file(name))
  }

  /// The description of the directory itself, a link not followed; `nil` for none.
  func directoryInfo() throws(StoreError) -> FileInfo? {
    try info(at: directory)
  }

  private func info(at path: String) throws(StoreError) -> FileInfo? {
    do {
      return try FileSystem.linkInfo(path)
    } catch {
      if error.code == .noSuchFile { return nil }
      throw StoreError(error, in: directory, doing: "be looked at")
    }
  }

  /// Refuses a file that is a link, a pipe or anything but a plain file with one name.
  func requirePlain(_ name: String, _ info: FileInfo) throws(StoreError) {
    let fault: String
    switch info.kind {
    case .regular where info.linkCount == 1: return
    case .regular: fault = "has \(info.linkCount) names"
    case .symbolicLink: fault = "is a symbolic link"
    case .directory: fault = "is a directory"
    case .other: fault = "is a pipe, a socket or a device"
    }
    throw StoreError(
      .notPlainFile, what: "The store \(directory) could not be opened.",
      why: "Its file \(name) \(fault).",
      advice: "Put the file itself there, with no second name; what it pointed to was not touched.")
  }

  /// The names in the directory.
  func list() throws(StoreError) -> [String] {
    do {
      return try FileSystem.list(directory)
    } catch {
      throw StoreError(error, in: directory, doing: "be listed")
    }
  }
}
