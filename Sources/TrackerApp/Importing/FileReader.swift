import RetraceSystem
import TrackerFormats

/// A file whose bytes can be read from the beginning any number of times.
///
/// A pipe can be read only once, so it is first copied into a temporary file, and so are the files
/// of a directory of timewarrior. That file is unlinked, so the system removes it when the process
/// ends.
struct FileReader: ~Copyable {
  private let file: OpenFile
  /// The size when it was opened.
  let sizeBytes: Int
  /// The files of a directory in their order, each with the number of lines before it in the copy.
  private let parts: [Part]

  /// The maximum size of a file that is read as a whole, in bytes.
  static var wholeBytesMax: Int { ImportSources.all.compactMap { $0.format.bytesMax }.max() ?? 0 }

  /// The number of bytes that are read at a time.
  private static var chunkBytes: Int { 1 << 16 }

  private typealias Part = (name: String, linesBefore: Int)

  private init(_ file: consuming OpenFile, sizeBytes: Int, parts: [Part] = []) {
    self.file = file
    self.sizeBytes = sizeBytes
    self.parts = parts
  }

  /// Opens a file; `-` means standard input.
  ///
  /// A directory of timewarrior is read as one file: its data files, in the order of their names.
  ///
  /// - Complexity: O(1) for a regular file; O(bytes) for a pipe, until its end, and a directory.
  static func open(_ path: String) throws(Importer.Failure) -> FileReader {
    let path = path == "-" ? "/dev/stdin" : path
    do throws(SystemError) {
      let file = try OpenFile.open(path, [.read])
      let info = try file.info()
      if info.isRegular { return FileReader(file, sizeBytes: info.sizeBytes) }
      if !info.isDirectory {
        let copy = try temporaryFile()
        while true {
          let bytes = try file.readNext(chunkBytes)
          if bytes.isEmpty { break }
          try copy.append(bytes.span)
        }
        let sizeBytes = try copy.info().sizeBytes
        return FileReader(copy, sizeBytes: sizeBytes)
      }
    } catch {
      throw .file(error)
    }
    return try open(directory: path)
  }

  private static func open(directory: String) throws(Importer.Failure) -> FileReader {
    let names = dataFiles(in: directory)
    // Opening a directory succeeds. Only reading it would fail.
    guard !names.isEmpty else {
      throw .file(SystemError(.isADirectory, during: .open, path: directory))
    }
    // An interval without times makes the copy data, whatever the first file begins with.
    var (text, lines, parts) = (Array("inc\n".utf8), 1, [Part]())
    for name in names where text.count <= wholeBytesMax {
      parts.append((name, lines))
      do throws(Importer.Failure) {
        // A line that was cut off does not run into the next file.
        let part = try bytes(of: "\(directory)/\(name)") + [UInt8(ascii: "\n")]
        lines += part.count { $0 == UInt8(ascii: "\n") }
        text += part
      } catch {
        throw .part(name, error)
      }
    }
    do throws(SystemError) {
      let copy = try temporaryFile()
      try copy.append(text.span)
      return FileReader(copy, sizeBytes: text.count, parts: parts)
    } catch {
      throw .file(error)
    }
  }

  /// Returns the bytes of a file of a directory, which must be UTF-8.
  ///
  /// Of a file that is too large for an import, some bytes are returned, which are too many.
  private static func bytes(of path: String) throws(Importer.Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let file = try OpenFile.open(path, [.read])
      while bytes.count <= wholeBytesMax {
        let chunk = try file.readNext(chunkBytes)
        if chunk.isEmpty { break }
        bytes += chunk
      }
    } catch {
      throw .file(error)
    }
    let isText = bytes.count > wholeBytesMax || (try? UTF8Span(validating: bytes.span)) != nil
    if let encoding = TextEncoding(of: bytes) ?? (isText ? nil : .windows1252) {
      throw .format(ImportSources.standard.format, .encoding(encoding))
    }
    return bytes
  }

  /// Returns the names of timewarrior's data files in a directory, or in `data` in it.
  private static func dataFiles(in directory: String) -> [String] {
    for folder in ["", "data/"] {
      guard let names = try? FileSystem.list("\(directory)/\(folder)") else { continue }
      let files = names.filter(isMonth)
      if !files.isEmpty { return files.map { "\(folder)\($0)" } }
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

  /// Gives rejected rows of a directory the names of their files, and their lines in these.
  func place(_ rejections: inout [RowRejection]) {
    for index in rejections.indices {
      guard let part = parts.last(where: { $0.linesBefore < rejections[index].line }) else {
        return
      }
      rejections[index].file = part.name
      rejections[index].line -= part.linesBefore
    }
  }

  /// Returns the next bytes at a position; an empty array at the end.
  ///
  /// A file that grows is read up to its size at opening, so that the digest matches the rows.
  func chunk(at position: Int) throws(SystemError) -> [UInt8] {
    try file.read(at: position, count: min(Self.chunkBytes, sizeBytes - position))
  }
}
