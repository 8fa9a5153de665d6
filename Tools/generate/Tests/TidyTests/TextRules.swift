import RegexBuilder

/// Rules about the text of files.
struct TextRules {
  static let columnsMax = 100
  static let functionLinesMax = 70

  let tree: SourceTree

  init(_ tree: SourceTree) { self.tree = tree }

  private static let codeSuffixes = [".swift", ".h", ".c", ".py", ".modulemap"]

  private var code: [(path: String, text: String)] {
    tree.files.sorted { $0.key < $1.key }
      .filter { path, _ in
        TextRules.codeSuffixes.contains { path.hasSuffix($0) } || TextRules.isScript(path)
      }
      .map { ($0.key, $0.value) }
  }

  private static func isScript(_ path: String) -> Bool {
    let file = path.split(separator: "/").last ?? ""
    return !file.contains(".") && (path.hasPrefix("Tools/") || path.hasPrefix(".ci/"))
  }

  /// The files that may have longer functions, each with the reason.
  static let longFunctions = [
    "Benchmarks/Sources/Workload/Reducers/WorkloadSwitch.swift":
      "one switch is what composed reducers are compared with"
  ]

  /// Returns whether the comment at the start of a file says that a tool generated it.
  static func isGenerated(_ text: String) -> Bool {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("//") && !$0.hasPrefix("///") }
      .contains { $0.lowercased().contains("generated") }
  }

  /// Lines have at most ``columnsMax`` columns, no tabs, no carriage returns, no trailing blanks.
  func lines() -> [Finding] {
    var findings: [Finding] = []
    for (path, text) in code where !TextRules.isGenerated(text) {
      if text.utf8.contains(0x0D) {
        findings.append(Finding(path: path, line: nil, problem: "a carriage return"))
      }
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        func report(_ problem: String) {
          findings.append(Finding(path: path, line: index + 1, problem: problem))
        }
        if line.count > TextRules.columnsMax { report("longer than \(TextRules.columnsMax)") }
        if line.contains("\t") { report("a tab") }
        if line.last == " " { report("a blank at the end of the line") }
      }
    }
    return findings
  }

  /// A shell script names its shell, and sets `pipefail` and `-u`; `-e` is optional.
  func scripts() -> [Finding] {
    code.filter { TextRules.isScript($0.path) }.compactMap { path, text in
      let lines = text.split(separator: "\n")
      let isStrict = lines.contains { $0 == "set -euo pipefail" || $0 == "set -uo pipefail" }
      // A Python program ends at an error by itself.
      if lines.first == "#!/usr/bin/env python3" { return nil }
      guard lines.first != "#!/bin/bash" || !isStrict else { return nil }
      return Finding(
        path: path, line: nil,
        problem: "does not begin with #!/bin/bash, or continues after a failure")
    }
  }

  /// No file has a mark for work to be done later.
  func leftoverMarks() -> [Finding] {
    let marks = ["FIX" + "ME", "TO" + "DO", "XX" + "X", "HA" + "CK"]
    return find(in: tree.files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) { line in
      let words = line.split { !$0.isLetter }
      return marks.first { words.contains($0[...]) }.map { "\($0) is left over" }
    }
  }

  /// A function fits a screen.
  func functions() -> [Finding] {
    code.filter { $0.path.hasSuffix(".swift") && !TextRules.isGenerated($0.text) }
      .filter { TextRules.longFunctions[$0.path] == nil }
      .flatMap { path, text in
        SwiftCode.of(text).functions
          .filter { $0.length > TextRules.functionLinesMax }
          .map { Finding(path: path, line: $0.line, problem: "\($0.name) has \($0.length) lines") }
      }
  }

  /// No file has a path of one machine, an unknown host or the address of a package index.
  func machinePaths() -> [Finding] {
    let folders = ["wo" + "rk", "ro" + "ot", "ho" + "me", "Us" + "ers"]
    let temporary = "/tm" + "p/"
    let toolchain = "/op" + "t/"
    let known: Set<Substring> = [
      "github.com", "swift.org", "www.swift.org", "docs.swift.org", "avro.apache.org",
      "json-schema.org", "arxiv.org", "no-color.org", "www.unicode.org", "unicode.org",
      "man7.org", "www.w3.org", "www.symas.com", "example.com", "www.iana.org", "127.0.0.1", "x",
    ]
    let all = tree.files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return find(in: all) { line in
      if line.contains("index-" + "url") || line.contains("find-" + "links") {
        return "the address of a package index"
      }
      guard line.utf8.contains(0x2F) else { return nil }
      for folder in folders where line.contains("/\(folder)/") {
        for start in ["\"", " ", "=", "`", "(", "'", ":", ""] {
          let path = start + "/\(folder)/"
          if start.isEmpty ? line.hasPrefix(path) : line.contains(path) {
            return "a path of a machine"
          }
        }
      }
      if line.contains(temporary + "wt") || line.contains(toolchain + "swift") {
        return "a path of a machine"
      }
      for match in line.matches(of: /https?:\/\/([A-Za-z0-9.\-]+)/)
      where !known.contains(match.output.1) {
        return "the host \(match.output.1) is not known"
      }
      return nil
    }
  }

  /// Texts name the replay tool by `ToolProcess.replay`, because a program starts it by its own
  /// words.
  func replayNames() -> [Finding] {
    let commands =
      "sessions|show|state|route|screen|step|history|verify|compare|bench|export|backup|salvage"
      + "|migrate|doctor|schema"
    guard let named = try? Regex("(^|[^./\\w])replay (\(commands))\\b") else { return [] }
    let sources = code.filter { path, _ in
      path.hasPrefix("Sources/Retrace") && path.hasSuffix(".swift")
    }
    return find(in: sources) { line in
      guard !line.drop(while: { $0 == " " }).hasPrefix("//"), line.contains(named) else {
        return nil
      }
      return "a fixed name of the replay tool; write ToolProcess.replay"
    }
  }

  private func find(
    in files: [(path: String, text: String)], _ problem: (Substring) -> String?
  ) -> [Finding] {
    files.flatMap { path, text in
      text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .compactMap { index, line in
          problem(line).map { Finding(path: path, line: index + 1, problem: $0) }
        }
    }
  }
}
