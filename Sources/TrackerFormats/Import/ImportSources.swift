/// The list of the file formats that can be imported.
public enum ImportSources {
  /// The readers, in the order in which help lists their formats; the first one is the default.
  public static let all: [any ImportSource.Type] = [
    CSVSource.self,
    TogglSource.self,
    ClockifySource.self,
    TimewarriorSource.self,
    KlogSource.self,
    WatsonSource.self,
    TrackLogSource.self,
  ]

  /// The reader of the default format.
  public static var standard: any ImportSource.Type { all[0] }

  /// Returns the reader of the format with a name.
  public static func named(_ name: String) -> (any ImportSource.Type)? {
    all.first { $0.format.name == name }
  }

  /// Returns the reader of whole files that finds a row in a file.
  ///
  /// - Complexity: O(bytes) for each format.
  public static func recognized(
    in file: [UInt8], _ options: ImportOptions
  ) -> (any ImportSource.Type)? {
    all.first { type in
      guard let bytesMax = type.format.bytesMax, file.count <= bytesMax else { return false }
      var (source, rows) = (type.init(options), ReadRows())
      do throws(ImportFailure) {
        try source.read(file, into: &rows)
        try source.finish(into: &rows)
      } catch {
        return false
      }
      return !rows.rows.isEmpty
    }
  }
}
