/// Writes the conformance of one declaration.
///
/// The functions have no comments of their own: the requirements of the protocol have them.
struct Emitter {
  private var lines: [String] = []

  /// Returns the lines of the extension that makes a declaration a recorded type.
  static func lines(for declaration: Declaration) -> [String] {
    var emitter = Emitter()
    emitter.emit(declaration)
    return emitter.lines
  }

  private mutating func emit(_ declaration: Declaration) {
    lines.append("extension \(declaration.codeName) {")
    emitName(declaration)
    switch declaration.kind {
    case .record(let fields, let isMemberwise):
      emitRecord(declaration, fields, isMemberwise)
      if declaration.isEntityChanges { emitChanges(declaration, fields) }
    case .state(let fields, _): emitState(declaration, fields)
    case .enumeration(let cases): emitEnumeration(declaration, cases)
    case .union(let cases, let isIndirect): emitUnion(declaration, cases, isIndirect)
    case .identifier(let number): if let number { emitIdentifier(declaration, number) }
    }
    if let fields = declaration.initialised { emitInitialisers(declaration, fields) }
    lines.append("}")
  }

  private mutating func emitName(_ declaration: Declaration) {
    let arguments = declaration.genericParameters.map { "__\\(\($0).recordedName)" }.joined()
    emitFunction(
      "\(declaration.modifier)static var recordedName: String",
      ["\"\(declaration.recordedName)\(arguments)\""])
    guard declaration.hasAliases else { return }
    // Nothing reads a state by a former name.
    if case .state = declaration.kind { return }
    let former = declaration.formerNames.map { "\"\($0)\"" }.joined(separator: ", ")
    let names = declaration.genericParameters.map { "\($0)._recordedNames" }.joined(separator: ", ")
    let call =
      names.isEmpty
      ? "[\(former)]"
      : "_RecordedNames.aliases(of: \"\(declaration.recordedName)\", formerly: [\(former)], "
        + "with: [\(names)])"
    emitFunction("\(declaration.modifier)static var recordedAliases: [String]", [call])
  }

  private mutating func emitIdentifier(_ declaration: Declaration, _ number: Field) {
    let attribute =
      declaration.accessLevel == .everyone && number.isUsableFromInline ? "@inlinable" : nil
    emitFunction(
      "\(declaration.modifier)var value: Int64",
      [number.codeName], attribute: attribute)
    emitFunction(
      "\(declaration.modifier)init(value: Int64)",
      ["self.\(number.codeName) = value"], attribute: attribute)
  }

  private mutating func emitSchema(
    _ declaration: Declaration, function: String = "schema", storing fields: [Field]? = nil,
    usesComposer: Bool, _ body: [String]
  ) {
    var storing = ""
    if let fields {
      let types = fields.map(\.type).joined(separator: ", ")
      storing = ", storing: \(fields.isEmpty ? "Void" : "(\(types))").self"
    }
    lines += [
      "  \(declaration.modifier)static func \(function)("
        + "in composer: inout SchemaComposer) -> Schema {",
      "    composer.named(recordedName, for: Self.self\(storing)) "
        + "{ \(usesComposer ? "composer" : "_") in",
    ]
    lines += body.map { "      \($0)" }
    lines += ["    }", "  }"]
  }

  private mutating func emitFunction(
    _ signature: String, _ body: [String], attribute: String? = nil
  ) {
    let head = "  \(attribute.map { "\($0) " } ?? "")\(signature)"
    let line = "\(head) { \(body.first ?? "") }"
    if body.count == 1, line.count <= Self.columns {
      lines.append(line)
    } else {
      lines += ["\(head) {"] + body.map { "    \($0)" } + ["  }"]
    }
  }

  /// The longest line that joins what could be several.
  private static let columns = 100

  private mutating func emitRecord(
    _ declaration: Declaration, _ fields: [Field], _ isMemberwise: Bool
  ) {
    let schema = fields.map { "  \(fieldCall($0))," }
    emitSchema(
      declaration, storing: fields, usesComposer: !fields.isEmpty,
      [".record(name: recordedName, \(aliases(declaration))fields: ["] + schema + ["])"])
    emitFunction(
      "\(declaration.modifier)func encode(into writer: inout AvroWriter)",
      fields.map { "self.\($0.codeName).encode(into: &writer)" })
    // All fields are read before any is set. If a read could fail while the value is built, Swift
    // would copy the value once more at the end and retain its contents. The compiler's memberwise
    // initialiser builds the value without a temporary copy. An initialiser that sets the fields
    // may still copy the value, if all fields have initial values.
    let reads = fields.enumerated().map { "let value\($0): \($1.type) = try reader.read()" }
    let arguments = fields.enumerated().map { "\($1.label)value\($0)" }
    emitFunction(
      "\(declaration.modifier)init(decoding reader: inout AvroReader) throws(AvroError)",
      reads
        + (isMemberwise && !fields.isEmpty
          ? ["self.init(\(arguments.joined(separator: ", ")))"]
          : fields.enumerated().map { "self.\($1.codeName) = value\($0)" }),
      attribute: isSmall(fields.count) ? "@inline(__always)" : nil)
    // Only structs get this function, because tables hold structs. The default implementation
    // decodes a value and discards it.
    emitFunction(
      "\(declaration.modifier)static func skip(in reader: inout AvroReader) throws(AvroError)",
      fields.map { "try reader.skip(\($0.type).self)" })
  }

