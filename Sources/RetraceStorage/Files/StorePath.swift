import RetraceSystem

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
      while true {
        let info = try FileSystem.linkInfo(path)
        // Without a name it was replaced or removed during the call.
        if info.linkCount > 0 { return info }
      }
    } catch {
      if error.code == .noSuchFile { return nil }
      throw StoreError(error, in: directory, doing: "be looked at")
    }
  }

  /// Opens a file of the store, which must be a plain file with one name.
  ///
  /// What is looked at is the file that was opened: another process may put another one in its
  /// place at any moment. A file that has lost its name by then was replaced, and the new one is
  /// opened.
  ///
  /// - Parameters:
  ///   - name: The name in the store.
  ///   - options: What for; a link is never followed and a pipe never waited for.
  ///   - action: What fails if that fails, such as `be opened`.
  /// - Returns: The file; `nil` if there is none.
  func openIfPresent(
    _ name: String, _ options: OpenFile.Options = .read, doing action: String = "be opened"
  ) throws(StoreError) -> OpenFile? {
    while true {
      let opened: OpenFile
      do throws(SystemError) {
        opened = try OpenFile.open(
          file(name), options.union([.noFollow, .nonBlocking]), mode: 0o600)
      } catch {
        // What the call says, and not a look at the name afterwards, when it may be there.
        if error.code == .noSuchFile { return nil }
        // A link, a directory or a socket cannot be opened like this; it is named as what it is.
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

  /// Opens a file of the store, which must be a plain file with one name; see
  /// ``openIfPresent(_:_:doing:)``.
  func open(
    _ name: String, _ options: OpenFile.Options, doing action: String
  ) throws(StoreError) -> OpenFile {
    if let opened = try openIfPresent(name, options, doing: action) { return opened }
    let missing = SystemError(.noSuchFile, during: .open, path: file(name))
    throw StoreError(missing, in: directory, doing: action)
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
