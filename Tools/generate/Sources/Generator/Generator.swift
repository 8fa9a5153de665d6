import SwiftParser
import SwiftSyntax

/// Turns the declarations of one target into the files of its `Generated` folder.
///
/// Each file has one purpose, and its name says which: `MODULECodec.swift` encodes and decodes the
/// recorded types, `MODULEParts.swift` names the parts of composed types, and each type that is
/// written from a list of entities or screens has a file of its own.
public enum Generator {
  /// The result of reading one target.
  public struct Output: Sendable {
    /// The files, sorted by name; none if the target declares nothing that needs code.
    public var files: [GeneratedFile]
    /// The declarations that cannot be recorded; if there are any, `files` is empty.
    public var diagnostics: [Diagnostic]
  }

  /// Returns the generated conformances of the recorded types that the files of one target declare.
  ///
  /// - Parameters:
  ///   - files: The files of the target without the generated ones, in a fixed order.
  ///   - module: The name of the target, with which the names of the files begin.
  /// - Complexity: O(bytes of the files).
  public static func run(_ files: [SourceText], module: String) -> Output {
    var parsed: [String: SourceFileSyntax] = [:]
    for file in files where RecordedTypeSearch.isNeeded(for: file.text) {
      parsed[file.path] = Parser.parse(source: file.text)
    }
    guard parsed.values.contains(where: RecordedTypeSearch.finds) else {
      return Output(files: [], diagnostics: [])
    }
    let digest = RecordedDeclarations(files).digest
    var files = files
    var trees = files.map { parsed[$0.path] ?? Parser.parse(source: $0.text) }
    var diagnostics: [Diagnostic] = []
    var written = WrittenTypes(digest: digest, changes: EntityChangesWriter(files, trees))
    for (file, tree) in zip(files, trees) {
      do throws(ModuleList.Problem) {
        try written.add(listsIn: tree)
      } catch {
        diagnostics.append(Diagnostic(path: file.path, of: error, in: tree))
      }
    }
    var generated = written.files
    // The written types are recorded too, so they are read like the others.
    files.append(SourceText(path: "Generated", text: written.text))
    trees.append(Parser.parse(source: written.text))
    let index = TypeIndex(trees)
    var (codec, parts): ([String], [String]) = ([], [])
    var (codecImports, partImports) = (written.codecImports, written.partImports)
    for (file, tree) in zip(files, trees) {
      let collector = DeclarationCollector(path: file.path, tree: tree, index: index)
      diagnostics += collector.diagnostics
      let encoded = collector.declarations.filter { $0.isRecorded || $0.isIdentifier }
      if !encoded.isEmpty {
        codec += encoded.flatMap { [""] + Emitter.lines(for: $0) }
        codecImports.add(from: tree)
        codecImports.raise(toEncode: encoded, in: tree, index)
      }
      let composed = collector.declarations.filter(\.isComposed)
      if !composed.isEmpty {
        parts += composed.flatMap { [""] + PartEmitter.lines(for: $0) }
        partImports.add(from: tree)
        partImports.raise(forPartsOf: composed, in: tree, index)
      }
    }
    guard diagnostics.isEmpty else { return Output(files: [], diagnostics: diagnostics) }
    for (purpose, imports, lines) in [
      ("Codec", codecImports, codec), ("Parts", partImports, parts),
    ]
    where !lines.isEmpty {
      generated.append(
        GeneratedFile(
          name: "\(module)\(purpose)", digest: digest, imports: imports, declarations: lines))
    }
    return Output(files: generated.sorted { $0.name < $1.name }, diagnostics: [])
  }
}

extension RecordedDeclarations {
  /// Reads the sources of a target.
  fileprivate init(_ files: [SourceText]) {
    self.init()
    for file in files { add(Array(file.text.utf8)) }
  }
}

extension Diagnostic {
  fileprivate init(
    path: String, of problem: ModuleList.Problem, in tree: SourceFileSyntax
  ) {
    let converter = SourceLocationConverter(fileName: path, tree: tree)
    let position = problem.node.positionAfterSkippingLeadingTrivia
    self.init(
      path: path, line: converter.location(for: position).line, message: problem.message)
  }
}
