/// Rules on names: one name stands for one file, and for one type.
struct NameRules {
  let tree: SourceTree

  init(_ tree: SourceTree) { self.tree = tree }

  /// No two Swift files have one name, but manifests and entry points.
  func files() -> [Finding] {
    let paths = tree.files.keys.filter { $0.hasSuffix(".swift") }
    let named = Dictionary(grouping: paths) { String($0.split(separator: "/").last ?? "") }
    return named.filter { $0.value.count > 1 && !["Package.swift", "Main.swift"].contains($0.key) }
      .values.map { same in
        let paths = same.sorted()
        return Finding(
          path: paths[0], line: nil,
          problem: "has the name of \(paths.dropFirst().joined(separator: ", "))")
      }.sorted { $0.path < $1.path }
  }

  /// No two modules in `Sources` and `Tools` declare a type of one name, but entry points.
  ///
  /// Nested types are left out, because the name of the outer type tells them apart.
  func types() -> [Finding] {
    var declared: [String: [String: String]] = [:]
    for path in tree.files.keys.sorted() where path.hasSuffix(".swift") {
      guard let module = module(of: path) else { continue }
      for type in SwiftCode.of(tree.files[path] ?? "").types where type != "Main" {
        if declared[type]?[module] == nil { declared[type, default: [:]][module] = path }
      }
    }
    return declared.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { type, paths in
      let places = paths.values.sorted()
      return Finding(
        path: places[0], line: nil,
        problem: "declares \(type), as \(places.dropFirst().joined(separator: ", ")) does")
    }
  }

  /// Returns the module of a file in `Sources` or `Tools`, also of one in a nested package; `nil`
  /// for tests and examples.
  private func module(of path: String) -> String? {
    guard path.hasPrefix("Sources/") || path.hasPrefix("Tools/") else { return nil }
    if let target = tree.manifest.target(ofPath: path) { return target.name }
    let folders = path.split(separator: "/")
    guard folders.count > 4, folders[0] == "Tools", folders[2] == "Sources" else { return nil }
    return String(folders[3])
  }
}
