/// Functions that compute the former names of types and cases; generated code calls them.
public enum _RecordedNames {
  /// Returns the former names of a generic type: every combination of its names with the names of
  /// its arguments, except for the current one.
  public static func aliases(
    of name: String, formerly former: [String], with arguments: [[String]]
  ) -> [String] {
    var names = [name] + former
    for parts in arguments {
      names = parts.flatMap { part in names.map { "\($0)__\(part)" } }
    }
    return Array(names.dropFirst())
  }

  /// Returns the former names of a case's record: every combination of the names of its enum with
  /// its own, except for the current one.
  public static func aliases<Value: Recordable>(
    of name: String, formerly former: [String], in type: Value.Type
  ) -> [String] {
    let names = ([name] + former).flatMap { name in
      Value._recordedNames.map { "\($0)_\(name)" }
    }
    return Array(names.dropFirst())
  }
}

extension Recordable {
  /// The current name, then the former names; generated code uses it.
  public static var _recordedNames: [String] { [recordedName] + recordedAliases }
}
