import FoldLint
import Foundation

@main enum Main {
  static func main() {
    let status = LintCommand.run(
      Array(CommandLine.arguments.dropFirst()),
      report: { print($0) },
      reportError: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
    exit(status)
  }
}
