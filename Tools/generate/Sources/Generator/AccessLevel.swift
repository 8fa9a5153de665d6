import SwiftSyntax

/// The access level of a declaration, the most restrictive first.
enum AccessLevel: Int, Comparable {
  case file, module, package, everyone

  /// Reads the level from modifiers; `nil` if they name none.
  init?(_ modifiers: DeclModifierListSyntax) {
    let levels: [AccessLevel] = modifiers.compactMap { modifier in
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

  /// Reads the level at which a variable can be changed.
  init(settingOf modifiers: DeclModifierListSyntax) {
    let setters = modifiers.filter { $0.detail?.detail.text == "set" }
    let declared = AccessLevel(modifiers.filter { $0.detail == nil }) ?? .module
    self = min(declared, AccessLevel(setters) ?? .everyone)
  }

  /// The access modifier for members of the same level, with a space after it; empty for `internal`
  /// and below.
  var modifier: String {
    switch self {
    case .file, .module: ""
    case .package: "package "
    case .everyone: "public "
    }
  }

  static func < (left: AccessLevel, right: AccessLevel) -> Bool { left.rawValue < right.rawValue }
}
