/// An Avro schema.
///
/// Aliases and defaults tell how older data is read. Like rules, they are not part of
/// ``canonicalForm``.
public indirect enum Schema: Hashable, Sendable {
  /// The type with a single value, encoded in zero bytes.
  case null
  /// A boolean.
  case boolean
  /// A signed integer of 32 bits.
  case int
  /// A signed integer of 64 bits.
  case long
  /// A binary floating-point number of 32 bits.
  case float
  /// A binary floating-point number of 64 bits.
  case double
  /// A sequence of bytes.
  case bytes
  /// A sequence of Unicode scalars.
  case string
  /// A list of items of one type.
  case array(Schema)
  /// A map from strings to values of one type.
  case map(Schema)
  /// One of several types; a union does not directly contain a union.
  case union([Schema])
  /// A record of named fields, in order; the aliases are its former full names.
  case record(name: String, aliases: [String] = [], fields: [Field])
  /// One of several symbols; readers use the default in place of an unknown symbol.
  case enumeration(
    name: String, aliases: [String] = [], symbols: [String], default: String? = nil)
  /// A fixed number of bytes.
  case fixed(name: String, aliases: [String] = [], size: Int)
  /// A named type that was defined earlier in the same schema.
  case reference(String)
  /// A type with a logical type, such as `timestamp-micros` on a `long`.
  case logical(String, Schema)
  /// A type restricted by a rule to some of its values: the name of the rule, and the type.
  ///
  /// In JSON the name is the attribute `retraceRule`. It is not part of ``canonicalForm``, and
  /// other programs ignore it. See ``Recordable/recordedRule``.
  case ruled(String, Schema)

  /// A field of a record.
  public struct Field: Hashable, Sendable {
    /// The name of the field in the log.
    public var name: String
    /// The type of the field.
    public var type: Schema
    /// The former names of the field.
    public var aliases: [String]
    /// The value that readers use if the recorded schema lacks the field, in the JSON of the Avro
    /// specification.
    ///
    /// `nil` means no default, which is not the same as a JSON `null`.
    public var defaultValue: JSONValue?
    /// The encoded default of a composed field; JSON cannot express every default.
    var encodedDefault: [UInt8]?

    /// Creates a field.
    public init(
      _ name: String, _ type: Schema, aliases: [String] = [], default: JSONValue? = nil
    ) {
      self.name = name
      self.type = type
      self.aliases = aliases
      self.defaultValue = `default`
    }

    /// Creates a field with the default that ``SchemaComposer/defaultValue(_:)`` composed.
    public init(_ name: String, _ type: Schema, aliases: [String] = [], default: Default) {
      self.init(name, type, aliases: aliases, default: `default`.json)
      encodedDefault = `default`.bytes
    }

    /// Returns whether two fields are equal; defaults that JSON cannot express are ignored.
    public static func == (left: Field, right: Field) -> Bool {
      left.name == right.name && left.type == right.type && left.aliases == right.aliases
        && left.defaultValue == right.defaultValue
    }

    /// Hashes the name and the type of the field.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(type)
    }
  }

  /// The default of a field, composed from a value.
  public struct Default: Sendable {
    /// The default in the JSON of a schema; `nil` if Avro cannot express it.
    let json: JSONValue?
    let bytes: [UInt8]?
  }
}
