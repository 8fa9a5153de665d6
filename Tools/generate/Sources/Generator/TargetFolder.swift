import Foundation

/// The folder of a target, with the sources and the generated file in it.
struct TargetFolder {
  /// The path, as messages name it.
  let path: String

  /// The path of the generated file.
  var generated: String { "\(path)/Generated/Recordable.swift" }

  /// The text of the generated file, if there is one.
  var generatedText: String? { try? String(contentsOfFile: generated, encoding: .utf8) }

  /// Returns the sources without generated files and build products, in byte order of their paths.
  ///
  /// - Throws: `CocoaError` for a folder or file that cannot be read.
  func sources() throws -> [SourceText] {
    try paths(below: path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
      SourceText(path: $0, text: try String(contentsOfFile: $0, encoding: .utf8))
    }
  }

  private func paths(below folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      switch try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType {
      case .typeRegular: return name.hasSuffix(".swift") ? [path] : []
      case .typeDirectory:
        return name == "Generated" || name.hasPrefix(".build") ? [] : try paths(below: path)
      // A symbolic link may lead to files of another target.
      default: return []
      }
    }
  }

  /// Writes the generated file.
  func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(path)/Generated", withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: generated), options: .atomic)
  }

  /// Removes the generated file, and its folder if that is empty then.
  func removeGenerated() throws {
    try FileManager.default.removeItem(atPath: generated)
    let folder = "\(path)/Generated"
    if try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty {
      try FileManager.default.removeItem(atPath: folder)
    }
  }
}
