/// The name of an enum's case in a schema.
///
/// A case of an enum with payloads is the record `TYPE_NAME`; one of an enum without payloads is a
/// symbol.
public struct CaseName: Hashable, Sendable {
  /// The recorded name of the enum.
  public var type: String
  /// The recorded name of the case.
  public var name: String

  /// Creates the name of a case.
  public init(_ type: String, _ name: String) {
    self.type = type
    self.name = name
  }
}

extension CaseName: CustomStringConvertible {
  /// The type and the case, joined by a dot.
  public var description: String { "\(type).\(name)" }
}

/// A difference between the recorded schema and the schema it is read by.
public struct SchemaDifference: Hashable, Sendable {
  /// The recorded name of the type that differs; a case with payloads is a type of its own.
  public var type: String
  /// The field or the symbol; `nil` if the type as a whole differs.
  public var member: String?
  /// A description for a person.
  public var detail: String

  /// Creates a difference.
  public init(type: String, member: String? = nil, detail: String) {
    self.type = type
    self.member = member
    self.detail = detail
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// The type, the member and the description on one line.
  public var description: String {
    "\(type)\(member.map { ".\($0)" } ?? ""): \(detail)"
  }
}

/// Whether and how values recorded under one schema can be read by another.
///
/// Each verdict except ``same`` has the differences on which it is based.
///
/// ```swift
/// let verdict: SchemaVerdict = try NotesApp.verdict(onActionsOf: Schema(parsing: json))
/// for difference: SchemaDifference in verdict.differences { print(difference) }
/// ```
public enum SchemaVerdict: Hashable, Sendable {
  /// Both have the same canonical form and rules: the bytes are read unchanged.
  case same
  /// Every value can be read, by Avro's rules or by an upcaster, or is skipped because its case is
  /// retired.
  case fine([SchemaDifference])
  /// The schemas do not tell whether every recorded value fits today's type. A value that fits is
  /// read; a list read as a set loses order and repetition. A value that does not fit goes through
  /// an upcaster, or stops the fold at its record.
  case needsChecking([SchemaDifference])
  /// A value may be in a case that cannot be read; an upcaster for the case would help.
  case needsUpcaster([SchemaDifference])
  /// A value that cannot be read may be outside every case, so that an upcaster cannot help.
  case impossible([SchemaDifference])

  /// Whether records can be folded, as far as schemas tell.
  public var isReadable: Bool {
    switch self {
    case .same, .fine, .needsChecking: true
    case .needsUpcaster, .impossible: false
    }
  }

  /// The verdict in one or two words: `same`, `fine`, `needs checking`, `needs upcaster`,
  /// `impossible`.
  public var name: String {
    switch self {
    case .same: "same"
    case .fine: "fine"
    case .needsChecking: "needs checking"
    case .needsUpcaster: "needs upcaster"
    case .impossible: "impossible"
    }
  }

  /// The differences on which the verdict is based.
  public var differences: [SchemaDifference] {
    switch self {
    case .same: []
    case .fine(let differences), .needsChecking(let differences),
      .needsUpcaster(let differences), .impossible(let differences):
      differences
    }
  }
}
