import RetraceSystem
public import TrackerFormats

/// A file to import, which is open, so that its format can be found before it is imported.
///
/// A pipe can be recognized and imported, too.
public struct ImportFile: ~Copyable {
  let reader: FileReader

  /// Opens a file, a pipe, or a directory of timewarrior; `-` means standard input.
  ///
  /// - Complexity: O(1) for a regular file; O(bytes) for others.
  /// - Throws: ``Importer/Failure`` if the file cannot be read, or is UTF-16 or UTF-32.
  public static func open(_ path: String) throws(Importer.Failure) -> ImportFile {
    let file = ImportFile(reader: try FileReader.open(path))
    if let encoding = TextEncoding(of: try file.beginning()) {
      throw .format(ImportSources.standard.format, .encoding(encoding))
    }
    return file
  }

  /// Returns the format of the file, by its content; `nil` for none.
  ///
  /// - Complexity: O(1); O(bytes of the file) for JSON, also in memory.
  /// - Throws: ``Importer/Failure`` if the file cannot be read.
  public borrowing func recognized(
    _ options: ImportOptions
  ) throws(Importer.Failure) -> RecognizedFormat? {
    try ImportSources.recognized(by: try beginning(), options) {
      () throws(Importer.Failure) in
      guard reader.sizeBytes <= FileReader.wholeBytesMax else { return [] }
      var bytes: [UInt8] = []
      try Self.forEachChunk(of: reader) { (chunk) throws(Importer.Failure) in bytes += chunk }
      return bytes
    }
  }

  private borrowing func beginning() throws(Importer.Failure) -> [UInt8] {
    do throws(SystemError) {
      return Array(try reader.chunk(at: 0).prefix(ImportSources.beginningBytes))
    } catch {
      throw .file(error)
    }
  }

  /// Calls `body` with the pieces of a file, in their order.
  static func forEachChunk(
    of file: borrowing FileReader, _ body: ([UInt8]) throws(Importer.Failure) -> Void
  ) throws(Importer.Failure) {
    var position = 0
    while true {
      let chunk: [UInt8]
      do throws(SystemError) { chunk = try file.chunk(at: position) } catch { throw .file(error) }
      if chunk.isEmpty { return }
      position += chunk.count
      try body(chunk)
    }
  }
}
