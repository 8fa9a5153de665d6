import SwiftSyntax

/// Who sees a declaration; the fewest first.
enum Access: Int, Comparable {
  case file, module, package, everyone

  /// The level that modifiers name, if they name one.
  init?(_ modifiers: DeclModifierListSyntax) {
    let levels: [Access] = modifiers.compactMap { modifier in
      switch modifier.name.text {
      case "private", "fileprivate": .file
      case "internal": .module
      case "package": .package
      case "public", "open": .everyone
      default: nil
      }
    }
    guard let level = levels.first else { return nil }
    self = level
  }

  /// The modifier of members that are seen as widely, with a blank after it, or nothing.
  var modifier: String {
    switch self {
    case .file, .module: ""
    case .package: "package "
    case .everyone: "public "
    }
  }

  static func < (left: Access, right: Access) -> Bool { left.rawValue < right.rawValue }
}
