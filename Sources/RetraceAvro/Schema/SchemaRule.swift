/// The rules of types of this module; see ``Schema/narrowed(_:_:)``.
enum SchemaRule {
  /// An array whose items are distinct, in the order of their encoded bytes.
  static let set = "set"
  /// An array of records with a key; the keys are distinct, in the order of their encoded bytes.
  static let dictionary = "dictionary"
  /// An `int` from 0 to 255.
  static let byte = "byte"
}
