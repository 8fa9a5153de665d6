/// Rules on the lists of dependencies in the root package's manifest.
struct EdgeRules {
  let tree: SourceTree
  /// The targets that each target lists.
  let listed: [String: [String]]

  private let names: ModuleNames

  init(_ tree: SourceTree) {
    self.tree = tree
    listed = ManifestCode(tree.files["Package.swift"] ?? "").dependencies
    names = ModuleNames(tree)
  }

  /// Every target was found in the text of the manifest, and the package manager gives it all that
  /// it lists.
  func found() -> [Finding] {
    tree.manifest.targets.compactMap { target in
      guard let listed = listed[target.name] else {
        return finding("the list of \(target.name) was not found")
      }
      let missing = Set(listed).subtracting(target.targets).sorted()
      return missing.isEmpty ? nil : finding("\(target.name) does not get \(missing)")
    }
  }

  /// A target names something of each module that it lists.
  func unused() -> [Finding] {
    let modules = tree.manifest.names(.library, .system)
    return edges().compactMap { target, used in
      guard modules.contains(used) else { return nil }
      let imported = code(of: target).filter { code in
        code.imports.contains { $0.module == used }
      }
      guard !imported.isEmpty else {
        return finding("\(target.name) lists \(used), and no file imports it")
      }
      // A module in C declares nothing that these rules can read.
      guard let names = names.names(of: used) else { return nil }
      let isUsed = imported.contains { code in
        code.imports.contains { $0.module == used && $0.isExported }
          || code.tokens.contains { names.contains($0.text) }
      }
      return isUsed ? nil : finding("\(target.name) lists \(used), and no file names any of it")
    }
  }

  /// A module is listed once: a target does not list what it reaches through another module.
  ///
  /// Tests may, because a reader looks there for the module that is tested.
  func repeated() -> [Finding] {
    edges().compactMap { target, used in
      guard target.kind != .test, target.name != "testapp" else { return nil }
      let others = (listed[target.name] ?? []).filter { $0 != used }
      guard let other = others.first(where: { reached(from: $0).contains(used) }) else {
        return nil
      }
      return finding("\(target.name) lists \(used), which it reaches through \(other)")
    }
  }

  /// A module of a product exports the modules that its public signatures may name.
  func notExported(from modules: [String]) -> [Finding] {
    modules.flatMap { module -> [Finding] in
      let files = tree.rootSwiftFiles.filter { tree.manifest.target(ofPath: $0)?.name == module }
      let imported = Set(
        files.flatMap { (tree.files[$0] ?? "").split(separator: "\n") }
          .filter { $0.hasPrefix("public import ") }
          .map { String($0.dropFirst("public import ".count)) })
      // Modules of the toolchain are there for every program.
      let others = imported.subtracting(Walls.externalModules.keys)
      return others.subtracting(names.reached(from: module)).sorted().map {
        finding("\(module) imports \($0) publicly, and does not export it")
      }
    }
  }

  /// Returns the modules that a target may import because it lists a module.
  private func reached(from module: String) -> Set<String> {
    guard Walls.onlyUsers[module] == nil else { return [] }
    return (listed[module] ?? []).reduce(into: []) { found, next in
      guard Walls.onlyUsers[next] == nil else { return }
      found.insert(next)
      found.formUnion(reached(from: next))
    }
  }

  private func edges() -> [(Manifest.Target, String)] {
    tree.manifest.targets.flatMap { target in
      (listed[target.name] ?? []).map { (target, $0) }
    }
  }

  private func code(of target: Manifest.Target) -> [SwiftCode] {
    tree.rootSwiftFiles.filter { tree.manifest.target(ofPath: $0)?.name == target.name }
      .map { SwiftCode.of(tree.files[$0] ?? "") }
  }

  private func finding(_ problem: String) -> Finding {
    Finding(path: "Package.swift", line: nil, problem: problem)
  }
}

/// The names by which other modules use the modules of the root package.
private struct ModuleNames {
  /// The types, functions and variables that each module declares for others, and the members that
  /// it adds to types of other modules.
  private var own: [String: Set<String>] = [:]
  private var exported: [String: Set<String>] = [:]

  init(_ tree: SourceTree) {
    var declared: [String: Set<String>] = [:]
    var extensions: [String: [(type: String, member: String)]] = [:]
    for path in tree.rootSwiftFiles {
      guard let module = tree.manifest.target(ofPath: path)?.name else { continue }
      let code = SwiftCode.of(tree.files[path] ?? "")
      declared[module, default: []].formUnion(code.declarations)
      extensions[module, default: []] += code.extensions
      for (other, _, isExported) in code.imports where isExported {
        exported[module, default: []].insert(other)
      }
    }
    own = declared
    for (module, additions) in extensions {
      for (type, member) in additions where declared[module]?.contains(type) != true {
        own[module, default: []].insert(member)
      }
    }
  }

  /// Returns the modules that a module exports, directly or through another one.
  func reached(from module: String) -> Set<String> {
    (exported[module] ?? []).reduce(into: []) { found, next in
      found.insert(next)
      found.formUnion(reached(from: next))
    }
  }

  /// Returns the names of a module and of those that it exports; `nil` for a module without Swift.
  func names(of module: String) -> Set<String>? {
    guard var names = own[module] else { return nil }
    for other in exported[module] ?? [] { names.formUnion(self.names(of: other) ?? []) }
    return names
  }
}
