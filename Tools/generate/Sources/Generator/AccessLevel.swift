import SwiftSyntax

/// The access level of a declaration, the most restrictive first.
enum AccessLevel: Int, Comparable {
  case file, module, package, everyone

  /// Reads the level from modifiers; `nil` if they name none.
  ///
  /// - Parameters:
  ///   - modifiers: The modifiers.
  ///   - ofSetting: Whether the level is that of `private(set)`, and not that of the declaration.
  init?(_ modifiers: DeclModifierListSyntax, ofSetting: Bool = false) {
    for modifier in modifiers where (modifier.detail != nil) == ofSetting {
      switch modifier.name.text {
      case "private", "fileprivate": self = .file
      case "internal": self = .module
      case "package": self = .package
      case "public", "open": self = .everyone
      default: continue
      }
      return
    }
    return nil
  }

  /// Reads the level at which a variable can be changed.
  init(settingOf modifiers: DeclModifierListSyntax) {
    let setter = AccessLevel(modifiers, ofSetting: true) ?? .everyone
    self = min(AccessLevel(modifiers) ?? .module, setter)
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
