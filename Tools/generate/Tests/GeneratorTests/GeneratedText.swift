@testable import Generator

extension Generator {
  /// Returns the output for the files of a target with the name `Module`.
  static func run(_ files: [SourceText]) -> Output { run(files, module: "Module") }
}

extension Generator.Output {
  /// The files as one text, each after its name, without the digests of the declarations; `nil` for
  /// no file.
  var text: String? {
    files.isEmpty ? nil : files.map { "=== \($0.name)\n\(Self.withoutDigest($0.text))" }.joined()
  }

  private static func withoutDigest(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix(RecordedDeclarations.mark) }.joined(separator: "\n")
  }
}
