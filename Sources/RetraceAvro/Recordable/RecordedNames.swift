/// Functions that compute the former names of types and cases; generated code calls them.
public enum _RecordedNames {
  /// Returns the former names of a generic type: every combination of its names with the names of
  /// its arguments, except for the current one.
  public static func aliases(
    of name: String, formerly former: [String], with arguments: [any Recordable.Type]
  ) -> [String] {
    var names = [name] + former
    for argument in arguments {
      let parts = [argument.recordedName] + argument.recordedAliases
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
      ([Value.recordedName] + Value.recordedAliases).map { "\($0)_\(name)" }
    }
    return Array(names.dropFirst())
  }
}
