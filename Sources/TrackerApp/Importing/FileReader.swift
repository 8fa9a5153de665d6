import RetraceSystem

/// A file whose bytes can be read from the beginning any number of times.
///
/// A pipe can be read only once, so it is first copied into a temporary file, and so are the files
/// of a directory of timewarrior. That file is unlinked, so the system removes it when the process
/// ends.
struct FileReader: ~Copyable {
  private let file: OpenFile
  /// The size when it was opened.
  let sizeBytes: Int

  /// The number of bytes that are read at a time.
  private static var chunkBytes: Int { 1 << 16 }

  private init(_ file: consuming OpenFile, sizeBytes: Int) {
    self.file = file
    self.sizeBytes = sizeBytes
  }

  /// Opens a file; `-` means standard input.
  ///
  /// A directory of timewarrior is read as one file: its data files, in the order of their names.
  ///
  /// - Complexity: O(1) for a regular file; O(bytes) for a pipe, until its end, and a directory.
  static func open(_ path: String) throws(SystemError) -> FileReader {
    let path = path == "-" ? "/dev/stdin" : path
    let file = try OpenFile.open(path, [.read])
    let info = try file.info()
    if info.isRegular { return FileReader(file, sizeBytes: info.sizeBytes) }
    // Opening a directory succeeds. Only reading it would fail.
    let parts = info.isDirectory ? dataFiles(in: path) : []
    if info.isDirectory, parts.isEmpty {
      throw SystemError(.isADirectory, during: .open, path: path)
    }
    let copy = try temporaryFile()
    if !info.isDirectory { try append(file, to: copy) }
    for part in parts {
      try append(try OpenFile.open(part, [.read]), to: copy)
      // A line that was cut off does not run into the next file.
      try copy.append([UInt8(ascii: "\n")].span)
    }
    let sizeBytes = try copy.info().sizeBytes
    return FileReader(copy, sizeBytes: sizeBytes)
  }

  /// Returns the paths of timewarrior's data files in a directory, or in `data` in it.
  private static func dataFiles(in directory: String) -> [String] {
    for path in [directory, "\(directory)/data"] {
      guard let names = try? FileSystem.list(path) else { continue }
      let files = names.filter(isMonth)
      if !files.isEmpty { return files.map { "\(path)/\($0)" } }
    }
    return []
  }

  /// Returns whether a file has the intervals of a month, as `2026-03.data`.
  ///
  /// Timewarrior reads no others: `undo.data` has earlier intervals, and `tags.data` counts tags.
  private static func isMonth(_ name: String) -> Bool {
    let pattern = "0000-00.data".utf8
    return name.utf8.count == pattern.count
      && zip(name.utf8, pattern).allSatisfy { byte, wanted in
        byte == wanted || wanted == 0x30 && (0x30...0x39).contains(byte)
      }
  }

  private static func temporaryFile() throws(SystemError) -> OpenFile {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-import-")
    defer { try? FileSystem.removeTree(folder) }
    return try OpenFile.open("\(folder)/rows", [.read, .write, .create, .exclusive])
  }

  private static func append(
    _ file: borrowing OpenFile, to copy: borrowing OpenFile
  ) throws(SystemError) {
    while true {
      let bytes = try file.readNext(chunkBytes)
      if bytes.isEmpty { return }
      try copy.append(bytes.span)
    }
  }

  /// Returns the next bytes at a position; an empty array at the end.
  ///
  /// A file that grows is read up to its size at opening, so that the digest matches the rows.
  func chunk(at position: Int) throws(SystemError) -> [UInt8] {
    try file.read(at: position, count: min(Self.chunkBytes, sizeBytes - position))
  }
}
