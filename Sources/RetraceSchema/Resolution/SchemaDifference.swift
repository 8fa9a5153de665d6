/// A case of an enum as a schema names it.
///
/// The case of an enum with payloads is the record `TYPE_NAME`; that of an enum without payloads is
/// a symbol.
public struct CaseName: Hashable, Sendable {
  /// The recorded name of the enum.
  public var type: String
  /// The recorded name of the case.
  public var name: String

  /// Names a case.
  public init(_ type: String, _ name: String) {
    self.type = type
    self.name = name
  }
}

extension CaseName: CustomStringConvertible {
  /// The type and the case with a dot between them.
  public var description: String { "\(type).\(name)" }
}

/// One difference between the schema of what was recorded and the schema it is read by.
public struct SchemaDifference: Hashable, Sendable {
  /// The recorded name of the type that differs; a case with payloads is a type of its own.
  public var type: String
  /// The field or the symbol, or `nil` when the type as a whole differs.
  public var member: String?
  /// What differs, for a person.
  public var detail: String

  /// Makes a difference.
  public init(type: String, member: String? = nil, detail: String) {
    self.type = type
    self.member = member
    self.detail = detail
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// Type, member and difference in one line.
  public var description: String {
    "\(type)\(member.map { ".\($0)" } ?? ""): \(detail)"
  }
}

/// What becomes of everything that was recorded under one schema when it is read by another.
public enum SchemaVerdict: Hashable, Sendable {
  /// Both have one canonical form and the same rules: the bytes are read as they are.
  case same
  /// Every value can be read: by the rules of Avro, by an upcaster, or not at all because its case
  /// was retired. The differences say where.
  case fine([SchemaDifference])
  /// Every value that fits the type of today is read; the recorded schema does not say whether
  /// all do. A list of which a set is read loses order and repetition. What does not fit goes
  /// through an upcaster, or ends the fold at its record.
  case needsChecking([SchemaDifference])
  /// A value may lie in a case that nothing turns into actions; an upcaster for it would do.
  case needsUpcaster([SchemaDifference])
  /// A value may lie outside of every case, so that no upcaster can be named for it.
  case impossible([SchemaDifference])

  /// Whether what was recorded can be folded, as far as schemas tell.
  public var isReadable: Bool {
    switch self {
    case .same, .fine, .needsChecking: true
    case .needsUpcaster, .impossible: false
    }
  }

  /// The verdict in a word or two: `same`, `fine`, `needs checking`, `needs upcaster`,
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

  /// What the verdict rests on.
  public var differences: [SchemaDifference] {
    switch self {
    case .same: []
    case .fine(let differences), .needsChecking(let differences),
      .needsUpcaster(let differences), .impossible(let differences):
      differences
    }
  }
}
