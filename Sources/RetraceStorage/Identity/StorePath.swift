import RetraceSystem

/// The path of a store, and checks of its files before they are opened.
struct StorePath {
  /// The path of the directory, without trailing slashes.
  let directory: String

  init(_ path: String) {
    var text = Substring(path)
    while text.utf8.count > 1, text.hasSuffix("/") { text.removeLast() }
    directory = text.isEmpty ? "." : String(text)
  }

  func file(_ name: String) -> String { "\(directory)/\(name)" }

  var parent: String {
    guard let slash = directory.lastIndex(of: "/") else { return "." }
    return slash == directory.startIndex ? "/" : String(directory[..<slash])
  }

  /// Returns the description of a file of the store without following a link, or `nil`.
  func info(_ name: String) throws(StoreError) -> FileInfo? {
    try info(at: file(name))
  }

  /// Returns the description of the directory itself without following a link, or `nil`.
  func directoryInfo() throws(StoreError) -> FileInfo? {
    try info(at: directory)
  }

  private func info(at path: String) throws(StoreError) -> FileInfo? {
    do {
      while true {
        let info = try FileSystem.linkInfo(path)
        // A file without a name was replaced or removed during the call.
        if info.linkCount > 0 { return info }
      }
    } catch {
      if error.code == .noSuchFile { return nil }
      throw StoreError(error, in: directory, doing: "be inspected")
    }
  }

  /// Opens a file of the store, which must be a plain file with one name.
  ///
  /// The check applies to the opened file, because another process may replace the file at any
  /// moment. If the opened file has lost its name, it was replaced, and the new one is opened.
  ///
  /// - Parameters:
  ///   - name: The file's name in the store.
  ///   - options: The options; links are never followed, and opening a pipe never blocks.
  ///   - action: The verb phrase for the error message, such as `be opened`.
  /// - Returns: The file; `nil` if it does not exist.
  func openIfPresent(
    _ name: String, _ options: OpenFile.Options = .read, doing action: String = "be opened"
  ) throws(StoreError) -> OpenFile? {
    while true {
      let opened: OpenFile
      do throws(SystemError) {
        opened = try OpenFile.open(
          file(name), options.union([.noFollow, .nonBlocking]), mode: 0o600)
      } catch {
        // The call's own error decides, because the file may exist again by now.
        if error.code == .noSuchFile { return nil }
        // Opening a link, a directory or a socket fails; the error then says what the file is.
        if let info = try? info(name) { try requirePlain(name, info) }
        throw StoreError(error, in: directory, doing: action)
      }
      let info: FileInfo
      do {
        info = try opened.info()
      } catch {
        throw StoreError(error, in: directory, doing: action)
      }
      if info.linkCount == 0 { continue }
      try requirePlain(name, info)
      return opened
    }
  }

  /// Opens a file of the store that must exist; see ``openIfPresent(_:_:doing:)``.
  func open(
    _ name: String, _ options: OpenFile.Options, doing action: String
  ) throws(StoreError) -> OpenFile {
    if let opened = try openIfPresent(name, options, doing: action) { return opened }
    let missing = SystemError(.noSuchFile, during: .open, path: file(name))
    throw StoreError(missing, in: directory, doing: action)
  }

  /// Refuses anything but a regular file with one hard link.
  func requirePlain(_ name: String, _ info: FileInfo) throws(StoreError) {
    let fault: String
    switch info.kind {
    case .regular where info.linkCount == 1: return
    case .regular: fault = "has \(info.linkCount) hard links"
    case .symbolicLink: fault = "is a symbolic link"
    case .directory: fault = "is a directory"
    case .other: fault = "is a pipe, a socket or a device"
    }
    throw StoreError(
      .notPlainFile, what: "The store \(directory) could not be opened.",
      why: "Its file \(name) \(fault).",
      advice: "Replace it with a regular file that has one hard link. Nothing was changed.")
  }

  func list() throws(StoreError) -> [String] {
    try StoreError.system(try FileSystem.list(directory), in: directory, doing: "be listed")
  }
}
