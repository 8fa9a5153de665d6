import Foundation

/// The targets of the root package, as the package manager describes them.
struct Manifest: Decodable {
  enum Kind: String, Decodable {
    case library, executable, test, plugin
    case system = "system-target"
  }

  struct Target: Decodable {
    var name: String
    var kind: Kind
    /// The folder of its sources, relative to the package.
    var path: String
    /// Targets of this package that it depends on, plugins included.
    var targets: [String]
    /// Products of other packages that it depends on.
    var products: [String]
  }

  var targets: [Target]

  /// Returns the target that a file belongs to.
  func target(ofPath path: String) -> Target? {
    targets.first { path.hasPrefix($0.path + "/") }
  }

  /// Returns the names of the targets of some kinds.
  func names(_ kinds: Kind...) -> Set<String> {
    Set(targets.filter { kinds.contains($0.kind) }.map(\.name))
  }
}

extension Manifest {
  /// Runs the package manager on the package in a folder.
  init(describing root: URL) throws {
    // A build locks the package's own scratch folder, so this uses another one.
    let scratch = root.appending(path: "Tools/generate/.build/describe").path
    let description = try output(of: [
      "swift", "package", "--package-path", root.path, "--scratch-path", scratch, "describe",
      "--type", "json",
    ])
    self = try JSONDecoder().decode(Manifest.self, from: description)
  }
}

extension Manifest.Target {
  private enum CodingKeys: String, CodingKey {
    case name, path
    case kind = "type"
    case targets = "target_dependencies"
    case products = "product_dependencies"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    path = try values.decode(String.self, forKey: .path)
    kind = try values.decode(Manifest.Kind.self, forKey: .kind)
    // A target without dependencies has no key for them.
    targets = try values.decodeIfPresent([String].self, forKey: .targets) ?? []
    products = try values.decodeIfPresent([String].self, forKey: .products) ?? []
  }
}
