/// A feature that Embedded Swift does not have, and that calls the runtime of Swift.
enum EmbeddedFeature: Hashable {
  case keyPath
  case existential
  case untypedThrow

  /// Returns the feature that every reference to a symbol is a use of.
  init?(symbol: String) {
    switch symbol {
    case "swift_getKeyPath": self = .keyPath
    case "swift_allocError", "swift_willThrow": self = .untypedThrow
    case _ where symbol.hasPrefix("__swift_project_boxed_opaque_existential"),
      _ where symbol.hasPrefix("__swift_allocate_boxed_opaque_existential"):
      self = .existential
    default: return nil
    }
  }

  var problem: String {
    switch self {
    case .keyPath: "uses a key path"
    case .existential: "uses a value of protocol type (any P)"
    case .untypedThrow: "throws an error of any type"
    }
  }

  var remedy: String {
    switch self {
    case .keyPath: "write a closure: { $0.name }"
    case .existential: "use an enum, or a generic parameter"
    case .untypedThrow: "write the type: throws(Refusal)"
    }
  }
}
