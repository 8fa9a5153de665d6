/// The rules of this module's types; see ``Schema/ruled(_:_:)``.
package enum SchemaRule {
  /// An array whose items are distinct, in the order of their encoded bytes.
  package static let set = "set"
  /// An array of records with a key; the keys are distinct, in the order of their encoded bytes.
  package static let dictionary = "dictionary"
  /// An `int` from 0 to 255.
  package static let byte = "byte"
}