  /// Writes the initialisers of a public type, which Swift makes internal ones for.
  ///
  /// The parameters are borrowed, because Swift allows no second initialiser with the parameters of
  /// the internal one. The target itself calls the internal one.
  private mutating func emitInitialisers(_ declaration: Declaration, _ fields: [Field]) {
    let level = declaration.accessLevel
    if level == .everyone {
      for field in fields where field.argument == nil {
        guard let value = field.initialValue else { continue }
        emitFunction(
          "static var \(field.initialValueName): \(field.type)", [value],
          attribute: "@usableFromInline")
      }
    }
    if !fields.isEmpty {
      lines.append("  /// Creates a value from its properties.")
      let parameters = fields.map {
        "\($0.label)borrowing \($0.type)\($0.argument(at: level).map { " = \($0)" } ?? "")"
      }
      let line = parameters.joined(separator: ", ")
      let list =
        line.count <= Self.columns - 50
        ? line : "\n    \(parameters.joined(separator: ",\n    "))\n  "
      emitFunction(
        "\(declaration.modifier)init(\(list))",
        fields.map { "self.\($0.codeName) = copy \($0.codeName)" },
        attribute: "@_disfavoredOverload")
    }
    let needsOther = fields.isEmpty || fields.contains { $0.argument(at: level) == nil }
    guard needsOther, fields.allSatisfy(\.hasInitialValue) else { return }
    lines.append("  /// Creates a value with the initial values of its properties.")
    emitFunction(
      "\(declaration.modifier)init(_: Void = ())", [], attribute: "@_disfavoredOverload")
  }

  private mutating func emitChanges(_ declaration: Declaration, _ fields: [Field]) {
    emitFunction(
      "\(declaration.modifier)init(_unchanged: Void)", fields.map { "self.\($0.codeName) = nil" })
    emitFunction(
      "\(declaration.modifier)mutating func _visitChanges("
        + "_ visitor: inout some _FieldChangeVisitor)",
      fields.map { "visitor.visit(\"\($0.recordedName)\", &self.\($0.codeName))" })
    emitFunction(
      "\(declaration.modifier)mutating func _visitChanges(\n"
        + "    of entity: inout Entity, _ visitor: inout some _EntityFieldVisitor\n  )",
      fields.map {
        "visitor.visit(\"\($0.recordedName)\", &self.\($0.codeName), &entity.\($0.codeName))"
      })
  }

  private mutating func emitState(_ declaration: Declaration, _ fields: [Field]) {
    let schema = fields.map {
      "  Schema.Field(\"\($0.recordedName)\", "
        + "_RecordedStateCoder.schema(of: \($0.type).self, in: &composer)),"
    }
    emitSchema(
      declaration, function: "stateSchema", storing: fields, usesComposer: !fields.isEmpty,
      [".record(name: recordedName, fields: ["] + schema + ["])"])
    emitFunction(
      "\(declaration.modifier)func encodeScalars(into writer: inout AvroWriter)",
      fields.map { "_RecordedStateCoder.encodeScalars(of: self.\($0.codeName), into: &writer)" })
    emitFunction(
      "\(declaration.modifier)init(decodingScalars reader: inout AvroReader) throws(AvroError)",
      fields.map {
        "self.\($0.codeName) = try _RecordedStateCoder.decodeScalars("
          + "of: \($0.type).self, from: &reader)"
      })
    emitFunction(
      "\(declaration.modifier)mutating func visitTables(_ visitor: inout some TableVisitor)",
      fields.map { "_RecordedStateCoder.visitTables(of: &self.\($0.codeName), &visitor)" })
    emitFunction(
      "\(declaration.modifier)func encodeWhole(into writer: inout AvroWriter)",
      fields.map { "_RecordedStateCoder.encodeWhole(of: self.\($0.codeName), into: &writer)" })
  }

