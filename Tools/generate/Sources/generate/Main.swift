import Foundation
import Generator

@main enum Main {
  static func main() {
    let status = GenerateCommand.run(
      Array(CommandLine.arguments.dropFirst()),
      report: { print($0) },
      reportError: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
    exit(status)
  }
}
