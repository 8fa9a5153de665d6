/// Composes one schema out of many types.
///
/// Each named type is defined where it is first met and referred to afterwards.
public struct SchemaComposer: Sendable {
  private var defined: [String: ObjectIdentifier?] = [:]

  /// Makes a composer that has met no type.
  public init() {}

  /// Defines a named type, or refers to it when it was defined before.
  ///
  /// - Parameters:
  ///   - name: The name of the type in the schema.
  ///   - type: The Swift type that has the name, if the name is to be kept to one type.
  ///   - definition: Makes the definition; not called for a type that was met before.
  /// - Precondition: No other type was given the same name.
  public mutating func named(
    _ name: String, for type: Any.Type? = nil, _ definition: (inout SchemaComposer) -> Schema
  ) -> Schema {
    let identity = type.map { ObjectIdentifier($0) }
    if let known = defined[name] {
      precondition(known == identity, "SchemaComposer: two types have the name \(name)")
      return .reference(name)
    }
    defined.updateValue(identity, forKey: name)
    return definition(&self)
  }

  /// The schema of a type that takes part in a larger one.
  public mutating func schema<Value: Recordable>(of type: Value.Type) -> Schema {
    Value.schema(in: &self)
  }

  /// Defines the record that holds the payloads of one case of an enum.
  ///
  /// - Parameters:
  ///   - name: The name of the record: that of the enum, `_`, that of the case.
  ///   - aliases: The names that the record had before.
  ///   - fields: The payloads in order.
  /// - Precondition: The name is new.
  public mutating func caseRecord(
    _ name: String, aliases: [String] = [], _ fields: [Schema.Field]
  ) -> Schema {
    precondition(
      defined.updateValue(ObjectIdentifier?.none, forKey: name) == nil,
      "SchemaComposer: a case and a type have the name \(name)")
    return .record(name: name, aliases: aliases, fields: fields)
  }
}
