/// The command that `Tools/generate/run` starts after building the generator.
public enum GenerateCommand {
  /// Updates the generated files of targets, or reports those that are stale.
  ///
  /// - Parameters:
  ///   - arguments: The folders of targets, after `--check` if nothing is to be written.
  ///   - report: Called with a line for each file that was written or removed, or is stale.
  ///   - reportError: Called with a line for each refused declaration, and for each failure.
  /// - Returns: The exit status: 1 after a refusal or failure, or for a stale file with `--check`;
  ///   else 0.
  public static func run(
    _ arguments: [String], report: (String) -> Void, reportError: (String) -> Void
  ) -> Int32 {
    let isCheck = arguments.first == "--check"
    var status: Int32 = 0
    for path in arguments.dropFirst(isCheck ? 1 : 0) {
      let folder = TargetFolder(path: path)
      do {
        let output = Generator.run(try folder.sources(), module: folder.module)
        if !output.diagnostics.isEmpty {
          for diagnostic in output.diagnostics { reportError(diagnostic.description) }
          status = 1
        } else if try update(folder, to: output.files, isCheck: isCheck, report), isCheck {
          status = 1
        }
      } catch {
        reportError("generate: \(path): \(error)")
        status = 1
      }
    }
    return status
  }

  /// Writes the files that differ, and removes those that are no longer generated.
  ///
  /// - Returns: Whether there was such a file.
  private static func update(
    _ folder: TargetFolder, to files: [GeneratedFile], isCheck: Bool, _ report: (String) -> Void
  ) throws -> Bool {
    let known = try folder.generatedFiles()
    let changed = files.filter { !known.contains($0) }
    let unused = known.filter { file in !files.contains { $0.name == file.name } }
    for file in changed {
      if !isCheck { try folder.write(file) }
      report("\(isCheck ? "stale:" : "wrote") \(folder.filePath(file.name))")
    }
    for file in unused {
      if !isCheck { try folder.remove(file) }
      report("\(isCheck ? "stale:" : "removed") \(folder.filePath(file.name))")
    }
    return !changed.isEmpty || !unused.isEmpty
  }
}
