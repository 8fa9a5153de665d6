/// Rules on files and folders: their names and places, and the pages and tests of each target.
struct LayoutRules {
  let tree: SourceTree

  init(_ tree: SourceTree) { self.tree = tree }

  /// The top level has only the known files and folders, and resolved versions are not committed.
  func topLevel() -> [Finding] {
    let allowed: Set<Substring> = [
      "Package.swift", "Sources", "Tests", "Tools", "Benchmarks", "findings", "README.md",
    ]
    return tree.files.keys.sorted().compactMap { path in
      let top = path.split(separator: "/")[0]
      if path.hasSuffix("Package.resolved") {
        return Finding(path: path, line: nil, problem: "is generated and must not be committed")
      }
      guard !allowed.contains(top), !top.hasPrefix(".") else { return nil }
      return Finding(path: path, line: nil, problem: "\(top) does not belong to the top level")
    }
  }

  /// Each library in Swift has a page of its own and at least one test, and each target has files.
  func pagesAndTests() -> [Finding] {
    var findings: [Finding] = []
    for target in tree.manifest.targets {
      let name = target.name
      let files = tree.files.keys.filter { $0.hasPrefix(target.path + "/") }
      if files.isEmpty {
        findings.append(Finding(path: target.path, line: nil, problem: "has no files"))
      }
      guard target.kind == .library, files.contains(where: { $0.hasSuffix(".swift") }) else {
        continue
      }
      let page = "\(target.path)/\(name).docc/\(name).md"
      let words = (tree.files[page] ?? "").split { $0.isWhitespace }.count
      if words < 40 {
        findings.append(
          Finding(path: page, line: nil, problem: "the page of \(name) is missing or empty"))
      }
      let tests = "Tests/\(name)Tests/"
      let hasTests = tree.files.contains { path, text in
        path.hasPrefix(tests) && path.hasSuffix(".swift") && text.contains("@Test")
      }
      if !hasTests, Walls.untested[name] == nil {
        findings.append(Finding(path: tests, line: nil, problem: "\(name) has no test"))
      }
    }
    return findings
  }

  /// An executable has at most ``executableLinesMax`` lines: more code belongs in a library, which
  /// has a page, tests and a list of the modules that it may use.
  func executables() -> [Finding] {
    tree.manifest.targets.filter { $0.kind == .executable }.compactMap { target in
      let files = tree.files.filter {
        $0.key.hasPrefix(target.path + "/") && $0.key.hasSuffix(".swift")
      }
      let lines = files.values.reduce(0) { $0 + $1.count { $0 == "\n" } }
      guard lines > Self.executableLinesMax, Walls.longExecutables[target.name] == nil else {
        return nil
      }
      return Finding(
        path: target.path, line: nil,
        problem: "\(target.name) has \(lines) lines, and no library")
    }
  }

  /// The most lines of an executable.
  static let executableLinesMax = 200

  /// The entity that was added last to a list of entities is its folder and a line in each of two
  /// lists: no other file names one of its types.
  func lastEntity(of list: String, state: String) -> [Finding] {
    let folder = list.prefix(through: list.lastIndex(of: "/") ?? list.startIndex)
    let modules = (tree.files[list] ?? "").matches(of: /case \w+\((\w+)\)/).map { $0.1 }
    guard let last = modules.last else {
      return [Finding(path: list, line: nil, problem: "has no entities")]
    }
    let own = "\(folder)\(last)/"
    let declared = Set(
      tree.files.filter { $0.key.hasPrefix(own) }.values.flatMap { text in
        text.matches(of: /\npublic (?:struct|enum) (\w+)/).map { String($0.1) }
      })
    guard declared.contains(String(last)) else {
      return [Finding(path: own, line: nil, problem: "does not declare \(last)")]
    }
    var findings: [Finding] = []
    for (path, text) in tree.files.sorted(by: { $0.key < $1.key })
    where path.hasPrefix(folder) && path.hasSuffix(".swift") && !path.hasPrefix(own)
      && !path.contains("/Generated/")
    {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated().filter { _, line in
          !declared.isDisjoint(with: line.split { !$0.isLetter }.map(String.init))
        }
      if path == list || path == state, lines.count == 1 { continue }
      for (number, _) in lines {
        findings.append(
          Finding(path: path, line: number + 1, problem: "names a type of \(last)"))
      }
    }
    return findings
  }

