/// What the beginning of a file says about its format.
public enum FormatRecognition: Hashable, Sendable {
  /// The file is of another format.
  case other
  /// The file is of the format if the reader finds a row in it.
  case possible
  /// The file is of the format.
  case certain
}

/// A format that was found in a file.
public struct RecognizedFormat: Sendable {
  /// The reader of the format.
  public let source: any ImportSource.Type
  /// The description of the format.
  public var format: ImportFormat { source.format }
}

extension ImportSources {
  /// The number of bytes at the beginning of a file by which formats are recognized.
  public static var beginningBytes: Int { 1 << 16 }

  /// Returns the format of a file, by its content.
  ///
  /// - Parameters:
  ///   - beginning: The first ``beginningBytes`` of the file, or all of a shorter one.
  ///   - options: The options of the import.
  ///   - whole: Returns the whole file; called if the beginning does not settle the format.
  /// - Complexity: O(bytes of the beginning); O(bytes of the file) for each possible format.
  /// - Returns: The format; `nil` if the file is of no format, or too large for it.
  /// - Throws: What `whole` throws.
  public static func recognized<Failure: Error>(
    by beginning: [UInt8], _ options: ImportOptions, whole: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> RecognizedFormat? {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = beginning.starts(with: mark) ? beginning[3...] : beginning[...]
    var possible: [any ImportSource.Type] = []
    for type in all {
      switch type.recognizes(text) {
      case .other: continue
      case .possible: possible.append(type)
      case .certain: return RecognizedFormat(source: type)
      }
    }
    return possible.isEmpty ? nil : recognized(as: possible, in: try whole(), options)
  }

  /// Returns the first format that finds a row in a file, or else a running entry or a row that is
  /// rejected, or else the first one if the file is in another encoding.
  ///
  /// A row after which the format refuses the file is found, too.
  private static func recognized(
    as types: [any ImportSource.Type], in file: [UInt8], _ options: ImportOptions
  ) -> RecognizedFormat? {
    var other: RecognizedFormat?
    // A list without elements, such as an export of a free day, is of any format of lists.
    let isEmptyList =
      file.count < 100 && file.filter { !" \t\r\n".utf8.contains($0) } == Array("[]".utf8)
    for type in types {
      guard file.count <= type.format.bytesMax ?? .max else { continue }
      var (source, rows) = (type.init(options), ReadRows())
      do throws(ImportFailure) {
        try source.read(file, into: &rows)
        try source.finish(into: &rows)
      } catch {
        switch error {
        case .row where !rows.rows.isEmpty: return RecognizedFormat(source: type)
        case .row, .encoding: other = other ?? RecognizedFormat(source: type)
        default: break
        }
        continue
      }
      if !rows.rows.isEmpty { return RecognizedFormat(source: type) }
      let hasSome = !rows.running.isEmpty || !rows.rejections.isEmpty
      if hasSome || isEmptyList && !type.format.needsSystem, other == nil {
        other = RecognizedFormat(source: type)
      }
    }
    return other
  }
}
