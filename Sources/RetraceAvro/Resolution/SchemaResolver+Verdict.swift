extension SchemaResolver {
  /// What becomes of everything that was recorded under the writer's schema.
  ///
  /// It is computed from the schemas alone: a case that differs counts whether or not the log holds
  /// one.
  ///
  /// - Parameters:
  ///   - upcasters: The cases for which something turns what was recorded into actions.
  ///   - retired: The cases that are read as nothing.
  /// - Complexity: O(parts of both schemas).
  public func verdict(
    handling upcasters: Set<CaseName> = [], retiring retired: Set<CaseName> = []
  ) -> SchemaVerdict {
    if writer.schema.canonicalForm == reader.schema.canonicalForm { return .same }
    var walk = Walk(resolver: self, upcasters: upcasters, retired: retired)
    walk.visit(storage.root, insideCase: false)
    if !walk.impossible.isEmpty { return .impossible(Self.sorted(walk.impossible)) }
    if !walk.uncovered.isEmpty { return .needsUpcaster(Self.sorted(walk.uncovered)) }
    return .fine(storage.changes + Self.sorted(walk.covered))
  }

  private static func sorted(_ differences: Set<SchemaDifference>) -> [SchemaDifference] {
    differences.sorted { $0.description < $1.description }
  }

  /// Finds the differences without a rule that no upcaster and no retired case is given for.
  private struct Walk {
    let resolver: SchemaResolver
    let upcasters: Set<CaseName>
    let retired: Set<CaseName>
    var impossible: Set<SchemaDifference> = []
    var uncovered: Set<SchemaDifference> = []
    var covered: Set<SchemaDifference> = []
    private var visited: Set<Step> = []

    private struct Step: Hashable {
      var node: Int
      var insideCase: Bool
    }

    init(resolver: SchemaResolver, upcasters: Set<CaseName>, retired: Set<CaseName>) {
      self.resolver = resolver
      self.upcasters = upcasters
      self.retired = retired
    }

    mutating func visit(_ node: Int, insideCase: Bool) {
      guard visited.insert(Step(node: node, insideCase: insideCase)).inserted else { return }
      switch resolver.storage.nodes[node] {
      case .array(let inner), .map(let inner), .wrap(_, let inner):
        visit(inner, insideCase: insideCase)
      case .record(let record):
        for case .field(_, let inner) in record.targets { visit(inner, insideCase: insideCase) }
      case .union(let branches):
        for branch in branches {
          guard let index = branch.caseIndex else {
            visit(branch.node, insideCase: insideCase)
            continue
          }
          if !cover(resolver.storage.cases[index], at: branch.node) {
            visit(branch.node, insideCase: true)
          }
        }
      case .enumeration(let symbols):
        for case .hole(let hole, let index) in symbols
        where !cover(resolver.storage.cases[index], at: nil) {
          uncovered.insert(resolver.storage.holes[hole])
        }
      case .hole(let hole):
        if insideCase {
          uncovered.insert(resolver.storage.holes[hole])
        } else {
          impossible.insert(resolver.storage.holes[hole])
        }
      default: break
      }
    }

    /// Whether something is given for a case; it is noted if the case needs it.
    private mutating func cover(_ name: CaseName, at node: Int?) -> Bool {
      let detail: String
      if upcasters.contains(name) {
        detail = "goes through an upcaster"
      } else if retired.contains(name) {
        detail = "was retired and is read as nothing"
      } else {
        return false
      }
      var seen: Set<Int> = []
      if node.map({ isOpen($0, &seen) }) ?? true {
        covered.insert(SchemaDifference(type: name.type, member: name.name, detail: detail))
      }
      return true
    }

    private func isOpen(_ node: Int, _ seen: inout Set<Int>) -> Bool {
      guard seen.insert(node).inserted else { return false }
      switch resolver.storage.nodes[node] {
      case .hole: return true
      case .array(let inner), .map(let inner), .wrap(_, let inner): return isOpen(inner, &seen)
      case .record(let record):
        for case .field(_, let inner) in record.targets where isOpen(inner, &seen) { return true }
        return false
      case .union(let branches):
        for branch in branches where isOpen(branch.node, &seen) { return true }
        return false
      case .enumeration(let symbols):
        for case .hole in symbols { return true }
        return false
      default: return false
      }
    }
  }
}
