import Foundation

/// The targets and the text files of the root package.
///
/// A value, so that a test can plant a violation into a copy.
struct SourceTree {
  var manifest: Manifest
  /// The text of each file, by path from the root.
  var files: [String: String]

  /// The package that holds this file, read and parsed once.
  static let package = Result {
    var root = URL(filePath: #filePath)
    for _ in 1...5 { root.deleteLastPathComponent() }
    let tree = try SourceTree(readingFrom: root)
    SwiftCode.parse(tree.files.filter { $0.key.hasSuffix(".swift") }.map(\.value))
    return tree
  }

  /// The paths of Swift files in folders of the root package, without nested packages.
  var rootSwiftFiles: [String] {
    let nested = files.keys.filter { $0.hasSuffix("/Package.swift") }.map { $0.dropLast(13) }
    return files.keys.sorted().filter { path in
      path.hasSuffix(".swift") && path.contains("/") && !nested.contains { path.hasPrefix($0) }
    }
  }
}

extension SourceTree {
  /// Reads a package, without what git ignores, and without binary files and symbolic links.
  private init(readingFrom root: URL) throws {
    manifest = try Manifest(describing: root)
    files = [:]
    for path in Self.trackedPaths(of: root) ?? Self.walkedPaths(of: root) {
      let file = root.appending(path: path).path
      guard (try? FileManager.default.destinationOfSymbolicLink(atPath: file)) == nil,
        let data = try? Data(contentsOf: root.appending(path: path)),
        !data.contains(0), let text = String(data: data, encoding: .utf8)
      else { continue }
      files[path] = text
    }
  }

  /// Returns the tracked files and the new files that git does not ignore; `nil` without git.
  private static func trackedPaths(of root: URL) -> [String]? {
    guard FileManager.default.fileExists(atPath: root.appending(path: ".git").path) else {
      return nil
    }
    let listed = try? output(of: [
      "git", "-C", root.path, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
    ])
    return listed?.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// All files, for a copy of the package without git.
  private static func walkedPaths(of root: URL) -> [String] {
    guard let walker = FileManager.default.enumerator(atPath: root.path) else { return [] }
    var paths: [String] = []
    while let path = walker.nextObject() as? String {
      let name = path.split(separator: "/").last ?? ""
      let isBuildFolder = name == ".git" || name == ".build" || name.hasPrefix(".build-")
      if isBuildFolder || name.hasPrefix(".build_") || name == ".venv" {
        walker.skipDescendants()
      } else if name != "Package.resolved" {
        paths.append(path)
      }
    }
    return paths
  }
}

/// One breach of a rule.
struct Finding: Hashable, CustomStringConvertible {
  var path: String
  var line: Int?
  var problem: String

  var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(problem)" }
}
