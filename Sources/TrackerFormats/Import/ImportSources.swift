/// The list of the file formats that can be imported.
public enum ImportSources {
  /// The readers, in the order in which help lists their formats.
  public static let all: [any ImportSource.Type] = [
    CSVSource.self,
    TogglSource.self,
    ClockifySource.self,
    TimewarriorSource.self,
    KlogSource.self,
    WatsonSource.self,
    TrackLogSource.self,
  ]

  /// The reader of files with columns.
  public static var standard: any ImportSource.Type { all[0] }

  /// Returns the reader of the format with a name.
  public static func named(_ name: String) -> (any ImportSource.Type)? {
    all.first { $0.format.name == name }
  }
}
