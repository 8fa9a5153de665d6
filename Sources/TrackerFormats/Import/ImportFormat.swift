/// The description of a format of files, for help, errors and the options that it needs.
public struct ImportFormat: Sendable {
  /// The word for the format on the command line.
  public let name: String
  /// The name, and what the format is for, as a list of formats has it.
  public let summary: String
  /// A paragraph about what becomes of the entries of a file; empty for none.
  public let help: String
  /// What a file of the format is, such as `file of klog`.
  public let fileKind: String
  /// How to get a file of the format.
  public let advice: String
  /// The name of the system whose ids the rows have; `nil` for the name of the file.
  public let system: String?
  /// Whether the ids of rows mean nothing without the name of their system.
  public let needsSystem: Bool
  /// Whether files have columns, which the user maps to fields; the ids are then a column, too.
  public let hasColumns: Bool
  /// Whether the rows say the zones of their times.
  public let hasZones: Bool
  /// The size in bytes of the largest file that is read; `nil` for any size.
  ///
  /// Files of a format with a limit are read as a whole.
  public let bytesMax: Int?

  /// Makes a description.
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
