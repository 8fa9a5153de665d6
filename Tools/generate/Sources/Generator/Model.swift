/// A Swift file to read.
public struct SourceText: Sendable {
  /// The path, as messages name it.
  public var path: String
  /// The text.
  public var text: String

  /// Makes a file from its path and text.
  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}

/// The place of a declaration that cannot be recorded, and the reason.
public struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file.
  public var path: String
  /// The line, counted from 1.
  public var line: Int
  /// What cannot be encoded and what to do.
  public var message: String

  /// The form that compilers use: `file:line: error: message`.
  public var description: String { "\(path):\(line): error: \(message)" }
}

/// A declaration that gets a conformance, names of its parts, or both.
struct Declaration {
  /// The name in the code with dots, such as `Timer.Draft`.
  var codeName: String
  /// The name in the log, without generic arguments.
  var recordedName: String
  /// The names that it had in the log before.
  var formerNames: [String]
  var genericParameters: [String]
  /// The access level, at most the level of the enclosing types.
  var accessLevel: AccessLevel
  var kind: Kind
  /// Whether the type is an `EntityChanges`: every property is an optional `Change`.
  var isEntityChanges = false
  /// Whether it gets the conformance of a recorded type.
  var isRecorded = true
  var isComposed = false

  /// The access modifier with a space after it, or an empty string.
  var modifier: String { accessLevel.modifier }

  /// The properties of a struct whose public initialisers are generated; `nil` for none.
  ///
  /// The compiler's memberwise initialiser is internal. It stays beside the generated one.
  var initialised: [Field]? {
    let fields: [Field]
    switch kind {
    case .record(let properties, isMemberwise: true), .state(let properties, isMemberwise: true):
      fields = properties
    default: return nil
    }
    let isVisible = accessLevel >= .package && fields.allSatisfy { $0.visibility >= accessLevel }
    return isRecorded && isVisible ? fields : nil
  }

  var isIdentifier: Bool { if case .identifier = kind { true } else { false } }

  /// Whether the type or one of its arguments may have had other names in the log.
  var hasAliases: Bool { !formerNames.isEmpty || !genericParameters.isEmpty }

  enum Kind {
    /// A struct, and whether it has the compiler's memberwise initialiser.
    case record([Field], isMemberwise: Bool)
    case state([Field], isMemberwise: Bool)
    case enumeration([Case])
    case union([Case], isIndirect: Bool)
    /// An id, and the property from which `value` and the initialiser are made, if they are needed.
    case identifier(number: Field?)
  }
}

/// A stored property or a payload.
struct Field {
  /// The name in the code, backticks included.
  var codeName: String
  var recordedName: String
  /// The names that it had in the log before.
  var formerNames: [String] = []
  /// The type, with the names of enclosing types that the target declares.
  var type: String
  /// The code that creates the default in a schema; `nil` for none.
  var defaultValue: String?
  /// The access level at which it can be changed; `nil` for a constant.
  var access: AccessLevel?
  /// Whether inlinable code can use it, although it is not public.
  var isUsableFromInline = false
  /// The access level of a property at which it can be read.
  var visibility: AccessLevel = .module
  /// Whether a property has an initial value.
  var hasInitialValue = false
  /// The initial value, if it means the same as the default of a parameter of a public initialiser.
  var argument: String?
  /// The initial value, if it means the same in an extension in another file.
  var initialValue: String?

  /// The name of the static property of a public type that has the initial value.
  ///
  /// The default of a parameter of a public initialiser names only what is public; this property
  /// may name the rest.
  var initialValueName: String { "_initial_\(codeName.filter { $0 != "`" })" }

  /// Returns the default of the parameter of an initialiser; `nil` for none.
  func argument(at level: AccessLevel) -> String? {
    argument ?? initialValue.map { level == .everyone ? "Self.\(initialValueName)" : $0 }
  }

  /// The name as an argument label, with a colon and a space after it; empty for no label.
  ///
  /// The compiler warns of backticks that a label does not need. Only names that are not
  /// identifiers, and the three keywords below, need them.
  var label: String {
    let bare = codeName.filter { $0 != "`" }
    if bare.isEmpty { return "" }
    let isIdentifier = bare.unicodeScalars.allSatisfy {
      $0 == "_" || $0.value > 0x7f || $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    return isIdentifier && !["inout", "var", "let"].contains(bare)
      ? "\(bare): " : "`\(bare)`: "
  }
}

struct Case {
  /// The name in the code, backticks included.
  var codeName: String
  /// The name in the log.
  var recordedName: String
  /// The names that it had in the log before.
  var formerNames: [String] = []
  /// The payloads; their code names are labels, empty for none.
  var payloads: [Field]
}
