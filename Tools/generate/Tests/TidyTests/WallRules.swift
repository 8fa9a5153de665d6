/// Rules on dependencies between modules, and on where impure or unsafe code is allowed.
struct WallRules {
  let tree: SourceTree

  init(_ tree: SourceTree) { self.tree = tree }

  private var manifest: Manifest { tree.manifest }
  private var modules: Set<String> { Set(manifest.targets.map(\.name)) }

  /// No target depends, directly or through others, on a module that its wall forbids.
  ///
  /// Only the listed targets use C and products of other packages.
  func dependencies() -> [Finding] {
    var findings: [Finding] = []
    func report(_ problem: String) {
      findings.append(Finding(path: "Package.swift", line: nil, problem: problem))
    }
    for target in manifest.targets where target.kind != .test && target.name != "testapp" {
      for used in target.targets {
        if let users = Walls.onlyUsers[used], !users.contains(target.name) {
          report("\(target.name) uses \(used), which is for \(users.sorted()) only")
        }
      }
      let reached = reachable(from: target.name)
      for wall in Walls.walls where wall.of.contains(target.name) {
        for module in wall.unreachable.intersection(reached).sorted() {
          report("\(target.name) may not reach \(module): \(wall.reason)")
        }
      }
      guard Walls.pure.contains(target.name) else { continue }
      for module in reached.intersection(modules).subtracting(Walls.pure).sorted() {
        report("\(target.name) is pure and may not reach \(module)")
      }
    }
    for target in manifest.targets where target.kind != .test && target.kind != .system {
      for product in target.products
      where Walls.externalModules[product]?.contains(target.name) != true {
        report("\(target.name) may not use the product \(product)")
      }
    }
    return findings
  }

  /// Returns the modules and products that a target depends on, directly or not.
  ///
  /// A plugin runs while the target is built and is not linked.
  private func reachable(from name: String) -> Set<String> {
    var reached: Set<String> = []
    var waiting: Set<String> = [name]
    let plugins = manifest.names(.plugin)
    while let next = waiting.popFirst() {
      guard let target = manifest.targets.first(where: { $0.name == next }) else { continue }
      let used = Set(target.targets + target.products).subtracting(plugins)
      waiting.formUnion(used.subtracting(reached))
      reached.formUnion(used)
    }
    return reached
  }

  /// The modules of the walls are targets, so that none is misspelled.
  func names() -> [Finding] {
    let products = Set(Walls.externalModules.keys)
    let named = Walls.walls.reduce(into: Walls.pure.union(Walls.onlyUsers.keys)) { names, wall in
      names.formUnion(wall.of)
      names.formUnion(wall.unreachable)
    }
    return named.subtracting(modules).subtracting(products).sorted().map {
      Finding(path: "Package.swift", line: nil, problem: "the walls name \($0), which is no target")
    }
  }

  /// Each import is of a declared dependency that the target may use.
  func imports() -> [Finding] {
    var findings: [Finding] = []
    for path in tree.rootSwiftFiles {
      guard let target = manifest.target(ofPath: path) else {
        findings.append(Finding(path: path, line: nil, problem: "belongs to no target"))
        continue
      }
      for (module, line, _) in SwiftCode.of(tree.files[path] ?? "").imports {
        if let problem = importProblem(module, target) {
          findings.append(Finding(path: path, line: line, problem: problem))
        }
      }
    }
    return findings
  }

  private func importProblem(_ module: String, _ target: Manifest.Target) -> String? {
    if modules.contains(module) {
      guard target.targets.contains(module) else {
        return "\(target.name) imports \(module) without declaring it"
      }
      guard target.kind != .test, target.name != "testapp" else { return nil }
      return Walls.violation(of: module, by: target.name)
    }
    // Tests and test support may import any module from outside; the test app may not.
    guard target.kind != .test, Walls.onlyUsers[target.name] != [] else { return nil }
    guard Walls.externalModules[module]?.contains(target.name) == true else {
      return "\(target.name) may not import \(module)"
    }
    return nil
  }

  /// Pure modules use no clock, no random values, no environment and no tasks, and print nothing.
  func purity() -> [Finding] {
    let impure = [
      ["ContinuousClock"], ["SuspendingClock"], ["SystemRandomNumberGenerator"], ["getenv"],
      ["print"], ["debugPrint"], ["dump"], ["readLine"], ["CommandLine"], ["Date", "(", ")"],
      ["UUID", "(", ")"], [".", "random", "("], [".", "randomElement", "("],
      [".", "shuffled", "("], [".", "hashValue"], ["Task", "{"], ["Task", "."],
    ]
    return code(of: Walls.pure).flatMap { path, code in
      impure.flatMap { texts in
        code.lines(with: texts).map {
          Finding(path: path, line: $0, problem: "\(texts.joined()) in a pure module")
        }
      }
    }
  }

  /// Unsafe code is only in the modules of ``Walls/unsafe``, and no module uses `try!` or `as!`.
  func safety() -> [Finding] {
    var findings: [Finding] = []
    for (path, code) in code(of: manifest.names(.library, .executable)) {
      let module = manifest.target(ofPath: path)?.name ?? ""
      func report(_ lines: [Int], _ problem: String) {
        findings += lines.map { Finding(path: path, line: $0, problem: problem) }
      }
      for (expression, line) in code.forcedExpressions {
        report([line], "\(expression) ends the process")
      }
      guard !Walls.unsafe.contains(module), Walls.unsafeExceptions[path] == nil else { continue }
      for word in ["unsafe", "unchecked", "unowned"] {
        report(code.lines(with: word), "\(word) outside of \(Walls.unsafe.sorted())")
      }
      report(code.lines(with: "_silgen_name"), "C is called outside of \(Walls.unsafe.sorted())")
    }
    return findings
  }

  /// All code locks with `Lock`, which the thread sanitizer understands.
  func locks() -> [Finding] {
    let others = ["Mutex", "NSLock", "NSRecursiveLock", "pthread_mutex_t", "pthread_rwlock_t"]
    return tree.rootSwiftFiles.filter { $0 != Walls.lockFile }.flatMap { path in
      let code = SwiftCode.of(tree.files[path] ?? "")
      return others.flatMap { other in
        code.lines(with: other).map {
          Finding(path: path, line: $0, problem: "\(other) in place of RetraceSystem's Lock")
        }
      }
    }
  }

  /// Only the files in ``Walls/outputFiles`` write to a terminal or a pipe.
  func outputFiles() -> [Finding] {
    let own: Set<String> = ["RetraceSystem", "RetraceRandom", "RetraceFixtures", "testapp"]
    let modules = manifest.names(.library, .executable).subtracting(own)
    return code(of: modules).flatMap { path, code in
      guard Walls.outputFiles[path] == nil else { return [Finding]() }
      return
        (code.lines(with: "Console", ".", "write") + code.lines(with: "Swift", ".", "print")
        + code.lines(with: "RawMode"))
        .map {
          Finding(
            path: path, line: $0,
            problem: "writes to standard output, which only the files of Walls.outputFiles may")
        }
    }
  }

  private func code(of modules: Set<String>) -> [(path: String, code: SwiftCode)] {
    tree.rootSwiftFiles
      .filter { modules.contains(manifest.target(ofPath: $0)?.name ?? "") }
      .map { ($0, SwiftCode.of(tree.files[$0] ?? "")) }
  }
}
