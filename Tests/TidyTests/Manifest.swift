/// The targets of a `Package.swift`, read from its text.
///
/// The package manager could tell them, but not while it holds its own build folder for the tests.
struct Manifest {
  enum Kind: String, CaseIterable {
    case library = ".target("
    case executable = ".executableTarget("
    case test = ".testTarget("
    case system = ".systemLibrary("
    case plugin = ".plugin("
  }

  struct Target {
    var name: String
    var kind: Kind
    /// Targets of this package that it depends on.
    var targets: [String]
    /// Products of other packages that it depends on.
    var products: [String]
    /// The folder of its sources.
    var path: String
  }

  let targets: [Target]

  init(_ source: String) {
    guard let list = source.firstRange(of: "\n  targets: [") else {
      targets = []
      return
    }
    let text = Manifest.balanced(source[source.index(before: list.upperBound)...])
    var targets: [Target] = []
    var rest = text.dropFirst()
    while let (kind, range) = Manifest.nextTarget(in: rest) {
      let body = Manifest.balanced(rest[rest.index(before: range.upperBound)...])
      if let target = Manifest.target(kind, String(body)) { targets.append(target) }
      rest = rest[body.endIndex...]
    }
    self.targets = targets
  }

  private static func nextTarget(in text: Substring) -> (Kind, Range<String.Index>)? {
    Kind.allCases
      .compactMap { kind in text.firstRange(of: kind.rawValue).map { (kind, $0) } }
      .min { $0.1.lowerBound < $1.1.lowerBound }
  }

  /// The text from an opening bracket to the one that closes it; brackets in strings do not count.
  private static func balanced(_ text: Substring) -> Substring {
    var depth = 0
    var isString = false
    var index = text.startIndex
    while index < text.endIndex {
      switch text[index] {
      case "\"": isString.toggle()
      case "(", "[": if !isString { depth += 1 }
      case ")", "]":
        if !isString { depth -= 1 }
        if depth == 0 { return text[...index] }
      default: break
      }
      index = text.index(after: index)
    }
    return text
  }

  private static func target(_ kind: Kind, _ body: String) -> Target? {
    guard let name = quoted(after: "name:", in: body) else { return nil }
    var targets: [String] = []
    var products: [String] = []
    if let list = body.firstRange(of: "dependencies: [") {
      let items = balanced(body[body.index(before: list.upperBound)...]).dropFirst().dropLast()
      // Commas inside `.product(…)` do not separate items: its quotes are taken out first.
      var plain = String(items)
      while let product = plain.firstRange(of: ".product(") {
        let call = balanced(plain[plain.index(before: product.upperBound)...])
        if let name = quoted(after: "name:", in: String(call)) { products.append(name) }
        plain.removeSubrange(product.lowerBound..<call.endIndex)
      }
      let parts = plain.split(separator: "\"", omittingEmptySubsequences: false)
      targets = parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
    let folder = kind == .test ? "Tests/" : "Sources/"
    return Target(
      name: name, kind: kind, targets: targets, products: products,
      path: quoted(after: "path:", in: body) ?? folder + name)
  }

  private static func quoted(after label: String, in text: String) -> String? {
    guard let label = text.firstRange(of: label) else { return nil }
    let parts = text[label.upperBound...].split(
      separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? String(parts[1]) : nil
  }

  func target(ofPath path: String) -> Target? {
    targets.first { path.hasPrefix($0.path + "/") }
  }
}
