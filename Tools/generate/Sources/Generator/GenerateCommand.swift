/// What `Tools/generate/run` does once the generator is built.
public enum GenerateCommand {
  /// Brings the generated files of targets up to date, or says which are not.
  ///
  /// - Parameters:
  ///   - arguments: `--check`, if nothing is to be written; then the folders of targets.
  ///   - report: Takes a line for each file that was written, removed or would be.
  ///   - complain: Takes a line for each declaration that is refused, and for each failure.
  /// - Returns: The exit status: 0, or 1 if something is refused or, with `--check`, stale.
  public static func run(
    _ arguments: [String], report: (String) -> Void, complain: (String) -> Void
  ) -> Int32 {
    let isCheck = arguments.first == "--check"
    var status: Int32 = 0
    for path in arguments.dropFirst(isCheck ? 1 : 0) {
      let folder = TargetFolder(path: path)
      do {
        let output = Generator.run(try folder.sources())
        if !output.refusals.isEmpty {
          for refusal in output.refusals { complain(refusal.description) }
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
        complain("generate: \(path): \(error)")
        status = 1
      }
    }
    return status
  }
}
