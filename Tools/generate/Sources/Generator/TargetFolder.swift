import Foundation

/// The folder of a target, with the sources and the generated files in it.
struct TargetFolder {
  /// The path, as messages name it.
  let path: String

  /// The beginning of the names of generated files: the name of the folder, or of the folder around
  /// it if the folder is called `App`.
  var module: String {
    let names = path.split(separator: "/").map(String.init)
    if names.last == "App", names.count > 1 { return names[names.count - 2] }
    return names.last ?? path
  }

  /// The folder of the generated files.
  private var generated: String { "\(path)/Generated" }

  /// Returns the generated files that are there, sorted by name.
  ///
  /// A file that does not begin as generated ones do belongs to another generator and is left out.
  ///
  /// - Throws: `CocoaError` for a folder or file that cannot be read.
  func generatedFiles() throws -> [GeneratedFile] {
    guard FileManager.default.fileExists(atPath: generated) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: generated).sorted()
      .filter { $0.hasSuffix(".swift") }.compactMap { name in
        let text = try String(contentsOfFile: filePath(name), encoding: .utf8)
        guard text.hasPrefix(GeneratedFile.firstLine) else { return nil }
        return GeneratedFile(name: name, text: text)
      }
  }

  func filePath(_ name: String) -> String { "\(generated)/\(name)" }

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

  func write(_ file: GeneratedFile) throws {
    try FileManager.default.createDirectory(
      atPath: generated, withIntermediateDirectories: true)
    try Data(file.text.utf8).write(to: URL(filePath: filePath(file.name)), options: .atomic)
  }

  /// Removes a generated file, and its folder if that is empty then.
  func remove(_ file: GeneratedFile) throws {
    try FileManager.default.removeItem(atPath: filePath(file.name))
    if try FileManager.default.contentsOfDirectory(atPath: generated).isEmpty {
      try FileManager.default.removeItem(atPath: generated)
    }
  }
}
