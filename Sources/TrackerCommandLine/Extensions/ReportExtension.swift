import Retrace
import RetraceCommandLine
import RetraceSystem
import RetraceToolSupport
import TrackerApp

/// A program that prints a report about entries, as timewarrior runs it.
struct ReportExtension {
  /// The name of the file.
  let name: String
  /// The path of the file.
  let path: String
  /// Whether the file may be executed.
  let isExecutable: Bool

  /// Returns the folders of extensions: first of Retrace, then of timewarrior.
  static func folders(in environment: Environment) -> [String] {
    let folders = UserFolders(environment)
    return [folders.configuration, folders.timewarrior?.configuration]
      .compactMap { $0.map { "\($0)/extensions" } }
  }

  /// Returns the extensions, in the order of the folders and then of their names.
  ///
  /// A file of Retrace's folder hides one of timewarrior's that has the same name. Hidden files are
  /// left out.
  ///
  /// - Complexity: One reading of each folder, and one `stat` for each file in it.
  static func all(in environment: Environment) -> [ReportExtension] {
    var found: [ReportExtension] = []
    for folder in folders(in: environment) {
      let names = (try? FileSystem.list(folder)) ?? []
      for name in names where !name.hasPrefix(".") && !found.contains(where: { $0.name == name }) {
        let path = "\(folder)/\(name)"
        guard let info = try? FileSystem.info(path), info.isRegular else { continue }
        found.append(
          ReportExtension(name: name, path: path, isExecutable: info.mode & 0o111 != 0))
      }
    }
    return found
  }

  /// Returns the only extension with a name, or with a name before its suffix, such as `totals` for
  /// `totals.py`; otherwise `nil`.
  static func named(_ name: String, in extensions: [ReportExtension]) -> ReportExtension? {
    if let exact = extensions.first(where: { $0.name == name }) { return exact }
    let found = extensions.filter { $0.stem == name }
    return found.count == 1 ? found[0] : nil
  }

  /// The name before its last dot.
  var stem: String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Returns the extension that a word names: as ``named(_:in:)`` does, or by the beginning of its
  /// name.
  ///
  /// - Throws: The failure of a word that names none, or several.
  static func find(
    _ word: String, in environment: Environment
  ) throws(ToolFailure) -> ReportExtension {
    let all = all(in: environment)
    if let found = named(word, in: all) { return found }
    let found = all.filter { $0.name.utf8.starts(with: word.utf8) && !word.isEmpty }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      let names = found.map(\.name).joined(separator: ", ")
      throw .usage("\(word) is the beginning of several extensions.", advice: "Name one: \(names).")
    }
    throw .usage(
      "There is no extension \(word).",
      advice: Spelling.hint(word, in: all.flatMap { [$0.name, $0.stem] })
        + "`track extension` lists the extensions and their folders.")
  }
}

extension ReportExtension {
  /// Runs the program with an input, and with the output and the error of this process.
  ///
  /// - Parameters:
  ///   - input: The input of the program, which need not read all of it.
  ///   - output: The output of this process, which is written first.
  /// - Returns: The exit code; 128 and the number of a signal that ended the program.
  /// - Throws: The failure of a program that cannot be started.
  func run(_ input: [UInt8], _ output: Output) throws(ToolFailure) -> Int32 {
    guard isExecutable else {
      throw failure(
        "\(path) may not be executed.", advice: "Run: chmod +x \(shellWord(path)).")
    }
    output.flush()
    var options = ChildProcess.Options()
    (options.output, options.error) = (.inherit, .inherit)
    do throws(SystemError) {
      let child = try ChildProcess.spawn(program: path, options: options)
      do throws(SystemError) {
        try child.write(input)
      } catch {
        // The program may end, or print its report, without reading everything.
        guard error.code == .brokenPipe else { throw error }
      }
      child.closeInput()
      switch try child.wait() {
      case .exited(let code): return code
      case .signalled(let signal): return 128 + signal
      }
    } catch {
      throw failure(
        "\(error).",
        advice: "Check the file, and the interpreter that its first line names: \(path).")
    }
  }

  private func failure(_ why: String, advice: String) -> ToolFailure {
    ToolFailure(
      what: "The extension \(name) was not run.", why: why, advice: advice,
      exitCode: ToolExit.storage)
  }
}
