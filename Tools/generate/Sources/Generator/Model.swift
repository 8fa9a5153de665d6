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

/// Why a declaration cannot be recorded.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file.
  public var path: String
  /// The line, counted from 1.
  public var line: Int
  /// What cannot be encoded and what to do.
  public var message: String

  /// The form that compilers use: `file:line: error: message`.
  public var description: String { "\(path):\(line): error: \(message)" }
}

/// A declaration that gets a conformance.
struct Declaration {
  /// The name in the code with dots, such as `Timer.Draft`.
  var codeName: String
  /// The name in the log, without generic arguments.
  var recordedName: String
  /// The names that it had in the log before.
  var formerNames: [String]
  /// The names of the generic parameters.
  var genericParameters: [String]
  /// Who sees it.
  var visibility: Access
  /// What is declared.
  var kind: Kind

  /// The access modifier with a blank after it, or nothing.
  var access: String { visibility.modifier }

  /// Whether the type may have had other names in the log: its own, or those of its arguments.
  var hasAliases: Bool { !formerNames.isEmpty || !genericParameters.isEmpty }

  enum Kind {
    /// A struct; whether its declaration leaves it the initialiser that the compiler makes.
    case record([Field], isMemberwise: Bool)
    case state([Field])
    case enumeration([Case])
    case union([Case], isIndirect: Bool)
  }
}

/// A stored property or a payload.
struct Field {
  /// The name in the code, backticks included.
  var codeName: String
  /// The name in the log.
  var recordedName: String
  /// The names that it had in the log before.
  var formerNames: [String] = []
  /// The type, qualified as far as the target declares its parts.
  var type: String
  /// What makes the default in a schema, as generated code writes it; `nil` for none.
  var defaultValue: String?

  /// The name as a label of an argument, with a colon and a blank, or nothing.
  ///
  /// The compiler warns of backticks that a label does not need, and only these keywords do.
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

/// A case of an enum.
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
