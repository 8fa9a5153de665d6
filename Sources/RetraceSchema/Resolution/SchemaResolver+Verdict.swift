import RetraceAvro

extension SchemaResolver {
  /// Returns whether and how values recorded under the writer's schema can be read.
  ///
  /// It is computed from the schemas alone: a case that differs counts whether or not the log holds
  /// a value of it.
  ///
  /// - Parameters:
  ///   - upcasters: The cases with an upcaster.
  ///   - retired: The cases that are skipped.
  /// - Complexity: O(parts of both schemas).
  public func verdict(
    handling upcasters: Set<CaseName> = [], retiring retired: Set<CaseName> = []
  ) -> SchemaVerdict {
    verdict(handling: upcasters, retiring: retired, asking: [])
  }

  /// Returns the verdict for an app with commands.
  ///
  /// A case whose only payload is a command asks for the command. No record has such a case, so a
  /// change of a command does not make a log unreadable.
  ///
  /// - Parameters:
  ///   - upcasters: The cases with an upcaster.
  ///   - retired: The cases that are skipped.
  ///   - commands: The recorded name of the app's commands, with its former names.
  /// - Complexity: O(parts of both schemas).
  package func verdict(
    handling upcasters: Set<CaseName>, retiring retired: Set<CaseName>,
    asking commands: Set<String>
  ) -> SchemaVerdict {
    var asking: Set<CaseName> = []
    if !commands.isEmpty {
      for codec in [writer, reader] { codec.schema.collectCases(of: commands, into: &asking) }
    }
    var walk = Walk(resolver: self, upcasters: upcasters, retired: retired, asking: asking)
    walk.visit(storage.root, insideCase: false, isOnlyContent: true)
    let differencesToCheck = walk.differencesToCheck.union(storage.losses)
    if differencesToCheck.isEmpty && walk.covered.isEmpty && !storage.dropsRules
      && writer.schema.canonicalForm == reader.schema.canonicalForm
    {
      return .same
    }
    if !walk.impossible.isEmpty { return .impossible(Self.sorted(walk.impossible)) }
    if !walk.uncovered.isEmpty { return .needsUpcaster(Self.sorted(walk.uncovered)) }
    let differences = storage.changes + Self.sorted(walk.covered)
    if !differencesToCheck.isEmpty {
      return .needsChecking(differences + Self.sorted(differencesToCheck))
    }
    return .fine(differences)
  }

  private static func sorted(_ differences: Set<SchemaDifference>) -> [SchemaDifference] {
    differences.sorted { $0.description < $1.description }
  }

  /// A search for unresolvable differences not covered by an upcaster or by retirement.
  private struct Walk {
    let resolver: SchemaResolver
    let upcasters: Set<CaseName>
    let retired: Set<CaseName>
    /// The cases that ask for a command.
    let asking: Set<CaseName>
    var impossible: Set<SchemaDifference> = []
    var uncovered: Set<SchemaDifference> = []
    var covered: Set<SchemaDifference> = []
    var differencesToCheck: Set<SchemaDifference> = []
    private var visited: Set<Step> = []

    private struct Step: Hashable {
      var node: Int
      var insideCase: Bool
      var isOnlyContent: Bool
    }

    init(
      resolver: SchemaResolver, upcasters: Set<CaseName>, retired: Set<CaseName>,
      asking: Set<CaseName>
    ) {
      self.resolver = resolver
      self.upcasters = upcasters
      self.retired = retired
      self.asking = asking
    }

