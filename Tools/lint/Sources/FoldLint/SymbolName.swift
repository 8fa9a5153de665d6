internal import Foundation

/// The demangled name of a symbol, and what kind of symbol it is.
struct SymbolName {
  enum Kind {
    /// Code, or a witness of a protocol's requirement.
    case code
    /// A witness table, its accessor or its descriptor: how a type conforms to a protocol.
    case conformance(type: String, protocol: String)
    /// How a function gets a type that is made when the program runs, such as a dictionary's.
    case metadata(type: String)
    /// What points to another symbol and has no meaning of its own.
    case pointer
    /// What describes types for the runtime, and is not what a function does.
    case description
  }

  /// The demangled name; the symbol itself if it is not one of Swift.
  let text: String
  let kind: Kind
  let isSwift: Bool

  init(_ symbol: String) {
    isSwift = symbol.hasPrefix("$s")
    if Self.pointerPrefixes.contains(where: { symbol.hasPrefix($0) }) {
      (text, kind) = (symbol, .pointer)
    } else if symbol.hasPrefix("symbolic ") || symbol.isEmpty {
      (text, kind) = (symbol, .description)
    } else {
      text = isSwift ? Self.demangled(symbol) : symbol
      kind = Self.kind(of: text)
    }
  }

  private static let pointerPrefixes = ["got.", "associated conformance ", "base conformance "]

  private static func kind(of text: String) -> Kind {
    let metadata = "demangling cache variable for type metadata for "
    if text.hasPrefix(metadata) { return .metadata(type: String(text.dropFirst(metadata.count))) }
    for prefix in conformancePrefixes where text.hasPrefix(prefix) {
      // As in "type T and conformance <A> T<A> : P in M", or "T : P in M".
      var rest = text.dropFirst(prefix.count)
      var type: Substring?
      if let middle = rest.range(of: " and conformance ") {
        type = rest[..<middle.lowerBound]
        rest = rest[middle.upperBound...]
      }
      // The last colon: a conformance of a generic type has others before it.
      guard let colon = rest.lastRange(of: " : ") else { return .description }
      let name = rest[colon.upperBound...].prefix { $0 != " " }
      return .conformance(
        type: String(type ?? rest[..<colon.lowerBound]), protocol: String(name))
    }
    return descriptionPrefixes.contains { text.hasPrefix($0) } ? .description : .code
  }

  private static let conformancePrefixes = [
    "protocol witness table for ", "protocol witness table pattern for ",
    "protocol witness table accessor for ", "lazy protocol witness table accessor for type ",
    "protocol conformance descriptor for ",
    "instantiation function for generic protocol witness table for ",
    "generic protocol witness table for ",
  ]

  private static let descriptionPrefixes = [
    "nominal type descriptor", "protocol descriptor", "property descriptor", "method descriptor",
    "reflection metadata", "opaque type descriptor", "associated type descriptor",
    "associated conformance descriptor", "base conformance descriptor", "value witness table",
    "protocol requirements base descriptor", "type metadata for",
    "lazy cache variable", "lazy protocol witness table cache variable", "extension descriptor",
    "module descriptor", "type metadata instantiation cache", "generic type metadata pattern",
    "full type metadata", "metadata instantiation cache", "anonymous descriptor",
  ]

  @_silgen_name("swift_demangle")
  private static func swiftDemangle(
    _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
  ) -> UnsafeMutablePointer<CChar>?

  private static func demangled(_ symbol: String) -> String {
    guard let text = swiftDemangle(symbol, symbol.utf8.count, nil, nil, 0) else { return symbol }
    defer { free(text) }
    return String(cString: text)
  }
}

