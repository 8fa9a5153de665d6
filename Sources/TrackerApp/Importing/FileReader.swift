import RetraceSystem

/// A file whose bytes can be read from the beginning any number of times.
///
/// A pipe can be read only once, so it is first copied into a temporary file. That file is
/// unlinked, so the system removes it when the process ends.
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
  /// - Complexity: O(1) for a regular file; O(bytes) for a pipe, until its end.
  static func open(_ path: String) throws(SystemError) -> FileReader {
    let path = path == "-" ? "/dev/stdin" : path
    let file = try OpenFile.open(path, [.read])
    let info = try file.info()
    // Opening a directory succeeds. Only reading it would fail.
    guard !info.isDirectory else { throw SystemError(.isADirectory, during: .open, path: path) }
    if info.isRegular { return FileReader(file, sizeBytes: info.sizeBytes) }
    let copy = try copy(of: file)
    let sizeBytes = try copy.info().sizeBytes
    return FileReader(copy, sizeBytes: sizeBytes)
  }

  private static func copy(of pipe: borrowing OpenFile) throws(SystemError) -> OpenFile {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-import-")
    defer { try? FileSystem.removeTree(folder) }
    let copy = try OpenFile.open("\(folder)/rows", [.read, .write, .create, .exclusive])
    while true {
      let bytes = try pipe.readNext(chunkBytes)
      if bytes.isEmpty { return copy }
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