    mutating func visit(_ node: Int, insideCase: Bool, isOnlyContent: Bool) {
      let step = Step(node: node, insideCase: insideCase, isOnlyContent: isOnlyContent)
      guard visited.insert(step).inserted else { return }
      switch resolver.storage.nodes[node] {
      case .array(let inner), .map(let inner):
        visit(inner, insideCase: insideCase, isOnlyContent: false)
      case .wrap(_, let inner): visit(inner, insideCase: insideCase, isOnlyContent: isOnlyContent)
      case .record(let record):
        for case .field(_, let inner) in record.targets {
          visit(inner, insideCase: insideCase, isOnlyContent: isOnlyContent && !record.hasSiblings)
        }
      case .union(let branches):
        for branch in branches {
          guard let index = branch.caseIndex else {
            visit(branch.node, insideCase: insideCase, isOnlyContent: isOnlyContent)
            continue
          }
          let name = resolver.storage.cases[index]
          if !noteIfCovered(name, at: branch.node, isOnlyContent: isOnlyContent) {
            let before = uncovered.count
            visit(branch.node, insideCase: true, isOnlyContent: isOnlyContent)
            if uncovered.count > before { noteIneffectiveRetirement(name) }
          }
        }
      case .enumeration(let symbols):
        for case .unresolved(let difference, let index) in symbols {
          let name = resolver.storage.cases[index]
          if noteIfCovered(name, at: nil, isOnlyContent: isOnlyContent) { continue }
          uncovered.insert(resolver.storage.unresolvedDifferences[difference])
          noteIneffectiveRetirement(name)
        }
      case .needsChecking(let inner, let difference, let reason):
        if reason != .set {
          differencesToCheck.insert(resolver.storage.unresolvedDifferences[difference])
        }
        visit(inner, insideCase: insideCase, isOnlyContent: isOnlyContent)
      case .unresolved(let difference):
        if insideCase {
          uncovered.insert(resolver.storage.unresolvedDifferences[difference])
        } else {
          impossible.insert(resolver.storage.unresolvedDifferences[difference])
        }
      default: break
      }
    }

    /// Records why the retirement of a case is not enough.
    private mutating func noteIneffectiveRetirement(_ name: CaseName) {
      guard retired.contains(name) else { return }
      uncovered.insert(
        SchemaDifference(
          type: name.type, member: name.name,
          detail: "is retired, but skipping it would also lose the values next to it"))
    }

    /// Returns whether a case has an upcaster, can be skipped because it is retired, or asks for a
    /// command.
    ///
    /// If so, and a part of the case cannot be resolved, notes the case as covered.
    private mutating func noteIfCovered(_ name: CaseName, at node: Int?, isOnlyContent: Bool)
      -> Bool
    {
      let detail: String
      if upcasters.contains(name) {
        detail = "goes through an upcaster"
      } else if retired.contains(name) && isOnlyContent {
        detail = "is retired, so its records are skipped"
      } else if asking.contains(name) {
        detail = "asks for a command, so no record has it"
      } else {
        return false
      }
      var seen: Set<Int> = []
      if node.map({ isUnresolved($0, &seen) }) ?? true {
        covered.insert(SchemaDifference(type: name.type, member: name.name, detail: detail))
      }
      return true
    }

    private func isUnresolved(_ node: Int, _ seen: inout Set<Int>) -> Bool {
      guard seen.insert(node).inserted else { return false }
      switch resolver.storage.nodes[node] {
      case .unresolved: return true
      case .needsChecking(let inner, _, let reason):
        return reason != .set || isUnresolved(inner, &seen)
      case .array(let inner), .map(let inner), .wrap(_, let inner):
        return isUnresolved(inner, &seen)
      case .record(let record):
        for case .field(_, let inner) in record.targets where isUnresolved(inner, &seen) {
          return true
        }
        return false
      case .union(let branches):
        for branch in branches where isUnresolved(branch.node, &seen) { return true }
        return false
      case .enumeration(let symbols):
        for case .unresolved in symbols { return true }
        return false
      default: return false
      }
    }
  }
}

extension Schema {
  /// Collects the cases whose only payload is of one of the named types.
  fileprivate func collectCases(of types: Set<String>, into found: inout Set<CaseName>) {
    switch self {
    case .array(let items): items.collectCases(of: types, into: &found)
    case .map(let values): values.collectCases(of: types, into: &found)
    case .logical(_, let base), .ruled(_, let base): base.collectCases(of: types, into: &found)
    case .union(let branches):
      for branch in branches { branch.collectCases(of: types, into: &found) }
    case .record(let name, _, let fields):
      if fields.count == 1, fields[0].name == "case", case .union(let cases) = fields[0].type {
        for case .record(let label, _, let payloads) in cases {
          guard payloads.count == 1, types.contains(payloads[0].type.branchName),
            label.hasPrefix("\(name)_")
          else { continue }
          found.insert(CaseName(name, String(label.dropFirst(name.count + 1))))
        }
      }
      for field in fields { field.type.collectCases(of: types, into: &found) }
    default: break
    }
  }
}
