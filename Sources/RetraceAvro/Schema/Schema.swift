/// An Avro schema.
///
/// Aliases and defaults say how older data is read; they are no part of ``canonicalForm``, nor are
/// rules.
public indirect enum Schema: Hashable, Sendable {
  /// The type of one value, encoded in no bytes.
  case null
  /// True or false.
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
  /// One of several types; a union holds no union directly.
  case union([Schema])
  /// A record of named fields in order; the aliases are full names that it had before.
  case record(name: String, aliases: [String] = [], fields: [Field])
  /// One of several symbols; the default stands for a symbol that a reader does not know.
  case enumeration(
    name: String, aliases: [String] = [], symbols: [String], default: String? = nil)
  /// A fixed number of bytes.
  case fixed(name: String, aliases: [String] = [], size: Int)
  /// A named type that was defined earlier in the same schema.
  case reference(String)
  /// A type with a logical type, such as `timestamp-micros` on a `long`.
  case logical(String, Schema)
  /// A type of which not every value is one: the rule says which are, by a name.
  ///
  /// It is the attribute `retraceRule` of the JSON, which is no part of ``canonicalForm``; other
  /// programs read the type without it. See ``Recordable/recordedRule``.
  case narrowed(String, Schema)

  /// A field of a record.
  public struct Field: Hashable, Sendable {
    /// The name the field has in the log.
    public var name: String
    /// The type of the field.
    public var type: Schema
    /// The names that the field had before.
    public var aliases: [String]
    /// The value of the field where what was recorded has none, in the JSON of the Avro
    /// specification; no value and `null` are different.
    public var defaultValue: JSONValue?
    /// The encoded default of a field that was composed, which may be one that JSON cannot say.
    var encodedDefault: [UInt8]?

    /// Makes a field.
    public init(
      _ name: String, _ type: Schema, aliases: [String] = [], default: JSONValue? = nil
    ) {
      self.name = name
      self.type = type
      self.aliases = aliases
      self.defaultValue = `default`
    }

    /// Makes a field with the default that ``SchemaComposer/defaultValue(_:)`` composed.
    public init(_ name: String, _ type: Schema, aliases: [String] = [], default: Default) {
      self.init(name, type, aliases: aliases, default: `default`.json)
      encodedDefault = `default`.bytes
    }

    /// Whether the JSON of both is the same.
    public static func == (left: Field, right: Field) -> Bool {
      left.name == right.name && left.type == right.type && left.aliases == right.aliases
        && left.defaultValue == right.defaultValue
    }

    /// Hashes what makes fields equal.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(type)
    }
  }

  /// The default of a field, composed from a value.
  public struct Default: Sendable {
    /// The default in the JSON of a schema; `nil` where Avro cannot say it.
    let json: JSONValue?
    /// The encoded default; `nil` if there is none.
    let bytes: [UInt8]?
  }
}
