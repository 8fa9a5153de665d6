internal import Foundation

/// The command that `Tools/lint/run` starts after building the lint.
public enum LintCommand {
  static let help = """
    Finds code that a fold runs and that follows the Unicode tables of the Swift toolchain.

      Tools/lint/run [--no-build] [--page] [--all NAME]… [--except NAME]… [MODULE…]

    A log must give the same state with every toolchain. Comparing, ordering and hashing a String
    normalizes it, and characters and letter case follow Unicode's tables, which change with each
    version. Reducers, deciders and what they call use UTF-8 instead.

    Run it in the folder of a package. It builds the package and reads the object files, so it knows
    the types. It starts at the reducers, deciders, upcasters, recorded types and others that a
    fold calls, and follows every reference, also into other modules.

      MODULE         a module to start in; by default every module of the build
      --all NAME     starts at every function of a module, or of a type as in Module.Type: for code
                     that reducers of other packages call
      --page         finds what a page cannot run, too: key paths, values of protocol types (any P)
                     and untyped throws, which Embedded Swift does not have
      --except NAME  leaves out a module or type whose code can hold no comment
      --no-build     reads .build/debug as it is
      --build FOLDER
                     reads the build in another folder; use it with --no-build

    A comment allows a line, or a function if it is above its declaration. It has the reason:

      // lint:allow both are names of recorded fields, which are ASCII
      if field.name == name { return field }

    Examples:

      PATH/TO/retrace/Tools/lint/run
      PATH/TO/retrace/Tools/lint/run TimerFeature Timesheet
      PATH/TO/retrace/Tools/lint/run --all SharedValues --all Timesheet.DayNames

    Exit codes: 0 nothing was found, 1 something was found or the package does not build,
    64 wrong usage, 66 no such module.
    """

  private struct Options {
    var build = ".build/debug"
    var modules: [String] = []
    /// The modules and types that are checked as a whole.
    var owners: [String] = []
    /// The modules and types that are left out.
    var exceptions: [String] = []
    var isForPages = false
  }

  /// Checks a build.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the command line.
  ///   - report: Called with each line of the output.
  ///   - reportError: Called with each line of an error.
  /// - Returns: The exit code.
  public static func run(
    _ arguments: [String], report: (String) -> Void, reportError: (String) -> Void
  ) -> Int32 {
    if arguments.contains("--help") || arguments.contains("-h") {
      report(help)
      return 0
    }
    do throws(LintFailure) {
      return try check(parse(arguments), report, reportError)
    } catch {
      reportError("lint: \(error.what)")
      reportError("  why: \(error.why)")
      reportError("  do: \(error.remedy)")
      reportError("  exit code \(error.code)")
      return error.code
    }
  }

