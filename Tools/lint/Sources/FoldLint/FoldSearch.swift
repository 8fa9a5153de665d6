/// The search for what a fold reaches and should not.
struct FoldSearch {
  /// A use of what a fold must not use, in code that it reaches.
  struct Finding {
    var rule: FoldRule
    /// Where the use is written; `nil` if only the compiler wrote the code on the way.
    var place: LineTable.Place?
    /// The function that has the use.
    var function: String
    /// What the function gives the text to, if that is what breaks the rule.
    var callee: String?
    /// The functions from the one that a fold calls to this one, each once.
    var way: [String]
  }

  /// What a symbol leads to that has no meaning of its own, such as a witness table.
  private struct Expansion {
    var rules: [FoldRule] = []
    /// Rules that the function which gets the conformance does not break.
    var harmless: [FoldRule] = []
    var functions: [Int] = []
  }

  private let graph: CodeGraph
  private let allowances: Allowances
  private let exceptions: [String]
  private let isForPages: Bool
  private var sources = SourceLines()
  private var expansions: [Int: Expansion] = [:]
  /// The symbol from which each function was reached first; -1 for a root.
  private var parents: [Int: Int] = [:]
  private var waiting: [Int] = []
  private(set) var findings: [Finding] = []
  /// The number of functions that were followed.
  var count: Int { waiting.count }
  /// The allowances of code that a fold reaches.
  private(set) var seen: Set<Allowances.Allowance> = []
  /// The allowances without which something would have been found.
  private(set) var needed: Set<Allowances.Allowance> = []
  private var allowed: [(Expansion, Allowances.Allowance)] = []

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - graph: The references of a build.
  ///   - allowances: The comments that allow something.
  ///   - exceptions: Modules and types that are left out.
  ///   - isForPages: Whether to find what Embedded Swift does not have, too.
  init(
    _ graph: CodeGraph, _ allowances: Allowances, except exceptions: [String], isForPages: Bool
  ) {
    self.graph = graph
    self.isForPages = isForPages
    self.exceptions = exceptions
    self.allowances = allowances
  }

  /// Searches from roots: witness tables, or functions.
  mutating func run(from roots: [Int]) {
    for root in roots {
      if isTransparent(root) {
        let expansion = expand(root)
        for rule in expansion.rules { report(rule, in: root, at: nil, callee: nil) }
        for function in expansion.functions { reach(function, from: -1) }
      } else {
        reach(root, from: -1)
      }
    }
    var next = 0
    while next < waiting.count {
      visit(waiting[next])
      next += 1
    }
    for function in waiting {
      seen.formUnion(graph.places(in: function).compactMap { allowances[$0] })
    }
    seen.formUnion(allowed.map(\.1))
    for (expansion, allowance) in allowed where !needed.contains(allowance) {
      if leadsToFinding(expansion) { needed.insert(allowance) }
    }
  }

  private mutating func reach(_ function: Int, from parent: Int) {
    guard parents[function] == nil else { return }
    parents[function] = parent
    // A comment at a function's declaration allows all of it.
    if let place = graph.place(of: function), let allowance = allowances[place] {
      allowed.append((Expansion(functions: [function]), allowance))
    } else {
      waiting.append(function)
    }
  }

  private mutating func visit(_ source: Int) {
    let uses = graph.uses[source]
    var segment = Segment()
    for (index, use) in uses.enumerated() {
      let callee = callee(of: index, in: uses)
      var expansion = expansion(of: use, to: callee) ?? Expansion()
      let place = graph.place(of: use, in: source)
      if let place, isComparisonWithNil(use, callee, at: place) { continue }
      expansion.rules += segment.add(use, graph.name(use.target), expansion.harmless)
      if expansion.rules.isEmpty && expansion.functions.isEmpty { continue }
      if let place, let allowance = allowances[place] {
        allowed.append((expansion, allowance))
        continue
      }
      for rule in expansion.rules { report(rule, in: source, at: place, callee: callee) }
      for function in expansion.functions { reach(function, from: source) }
    }
  }

  /// What a function has got and given since it called another function.
  ///
  /// The compiler gets a conformance once and keeps it for later calls in the same function. So a
  /// conformance that is harmless for its first call may be used again.
  private struct Segment {
    private var kept: Set<FoldRule> = []
    private var hasFresh = false

    /// Adds a reference, and returns the rules that it breaks with what was kept.
    mutating func add(
      _ use: CodeGraph.Use, _ name: SymbolName, _ harmless: [FoldRule]
    ) -> [FoldRule] {
      kept.formUnion(harmless)
      switch name.kind {
      case .conformance, .metadata: hasFresh = true
      case .pointer, .description: break
      case .code where FoldSearch.isAccess(name): break
      case .code:
        defer { hasFresh = false }
        if hasFresh { return [] }
        return kept.filter { rule in
          rule.isNeeded(by: name) && !rule.isHarmless(for: name, from: .metadata(type: ""))
            && !rule.isHarmless(for: name, from: .conformance(type: "", protocol: ""))
        }
      }
      return []
    }
  }

  /// Returns what a reference leads to; `nil` for nothing that matters.
  private mutating func expansion(of use: CodeGraph.Use, to callee: SymbolName?) -> Expansion? {
    let name = graph.name(use.target)
    if case .conformance(_, let conformed) = name.kind, let callee,
      FoldRoots.comparisons.contains(conformed), FoldRoots.ignoresComparison(callee)
    {
      return nil
    }
    func sorted(_ rules: [FoldRule], _ functions: [Int]) -> Expansion {
      let isHarmless = { (rule: FoldRule) in
        callee.map { rule.isHarmless(for: $0, from: name.kind) } ?? false
      }
      return Expansion(
        rules: rules.filter { !isHarmless($0) }, harmless: rules.filter(isHarmless),
        functions: functions)
    }
    if let rule = rule(of: use.target) { return sorted([rule], []) }
    if isTransparent(use.target) {
      let expansion = expand(use.target)
      return sorted(expansion.rules, expansion.functions)
    }
    return isFunction(use.target) ? Expansion(functions: [use.target]) : nil
  }