  /// A format of imports, but for the first one, is its folder and a line in the list.
  ///
  /// No other file of the sources and tools names one of its types.
  func formats(of list: String) -> [Finding] {
    let types = (tree.files[list] ?? "").matches(of: /(\w+)\.self,/).map { String($0.1) }
    guard types.count > 1 else {
      return [Finding(path: list, line: nil, problem: "has no formats")]
    }
    let sources = tree.files.sorted { $0.key < $1.key }.filter { path, _ in
      path.hasSuffix(".swift") && (path.hasPrefix("Sources/") || path.hasPrefix("Tools/"))
    }
    return types.dropFirst().flatMap { type in
      guard let file = sources.first(where: { $0.value.contains("struct \(type):") })?.key else {
        return [Finding(path: list, line: nil, problem: "\(type) is not declared")]
      }
      let own = file.prefix(through: file.lastIndex(of: "/") ?? file.startIndex)
      let declared = Set(
        sources.filter { $0.key.hasPrefix(own) }.flatMap { _, text in
          text.matches(of: /(?:^|\n)(?:public |private )?(?:struct|enum) (\w+)/).map {
            String($0.1)
          }
        })
      return sources.filter { !$0.key.hasPrefix(own) }.flatMap { path, text in
        let names = text.split { !$0.isLetter }.filter { declared.contains(String($0)) }
        if path == list, names.count == 1 { return [Finding]() }
        return names.map {
          Finding(path: path, line: nil, problem: "names \($0) of the format \(type)")
        }
      }
    }
  }

  /// A file or folder that a page names exists.
  func namedFiles() -> [Finding] {
    var folders: Set<Substring> = []
    for path in tree.files.keys {
      for index in path.indices where path[index] == "/" { folders.insert(path[..<index]) }
    }
    var findings: [Finding] = []
    for (path, text) in tree.files.sorted(by: { $0.key < $1.key }) where path.hasSuffix(".md") {
      for match in text.matches(of: /`((?:Sources|Tests|Tools|Benchmarks)\/[\w\/+.\-]*)/) {
        let name = match.1.last == "/" ? match.1.dropLast() : match.1
        if tree.files[String(name)] == nil && !folders.contains(name) {
          findings.append(Finding(path: path, line: nil, problem: "there is no \(name)"))
        }
      }
    }
    return findings
  }

  /// A file is named for what it holds.
  func names() -> [Finding] {
    let vague: Set<String> = [
      "Util", "Utils", "Utilities", "Helper", "Helpers", "Misc", "Common", "Stuff", "Placeholder",
    ]
    return tree.files.keys.sorted().compactMap { path in
      let file = path.split(separator: "/").last ?? ""
      let name = String(file.prefix { $0 != "." && $0 != "+" })
      guard vague.contains(name) || vague.contains(where: { name.hasSuffix($0) }) else {
        return nil
      }
      return Finding(path: path, line: nil, problem: "the name \(name) is too general")
    }
  }

  /// Each package dependency has a comment with its reason above it, and no flag of a library is
  /// unsafe.
  func manifests() -> [Finding] {
    var findings: [Finding] = []
    for (path, text) in tree.files.sorted(by: { $0.key < $1.key })
    where path == "Package.swift" || path.hasSuffix("/Package.swift") {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where line.contains(".package(url:") {
        let above = index > 0 ? lines[index - 1].drop { $0 == " " } : ""
        if !above.hasPrefix("//") {
          findings.append(
            Finding(path: path, line: index + 1, problem: "a dependency without its reason"))
        }
      }
      if path == "Package.swift" {
        // Products contain no tests.
        let flags = SwiftCode.of(text).lines(with: "unsafeFlags")
        findings += flags.filter { !lines[max($0 - 2, 0)].contains("target.type == .test") }.map {
          Finding(
            path: path, line: $0, problem: "a library with unsafe flags cannot be a dependency")
        }
      }
    }
    return findings
  }
}