  private static func parse(_ arguments: [String]) throws(LintFailure) -> Options {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--build", "--all", "--except":
        guard let value = rest.popFirst() else {
          throw LintFailure(
            what: "cannot read the command line", why: "\(argument) needs a value",
            remedy: "see --help", code: 64)
        }
        switch argument {
        case "--build": options.build = value
        case "--all": options.owners.append(value)
        default: options.exceptions.append(value)
        }
      case "--page": options.isForPages = true
      case _ where argument.hasPrefix("-"):
        throw LintFailure(
          what: "cannot read the command line", why: "there is no option \(argument)",
          remedy: "see --help", code: 64)
      default: options.modules.append(argument)
      }
    }
    return options
  }

  private static func check(
    _ options: Options, _ report: (String) -> Void, _ reportError: (String) -> Void
  ) throws(LintFailure) -> Int32 {
    let folder = try BuildFolder(path: options.build)
    let named = options.modules + options.owners.map { String($0.prefix { $0 != "." }) }
    var checked: [BuildFolder.Module] = []
    for name in named { checked.append(try folder.module(name)) }
    // Tests are not folded; they are checked only by name.
    if checked.isEmpty { checked = folder.modules.filter { !$0.name.hasSuffix("Tests") } }
    let names = Set(checked.map(\.name))

    let graph = CodeGraph()
    var allowances = Allowances()
    for module in folder.modules where names.contains(module.name) || isRead(module) {
      try read(module, isNeeded: named.contains(module.name), into: graph, &allowances)
    }
    graph.finish()

    let roots = graph.symbols.indices.filter { symbol in
      guard let module = graph.module(of: symbol), names.contains(module) else { return false }
      let name = graph.name(symbol)
      return FoldRoots.contains(name)
        || options.owners.contains { FoldRoots.isFunction(name, of: $0) }
    }
    let folded = Set(roots.compactMap(graph.module(of:)))
    if let name = named.first(where: { !folded.contains($0) }) ?? (folded.isEmpty ? "*" : nil) {
      throw LintFailure(
        what: "cannot check \(name == "*" ? "the package" : name)",
        why: "it has no reducer, decider, recorded type or other conformance that a fold calls",
        remedy: "name the modules that have them, or --all \(name == "*" ? "MODULE" : name)",
        code: 66)
    }
    var search = FoldSearch(
      graph, allowances, except: options.exceptions, isForPages: options.isForPages)
    search.run(from: roots)
    let sources = Set(checked.flatMap { $0.objects.map(\.source) })
    let lines =
      output(search.findings)
      + allowances.withoutReason.filter { sources.contains($0.file) }.map {
        "\(shown($0.file)):\($0.line): this allowance has no reason; write it after the mark"
      }
      + search.seen.subtracting(search.needed).filter { sources.contains($0.file) }
      .sorted { ($0.file, $0.line) < ($1.file, $1.line) }
      .map {
        "\(shown($0.file)):\($0.line): nothing here needs this allowance; remove it"
      }
    for line in lines { report(line) }
    reportError(
      "lint: followed \(search.count) functions from \(roots.count) that a fold calls; "
        + "findings: \(lines.count)")
    return lines.isEmpty ? 0 : 1
  }

  /// Adds the object files of a module to a graph.
  ///
  /// The build of a module of another package may have been left out.
  private static func read(
    _ module: BuildFolder.Module, isNeeded: Bool, into graph: CodeGraph,
    _ allowances: inout Allowances
  ) throws(LintFailure) {
    for (source, object) in module.objects {
      if let data = FileManager.default.contents(atPath: object),
        let file = ObjectFile(path: object, bytes: Array(data))
      {
        graph.add(file, of: module.name)
        allowances.read(source)
      } else if isNeeded {
        throw LintFailure(
          what: "cannot read \(module.name)",
          why: "\(object) is missing, or it is no ELF file for x86-64",
          remedy: "build again: swift build", code: 66)
      }
    }
  }

  /// Tests refer to no code that is folded outside of themselves.
  private static func isRead(_ module: BuildFolder.Module) -> Bool {
    !module.name.hasSuffix("Tests")
  }

  /// Returns the lines of the output: one finding for each function and line.
  private static func output(_ findings: [FoldSearch.Finding]) -> [String] {
    var seen: Set<String> = []
    var lines: [(file: String, line: Int, text: String)] = []
    for finding in findings {
      let file = finding.place.map { shown($0.file) } ?? "(written by the compiler)"
      let line = finding.place?.line ?? 0
      guard seen.insert("\(file):\(line) \(finding.function)").inserted else { continue }
      let place = line > 0 ? "\(file):\(line)" : file
      let callee = finding.callee.map { " in \($0)" } ?? ""
      var text = "\(place): \(finding.function) \(finding.rule.problem)\(callee)"
      text += "\n  instead: \(finding.rule.remedy)"
      if finding.way.count > 1 {
        text += "\n  folded by: \(finding.way.joined(separator: " > "))"
      }
      lines.append((file, line, text))
    }
    return lines.sorted { ($0.file, $0.line, $0.text) < ($1.file, $1.line, $1.text) }.map(\.text)
  }

  /// Returns a path from the working directory, if it is below it.
  private static func shown(_ path: String) -> String {
    let folder = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }
}
