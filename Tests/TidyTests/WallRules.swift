/// Rules about which module may use which, and what code may stand where.
struct WallRules {
  let tree: SourceTree
  let manifest: Manifest

  init(_ tree: SourceTree) {
    self.tree = tree
    manifest = Manifest(tree.files["Package.swift"] ?? "")
  }

  private var modules: Set<String> { Set(manifest.targets.map(\.name)) }

  /// Every target is drawn, and its dependencies are edges that lead somewhere allowed.
  func dependencies() -> [Finding] {
    var findings: [Finding] = []
    func report(_ problem: String) {
      findings.append(Finding(path: "Package.swift", line: nil, problem: problem))
    }
    for target in manifest.targets where target.kind != .test && target.name != "testapp" {
      guard Walls.edges[target.name] != nil else {
        report("the target \(target.name) is not drawn in the walls")
        continue
      }
      for used in target.targets {
        if let refusal = Walls.refusal(of: used, by: target.name) { report(refusal) }
      }
    }
    for name in Walls.edges.keys.sorted() where !modules.contains(name) {
      report("the walls draw \(name), which is no target")
    }
    for target in manifest.targets where target.kind != .test && target.kind != .system {
      for product in target.products where Walls.foreign[product]?.contains(target.name) != true {
        report("\(target.name) may not use the product \(product)")
      }
    }
    return findings
  }

  /// Every import names a declared dependency, and one that the walls allow.
  func imports() -> [Finding] {
    var findings: [Finding] = []
    for path in tree.rootSwiftFiles {
      guard let target = manifest.target(ofPath: path) else {
        findings.append(Finding(path: path, line: nil, problem: "belongs to no target"))
        continue
      }
      for (module, line) in SwiftCode.of(tree.files[path] ?? "").imports {
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
      return Walls.refusal(of: module, by: target.name)
    }
    // Tests may use what they like; the test app is built with the tools' restraint.
    guard target.kind != .test, Walls.onlyUsers[target.name] != [] else { return nil }
    guard Walls.foreign[module]?.contains(target.name) == true else {
      return "\(target.name) may not import \(module)"
    }
    return nil
  }

  /// Pure modules name no clock, no randomness, no identity from outside, and print nothing.
  func purity() -> [Finding] {
    let words = [
      "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", "getenv", "print",
      "debugPrint", "dump", "readLine", "CommandLine",
    ]
    let calls = [
      "Date()", "UUID()", ".random(", ".randomElement(", ".shuffled(", ".hashValue", "Task {",
      "Task.",
    ]
    var findings: [Finding] = []
    for (path, code) in code(of: Walls.pure) {
      for word in words {
        for line in code.lines(withWord: word) {
          findings.append(Finding(path: path, line: line, problem: "\(word) in a pure module"))
        }
      }
      for call in calls {
        for line in code.lines(with: call) {
          findings.append(Finding(path: path, line: line, problem: "\(call) in a pure module"))
        }
      }
    }
    return findings
  }

  /// Unsafe code stands behind its wall; nothing in the sources gives up a check of the compiler.
  func safety() -> [Finding] {
    var findings: [Finding] = []
    let targets = manifest.targets.filter { $0.kind == .library || $0.kind == .executable }
    for (path, code) in code(of: Set(targets.map(\.name))) {
      let module = manifest.target(ofPath: path)?.name ?? ""
      func report(_ lines: [Int], _ problem: String) {
        findings += lines.map { Finding(path: path, line: $0, problem: problem) }
      }
      report(code.lines(with: "try!"), "try! ends the process")
      report(code.lines(with: "as!"), "as! ends the process")
      guard !Walls.unsafe.contains(module), Walls.unsafeExceptions[path] == nil else { continue }
      for word in ["unsafe", "unchecked", "unowned"] {
        report(code.lines(withWord: word), "\(word) outside of \(Walls.unsafe.sorted())")
      }
      report(code.lines(with: "@_silgen_name"), "C is called outside of \(Walls.unsafe.sorted())")
    }
    return findings
  }

  /// Data reaches a terminal or a pipe through few files, each of which makes it harmless.
  func doors() -> [Finding] {
    let targets = manifest.targets.filter { $0.kind == .library || $0.kind == .executable }
      .map(\.name)
    let own: Set<String> = ["RetraceSystem", "RetraceTestSupport", "testapp"]
    return code(of: Set(targets).subtracting(own)).flatMap { path, code in
      guard Walls.doors[path] == nil else { return [Finding]() }
      return (code.lines(with: "Console.write") + code.lines(with: "Swift.print"))
        .map { Finding(path: path, line: $0, problem: "writes past the one door for output") }
    }
  }

  private func code(of modules: Set<String>) -> [(path: String, code: SwiftCode)] {
    tree.rootSwiftFiles
      .filter { modules.contains(manifest.target(ofPath: $0)?.name ?? "") }
      .map { ($0, SwiftCode.of(tree.files[$0] ?? "")) }
  }
}