extension SymbolName {
  /// The name as a reader of the source knows it, such as `NotesReducer.reduce(_:_:at:)`.
  var short: String {
    var name = text[...]
    if let end = name.range(of: " with unmangled suffix") { name = name[..<end.lowerBound] }
    for prefix in ["partial apply forwarder for ", "merged ", "dispatch thunk of "]
    where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.count)
    }
    // A closure counts to the function around it, a witness to the type that has it.
    let inner = [
      "closure #", "implicit closure #", "default argument ", "variable initialization expression",
    ]
    while inner.contains(where: { name.hasPrefix($0) }) {
      guard let end = name.lastRange(of: " in ") ?? name.range(of: " of ") else { break }
      name = name[end.upperBound...]
    }
    if name.hasPrefix("protocol witness for "), let type = name.range(of: " in conformance ") {
      let requirement = name[..<type.lowerBound].dropFirst("protocol witness for ".count)
      let owner = name[type.upperBound...].prefix { $0 != ":" && $0 != " " }
      let member = Self.components(of: requirement).last ?? ""
      return Self.components(of: owner).dropFirst().joined(separator: ".") + "." + member
    }
    if case .conformance(let type, let conformed) = kind {
      let owner = Self.components(of: type[...]).dropFirst().joined(separator: ".")
      return "\(owner): \(conformed.split(separator: ".").last ?? "")"
    }
    var parts = Self.components(of: name)
    if parts.count > 1 { parts.removeFirst() }
    return parts.joined(separator: ".")
      .replacing("__derived_struct_equals(_:_:)", with: "==(_:_:)")
      .replacing("__derived_enum_equals(_:_:)", with: "==(_:_:)")
  }

  /// Splits a declaration's demangled name at its dots, without types of parameters and results.
  private static func components(of name: Substring) -> [String] {
    var name = name
    for prefix in ["static ", "override "] where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.count)
    }
    if name.hasPrefix("(extension in "), let end = name.range(of: "):") {
      name = name[end.upperBound...]
    }
    var parts = [""]
    var reader = name[...]
    while let character = reader.popFirst() {
      switch character {
      case ".": parts.append("")
      case "<": reader = skipped(reader, from: "<", to: ">")
      case "(":
        let inside = reader
        reader = skipped(reader, from: "(", to: ")")
        let content = inside[..<reader.startIndex].dropLast()
        guard parts.last == "" else {
          parts[parts.count - 1] += "(" + labels(of: content) + ")"
          return parts
        }
        // A private declaration, as in "(name in _0123)".
        parts[parts.count - 1] = String(content.prefix { $0 != " " })
      case " ":
        // An operator has its position after its name.
        guard reader.hasPrefix("infix") || reader.hasPrefix("prefix") else {
          return parts.last == "getter" || parts.last == "setter" ? parts.dropLast() : parts
        }
        reader = reader.drop { $0 != "(" }
      default: parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  private static func skipped(
    _ text: Substring, from open: Character, to close: Character
  ) -> Substring {
    var depth = 1
    var text = text
    var last: Character = " "
    while depth > 0, let character = text.popFirst() {
      if character == open { depth += 1 }
      if character == close, !(close == ">" && last == "-") { depth -= 1 }
      last = character
    }
    return text
  }

  private static func labels(of parameters: Substring) -> String {
    var labels = ""
    var rest = parameters
    while !rest.isEmpty {
      let label = rest.prefix { $0 != ":" && $0 != "," && $0 != " " && $0 != "<" && $0 != "(" }
      let isLabel = rest.dropFirst(label.count).hasPrefix(":")
      labels += (isLabel ? label : "_") + ":"
      var depth = 0
      var last: Character = " "
      while let character = rest.popFirst() {
        if "(<[".contains(character) { depth += 1 }
        if ")]".contains(character) || character == ">" && last != "-" { depth -= 1 }
        last = character
        if character == ",", depth == 0 { break }
      }
      rest = rest.drop { $0 == " " }
    }
    return labels
  }
}

extension Substring {
  /// Returns the range of the first occurrence of a text.
  func range(of text: String) -> Range<Index>? { firstRange(of: text) }

  /// Returns the range of the last occurrence of a text.
  func lastRange(of text: String) -> Range<Index>? { ranges(of: text).last }
}
