import Foundation
import ToolTestSupport

/// The text files of the package, by path from its root.
///
/// A value, so that a test can plant a violation into a copy.
struct SourceTree {
  var files: [String: String]

  /// Reads the package that holds this file, without what git ignores and without binary files.
  static let package: SourceTree = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    var files: [String: String] = [:]
    for path in trackedPaths(of: root) ?? walkedPaths(of: root) {
      guard let data = try? Data(contentsOf: root.appending(path: path)),
        !data.contains(0), let text = String(data: data, encoding: .utf8)
      else { continue }
      files[path] = text
    }
    return SourceTree(files: files)
  }()

  /// Paths of Swift files under the folders of the root package: none of a nested package.
  var rootSwiftFiles: [String] {
    let nested = files.keys.filter { $0.hasSuffix("/Package.swift") }.map { $0.dropLast(13) }
    return files.keys.sorted().filter { path in
      path.hasSuffix(".swift") && path.contains("/") && !nested.contains { path.hasPrefix($0) }
    }
  }

  /// What git knows or would know: tracked files, and new ones that are not ignored.
  private static func trackedPaths(of root: URL) -> [String]? {
    guard FileManager.default.fileExists(atPath: root.appending(path: ".git").path) else {
      return nil
    }
    let listed = try? runProgram(
      "/usr/bin/env",
      ["git", "-C", root.path, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    guard let listed, listed.status == 0 else { return nil }
    return listed.outputBytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
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