  private mutating func emitEnumeration(_ declaration: Declaration, _ cases: [Case]) {
    let symbols = Self.wrapped(cases.map { "\"\($0.recordedName)\"," }, indentation: 8)
    emitSchema(
      declaration, usesComposer: false,
      [".enumeration(name: recordedName, \(aliases(declaration))symbols: ["]
        + symbols.map { "  \($0)" } + ["])"])
    var encode = ["switch self {"]
    for (index, element) in cases.enumerated() {
      encode.append("case .\(element.codeName): writer.branch(\(index))")
    }
    emitFunction(
      "\(declaration.modifier)func encode(into writer: inout AvroWriter)", encode + ["}"])
    emitFunction(
      "\(declaration.modifier)init(decoding reader: inout AvroReader) throws(AvroError)",
      decodeSwitch(cases) { _ in "" })
  }

  private mutating func emitUnion(
    _ declaration: Declaration, _ cases: [Case], _ isIndirect: Bool
  ) {
    var schema = [
      ".record(name: recordedName, \(aliases(declaration))fields: [Schema.Field(\"case\", .union(["
    ]
    for element in cases {
      let name = "\"\\(recordedName)_\(element.recordedName)\"" + aliases(declaration, element)
      let fields = element.payloads.map { fieldCall($0) }
      let line = "  composer.caseRecord(\(name), [\(fields.joined(separator: ", "))]),"
      if line.count <= Self.columns - 6 {
        schema.append(line)
      } else {
        schema.append("  composer.caseRecord(\(name), [")
        schema += fields.map { "    \($0)," } + ["  ]),"]
      }
    }
    emitSchema(declaration, usesComposer: true, schema + ["]))])"])
    var encode = ["switch self {"]
    for (index, element) in cases.enumerated() {
      let names = element.payloads.indices.map { "let value\($0)" }.joined(separator: ", ")
      if names.isEmpty {
        encode.append("case .\(element.codeName): writer.branch(\(index))")
        continue
      }
      encode += ["case .\(element.codeName)(\(names)):", "  writer.branch(\(index))"]
      encode += element.payloads.indices.map { "  value\($0).encode(into: &writer)" }
    }
    // So that other modules specialize the functions for their types. Generic structs do without,
    // because their fields need not be public.
    let inlinable = !declaration.genericParameters.isEmpty && declaration.accessLevel == .everyone
    emitFunction(
      "\(declaration.modifier)func encode(into writer: inout AvroWriter)", encode + ["}"],
      attribute: inlinable ? "@inlinable" : nil)
    var decode = decodeSwitch(cases) { element in
      if element.payloads.isEmpty { return "" }
      let arguments = element.payloads.map { "\($0.label)try reader.read()" }
      return "(\(arguments.joined(separator: ", ")))"
    }
    if isIndirect { decode = ["try reader.enter()"] + decode + ["reader.leave()"] }
    emitFunction(
      "\(declaration.modifier)init(decoding reader: inout AvroReader) throws(AvroError)", decode,
      attribute: inlinable
        ? "@inlinable" : !isIndirect && isSmall(cases.count) ? "@inline(__always)" : nil)
  }

  /// Returns whether the function that decodes a type of so many fields or cases is inlined.
  ///
  /// A value that is decoded in place saves a copy. The code of a large type would be compiled
  /// again for each list, page and fact that has it.
  private func isSmall(_ parts: Int) -> Bool { parts <= 4 }

  /// Returns the switch over the position.
  ///
  /// The reader has checked the position, so the last case is `default`.
  private func decodeSwitch(_ cases: [Case], _ payloads: (Case) -> String) -> [String] {
    if cases.count == 1 {
      return [
        "_ = try reader.branch(count: 1)", "self = .\(cases[0].codeName)\(payloads(cases[0]))",
      ]
    }
    var lines = ["switch try reader.branch(count: \(cases.count)) {"]
    for (index, element) in cases.enumerated() {
      let label = index == cases.count - 1 ? "default" : "case \(index)"
      lines.append("\(label): self = .\(element.codeName)\(payloads(element))")
    }
    return lines + ["}"]
  }

  /// Returns words on as few lines as they need.
  private static func wrapped(_ words: [String], indentation: Int) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, indentation + last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  private func fieldCall(_ field: Field) -> String {
    var call = "Schema.Field(\"\(field.recordedName)\", composer.schema(of: \(field.type).self)"
    if !field.formerNames.isEmpty {
      call += ", aliases: [\(field.formerNames.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
    if let value = field.defaultValue { call += ", default: \(value)" }
    return call + ")"
  }

  private func aliases(_ declaration: Declaration) -> String {
    declaration.hasAliases ? "aliases: recordedAliases, " : ""
  }

  /// The former names of a case's record: the names of the type and of the case, combined.
  private func aliases(_ declaration: Declaration, _ element: Case) -> String {
    guard declaration.hasAliases || !element.formerNames.isEmpty else { return "" }
    let former = element.formerNames.map { "\"\($0)\"" }.joined(separator: ", ")
    return ", aliases: _RecordedNames.aliases(of: \"\(element.recordedName)\", "
      + "formerly: [\(former)], in: Self.self)"
  }
}
