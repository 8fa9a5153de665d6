/// Writes the names of the parts of one composed declaration.
struct PartEmitter {
  /// A part: a stored property, or a case with one payload or with an id and a payload.
  struct Part {
    /// The name in the code, backticks included.
    var name: String
    var access: AccessLevel
    /// The types in the signatures of its functions.
    var types: [String]
    var lines: [String]
  }

  static func lines(for declaration: Declaration) -> [String] {
    var lines = [
      "extension \(declaration.codeName) {", "  /// The names of the parts.",
      "  \(declaration.modifier)struct Parts {",
    ]
    for part in parts(of: declaration) {
      let type = "_\(part.name.filter { $0 != "`" })"
      lines += part.lines.map { "    \($0)" }
      lines += [
        "    /// The name of `\(part.name.filter { $0 != "`" })`.",
        "    \(part.access.modifier)var \(part.name): \(type) { \(type)() }",
      ]
    }
    return lines + ["  }", "}"]
  }

  static func parts(of declaration: Declaration) -> [Part] {
    switch declaration.kind {
    case .record(let fields, _), .state(let fields, _):
      fields.compactMap { field in
        field.access.map { property(field, min($0, declaration.accessLevel), of: declaration) }
      }
    case .union(let cases, _):
      cases.compactMap { element in
        switch element.payloads.count {
        case 1: payload(element, of: declaration, isOnlyCase: cases.count == 1)
        case 2: identified(element, of: declaration, isOnlyCase: cases.count == 1)
        default: nil
        }
      }
    case .enumeration, .identifier: []
    }
  }

  private static func property(
    _ field: Field, _ access: AccessLevel, of declaration: Declaration
  ) -> Part {
    let whole = declaration.codeName
    return part(
      field.codeName, access, [field.type], "StatePart",
      function(
        "with<_R>(_ whole: inout \(whole), _ body: (inout \(field.type)) -> _R) -> _R", access,
        ["body(&whole.\(field.codeName))"])
        + function(
          "read<_R, _E: Error>(_ whole: borrowing \(whole), "
            + "_ body: (borrowing \(field.type)) throws(_E) -> _R) throws(_E) -> _R", access,
          ["try body(whole.\(field.codeName))"]))
  }

  private static func payload(
    _ element: Case, of declaration: Declaration, isOnlyCase: Bool
  ) -> Part {
    let (whole, access) = (declaration.codeName, declaration.accessLevel)
    let (name, label, type) = (
      element.codeName, element.payloads[0].label, element.payloads[0].type
    )
    let pattern = "case .\(name)(\(label)var value)"
    let move = "_move(&whole) { (whole: consuming \(whole))"
    let changed = [
      "let result = body(&value)", "return (.\(name)(\(label)value), result)",
    ]
    let extraction =
      isOnlyCase
      ? ["switch whole { case .\(name)(\(label)let value): value }"]
      : ["if case .\(name)(\(label)let value) = whole { value } else { nil }"]
    return part(
      name, access, [type], "EnumCase",
      typeName(of: name, in: declaration, access)
        + function("extract(_ whole: \(whole)) -> \(optional(type))", access, extraction)
        + function(
          "embed(_ value: \(type)) -> \(whole)", access, [".\(name)(\(label)value)"])
        + function(
          "with<_R>(_ whole: inout \(whole), _ body: (inout \(type)) -> _R) -> _R?", access,
          isOnlyCase
            ? ["\(move) in", "  switch consume whole {", "  \(pattern):"]
              + changed.map { "    \($0)" } + ["  }", "}"]
            : ["guard case .\(name) = whole else { return nil }", "return \(move) in"]
              + ["  guard \(pattern) = consume whole else { fatalError() }"]
              + changed.map { "  \($0)" } + ["}"]))
  }

  private static func identified(
    _ element: Case, of declaration: Declaration, isOnlyCase: Bool
  ) -> Part {
    let (whole, access) = (declaration.codeName, declaration.accessLevel)
    let (name, id, value) = (element.codeName, element.payloads[0], element.payloads[1])
    let pattern = ".\(name)(\(id.label)let id, \(value.label)let value)"
    let extraction =
      isOnlyCase
      ? ["switch whole { case \(pattern): (id, value) }"]
      : ["if case \(pattern) = whole { (id, value) } else { nil }"]
    return part(
      name, access, [id.type, value.type], "IdentifiedCase",
      typeName(of: name, in: declaration, access)
        + function(
          "extract(_ whole: \(whole)) -> (id: \(id.type), value: \(value.type))?", access,
          extraction)
        + function(
          "embed(_ value: \(value.type), for id: \(id.type)) -> \(whole)", access,
          [".\(name)(\(id.label)id, \(value.label)value)"]))
  }

  private static func part(
    _ name: String, _ access: AccessLevel, _ types: [String], _ conformance: String,
    _ functions: [String]
  ) -> Part {
    let head = "\(access.modifier)struct _\(name.filter { $0 != "`" }): \(conformance) {"
    return Part(
      name: name, access: access, types: types,
      lines: [head] + functions.map { "  \($0)" } + ["}"])
  }

  /// Returns the name of a case's type, which scopes of effects have.
  private static func typeName(
    of name: String, in declaration: Declaration, _ access: AccessLevel
  ) -> [String] {
    let type = "\(declaration.codeName).Parts._\(name)".filter { $0 != "`" }
    return ["\(access.modifier)static let typeName: String = _name(\"\(type)\")"]
  }

  private static func function(
    _ signature: String, _ access: AccessLevel, _ body: [String]
  ) -> [String] {
    let attribute = access == .everyone ? "@inlinable " : ""
    let line = "\(attribute)\(access.modifier)static func \(signature) {"
    return body.count == 1 ? ["\(line) \(body[0]) }"] : [line] + body.map { "  \($0)" } + ["}"]
  }

  /// Returns the optional of a type; a second question mark needs no parentheses.
  private static func optional(_ type: String) -> String { "\(type)?" }
}
