import SwiftSyntax

/// The modules that a generated file imports: those that its declarations' files import.
///
/// In a target with the feature `InternalImportsByDefault`, a signature needs an import of its
/// level. In one without, an import is public if nothing is written; there the compiler warns of
/// a public import that no signature needs, and refuses a file that writes `package` for a module
/// that another file imports without a level.
struct ImportList {
  private var attributes: [String: Set<String>] = [:]
  /// The access levels that signatures of generated functions need.
  private var levels: [String: AccessLevel] = [:]
  /// The modules that may have a type of a signature, or another module has it.
  private var guesses: Set<String> = []
  /// The highest of the levels that the files write at the imports of a module.
  private var written: [String: AccessLevel] = [:]

  /// The modules of the library's types that a part of a state or an action may have.
  private static let modules: [String: String] = [
    "EntityTable": "RetraceState", "SceneID": "RetraceState", "Moment": "RetraceState",
    "ElapsedTime": "RetraceState", "Loadable": "RetraceState", "Change": "RetraceState",
    "Insertion": "RetraceState", "Removal": "RetraceState", "EntityEdit": "RetraceState",
    "TextDraft": "RetraceScreen", "TextReplacement": "RetraceScreen", "Key": "RetraceScreen",
    "BackStack": "RetraceArchitecture", "TabStacks": "RetraceArchitecture",
    "RouteID": "RetraceArchitecture", "MissingTarget": "RetraceArchitecture",
    "EntityFact": "RetraceArchitecture", "Restore": "RetraceArchitecture",
    "Restored": "RetraceArchitecture", "Secret": "RetraceArchitecture",
    "EffectsInFlight": "RetraceArchitecture", "Digest": "RetraceAvro",
  ]

  /// Modules without types that are recorded, unless the target records them itself.
  private static let unrecorded: Set<String> = [
    "Foundation", "FoundationEssentials", "Glibc", "Musl", "Dispatch", "Synchronization",
    "Observation", "RegexBuilder",
  ]

  /// Types of the standard library, which need no import.
  private static let standard: Set<String> = [
    "Bool", "Int", "Int32", "Int64", "UInt8", "Float", "Double", "String", "Set", "Swift",
  ]

  /// Adds the modules that a file imports, with the attributes of the imports.
  mutating func add(from file: SourceFileSyntax) {
    for (module, node) in Self.imports(in: file) {
      attributes[module, default: []].formUnion(node.attributes.map(\.trimmedDescription))
      if let level = AccessLevel(node.modifiers) {
        written[module] = max(written[module] ?? level, level)
      }
    }
  }

  /// Raises the levels of the modules whose types are in signatures of parts.
  ///
  /// The module of a type that neither the target nor the library declares is not known: it is one
  /// of the other modules that the file imports at the level of the part.
  mutating func raise(
    forPartsOf declarations: [Declaration], in file: SourceFileSyntax, _ index: TypeIndex
  ) {
    for declaration in declarations {
      for part in PartEmitter.parts(of: declaration) {
        raise("RetraceArchitecture", toConformAt: part.access)
        raise(toName: part.types, at: part.access, in: file, index)
      }
    }
  }

  /// Raises the levels of the modules whose types are in signatures.
  mutating func raise(
    toName types: [String], at level: AccessLevel, in file: SourceFileSyntax, _ index: TypeIndex,
    except parameters: [String] = []
  ) {
    let known = Set(Self.modules.values).union(["Retrace"])
    for name in types.flatMap(Self.names)
    where index[name] == nil && !parameters.contains(name) {
      if let module = Self.modules[name] {
        raise(module, to: level)
      } else if !Self.standard.contains(name) {
        let candidates = Self.imports(in: file).filter { module, node in
          !known.contains(module) && AccessLevel(node.modifiers) ?? .module >= level
            && (index.isWrittenByHand(name) || !Self.unrecorded.contains(module))
        }
        for (module, _) in candidates {
          raise(module, to: level)
          if candidates.count > 1 { guesses.insert(module) }
        }
      }
    }
  }

  /// Raises the levels of the modules that written types name.
  ///
  /// All three are imported, because members of their protocols are visible only then.
  mutating func raise(toWrite file: WrittenFile) {
    for module in ["RetraceArchitecture", "RetraceAvro", "RetraceState"] {
      raise(module, to: .module)
    }
    for module in file.conformances { raise(module, toConformAt: file.access) }
    for module in file.signatures { raise(module, to: file.access) }
  }

  /// Raises the levels of the modules whose types are in signatures of encoding and decoding, and
  /// of initialisers.
  mutating func raise(
    toEncode declarations: [Declaration], in file: SourceFileSyntax, _ index: TypeIndex
  ) {
    for declaration in declarations where declaration.isRecorded {
      if let fields = declaration.initialised {
        raise(
          toName: fields.map(\.type), at: declaration.accessLevel, in: file, index,
          except: declaration.genericParameters)
      }
      raise("RetraceAvro", to: declaration.accessLevel)
      let isState = if case .state = declaration.kind { true } else { false }
      if isState || declaration.isEntityChanges {
        raise("RetraceState", to: declaration.accessLevel)
      }
    }
  }

  private mutating func raise(_ module: String, to level: AccessLevel) {
    levels[module] = max(levels[module] ?? .module, level)
  }

  /// Raises the level of a module to the level of a conformance to one of its protocols.
  ///
  /// A conformance at the level `package` does not count as a use of the module.
  private mutating func raise(_ module: String, toConformAt level: AccessLevel) {
    raise(module, to: level > .package ? level : .module)
  }

  /// Returns the names in a type, with dots for nesting.
  private static func names(in type: String) -> [String] {
    type.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "`") }.map(
      String.init)
  }

  private static func imports(in file: SourceFileSyntax) -> [(String, ImportDeclSyntax)] {
    file.statements.compactMap { statement in
      guard let node = statement.item.as(ImportDeclSyntax.self),
        let module = node.path.first?.name.text
      else { return nil }
      return (module, node)
    }
  }

  var lines: [String] {
    var levels = levels
    // `Retrace` exports all of these modules.
    if attributes["Retrace"] != nil {
      let needed = levels.filter { $0.key.hasPrefix("Retrace") }
      for module in needed.keys where attributes[module] == nil { levels[module] = nil }
      levels["Retrace"] = needed.values.max() ?? .module
    }
    let modules = Set(attributes.keys).union(levels.keys)
    return modules.sorted().flatMap { module in
      let prefix = (attributes[module] ?? []).sorted().map { "\($0) " }.joined()
      return self.lines(importing: module, levels[module] ?? .module, prefix)
    }
  }

  /// Returns the import of a module at a level, after its attributes.
  private func lines(importing module: String, _ level: AccessLevel, _ prefix: String) -> [String] {
    let plain = "\(prefix)import \(module)"
    let explicit = "\(prefix)\(level.modifier)import \(module)"
    switch level {
    case .file, .module:
      // Beside an import that says `package`, one without a level is refused.
      guard let other = written[module], other < .everyone else { return [plain] }
      return ["\(prefix)internal import \(module)"]
    case .package where written[module] == nil && (attributes[module] != nil || written.isEmpty),
      .everyone where guesses.contains(module):
      return ["#if hasFeature(InternalImportsByDefault)", explicit, "#else", plain, "#endif"]
    case .package, .everyone: return [explicit]
    }
  }
}
