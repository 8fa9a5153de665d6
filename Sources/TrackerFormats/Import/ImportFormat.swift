/// The description of a file format, for help, errors and the options of the command line.
public struct ImportFormat: Sendable {
  /// The name of the format on the command line.
  public let name: String
  /// The name and purpose of the format, for a list of formats.
  public let summary: String
  /// A paragraph about the import of the entries of a file; empty for none.
  public let help: String
  /// A noun phrase for a file of the format, such as `file of klog`.
  public let fileKind: String
  /// The advice to the user on how to get a file of the format.
  public let advice: String
  /// The name of the system in which the ids of rows are unique; `nil` for the name of the file.
  public let system: String?
  /// Whether the user has to name the system, because ids of rows are ambiguous without it.
  public let needsSystem: Bool
  /// Whether files are CSV, which has columns that the user or a known header maps to fields.
  ///
  /// Ids are then a column, too.
  public let hasColumns: Bool
  /// Whether the rows have the zones of their times.
  public let hasZones: Bool
  /// The maximum size of a file in bytes; `nil` for any size.
  ///
  /// Files of a format with a limit are read as a whole.
  public let bytesMax: Int?

  /// Creates a description.
  public init(
    name: String, summary: String, help: String = "", fileKind: String, advice: String,
    system: String? = nil, needsSystem: Bool = false, hasColumns: Bool = false,
    hasZones: Bool = false,
    bytesMax: Int? = 256 << 20
  ) {
    self.name = name
    self.summary = summary
    self.help = help
    self.fileKind = fileKind
    self.advice = advice
    self.system = system
    self.needsSystem = needsSystem
    self.hasColumns = hasColumns
    self.hasZones = hasZones
    self.bytesMax = bytesMax
  }
}
