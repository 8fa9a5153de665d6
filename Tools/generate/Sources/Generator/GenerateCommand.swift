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
        let output = Generator.run(try folder.sources())
        if !output.diagnostics.isEmpty {
          for diagnostic in output.diagnostics { reportError(diagnostic.description) }
          status = 1
        } else if output.text != folder.generatedText {
          if isCheck {
            report("stale: \(folder.generated)")
            status = 1
          } else if let text = output.text {
            try folder.write(text)
            report("wrote \(folder.generated)")
          } else {
            try folder.removeGenerated()
            report("removed \(folder.generated)")
          }
        }
      } catch {
        reportError("generate: \(path): \(error)")
        status = 1
      }
    }
    return status
  }
}