  /// Returns whether a reference is part of `== nil`, for which a debug build has the whole
  /// comparison of optional values.
  private mutating func isComparisonWithNil(
    _ use: CodeGraph.Use, _ callee: SymbolName?, at place: LineTable.Place
  ) -> Bool {
    let name = graph.name(use.target)
    switch name.kind {
    case .conformance(_, let conformed):
      guard conformed == "Swift.Equatable", callee?.text.contains("Equatable.==") == true else {
        return false
      }
    case .code:
      guard name.text.contains(".== infix") || name.text.contains("_equals(") else { return false }
    case .metadata, .pointer, .description: return false
    }
    return sources.comparesOnlyWithNil(place)
  }

  private func rule(of symbol: Int) -> FoldRule? {
    if isForPages, let feature = EmbeddedFeature(symbol: graph.symbols[symbol]) {
      return .notEmbedded(feature)
    }
    let name = graph.name(symbol)
    // A lazy accessor of a library's conformance is code of this build.
    if case .code = name.kind, graph.definitions[symbol] != nil { return nil }
    return FoldRule(name)
  }

  private func isFunction(_ symbol: Int) -> Bool {
    let name = graph.name(symbol)
    guard graph.definitions[symbol] != nil, case .code = name.kind else { return false }
    return !exceptions.contains { FoldRoots.isFunction(name, of: $0) }
  }

  /// Returns whether a symbol is only a step to others: what the compiler made without a line of
  /// its own, such as a witness table or a synthesized `==`.
  private func isTransparent(_ symbol: Int) -> Bool {
    guard graph.definitions[symbol] != nil else { return false }
    switch graph.name(symbol).kind {
    case .conformance, .pointer: return true
    case .metadata, .description: return false
    case .code:
      return graph.uses[symbol].allSatisfy { graph.place(of: $0, in: symbol) == nil }
    }
  }

  private mutating func expand(_ start: Int) -> Expansion {
    if let known = expansions[start] { return known }
    var expansion = Expansion()
    var seen: Set<Int> = [start]
    // Each symbol with the protocol that it is part of a conformance to.
    var stack: [(symbol: Int, conformed: String?)] = [(start, nil)]
    while let (symbol, outer) = stack.popLast() {
      let conformed: String?
      switch graph.name(symbol).kind {
      case .conformance(_, let name): conformed = name
      case .pointer: conformed = outer
      // An associated type's conformance is a part of the conformance that needs it.
      case .code where graph.name(symbol).text.hasPrefix("associated type witness table accessor"):
        conformed = outer
      case .code, .metadata, .description: conformed = nil
      }
      let uses = graph.uses[symbol]
      for (index, use) in uses.enumerated() where !seen.contains(use.target) {
        guard FoldRoots.follows(from: conformed, to: graph.name(use.target)) else { continue }
        if let rule = rule(of: use.target) {
          let kind = graph.name(use.target).kind
          let callee = callee(of: index, in: uses)
          if callee.map({ rule.isHarmless(for: $0, from: kind) }) != true {
            expansion.rules.append(rule)
          }
          continue
        }
        seen.insert(use.target)
        if isTransparent(use.target) {
          stack.append((use.target, conformed))
        } else if isFunction(use.target) {
          expansion.functions.append(use.target)
        }
      }
    }
    expansions[start] = expansion
    return expansion
  }

  /// Returns the function that gets a conformance or a type.
  ///
  /// It is the next one that is called after the reference. `nil` for a reference to a function.
  private func callee(of index: Int, in uses: [CodeGraph.Use]) -> SymbolName? {
    switch graph.name(uses[index].target).kind {
    case .conformance, .metadata: break
    case .code, .pointer, .description: return nil
    }
    for use in uses[(index + 1)...] {
      let name = graph.name(use.target)
      guard case .code = name.kind, graph.symbols[use.target].hasPrefix("$s") else { continue }
      if !Self.isAccess(name) { return name }
    }
    return nil
  }

  /// Returns whether a function only gets what another one needs.
  private static func isAccess(_ name: SymbolName) -> Bool {
    [
      "type metadata", "outlined ", "closure #", "implicit closure", "partial apply",
      "default argument", "enum case",
    ].contains { name.text.hasPrefix($0) } || !name.isSwift
  }

  private mutating func report(
    _ rule: FoldRule, in source: Int, at place: LineTable.Place?, callee: SymbolName?
  ) {
    var way: [String] = []
    var symbol = source
    while symbol >= 0 {
      let name = graph.name(symbol).short
      if way.last != name { way.append(name) }
      symbol = parents[symbol] ?? -1
    }
    let function = way[0]
    findings.append(
      Finding(
        rule: rule, place: place, function: function, callee: callee?.short, way: way.reversed()))
  }

  /// Returns whether something would be found if what is allowed were not.
  private mutating func leadsToFinding(_ expansion: Expansion) -> Bool {
    if !expansion.rules.isEmpty { return true }
    var seen = Set(expansion.functions)
    var stack = expansion.functions
    while let function = stack.popLast() {
      let uses = graph.uses[function]
      for (index, use) in uses.enumerated() {
        let callee = callee(of: index, in: uses)
        guard let next = self.expansion(of: use, to: callee) else { continue }
        if !next.rules.isEmpty { return true }
        for other in next.functions where seen.insert(other).inserted { stack.append(other) }
      }
    }
    return false
  }
}
