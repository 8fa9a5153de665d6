/// The limits of values and schemas, the same for everything that writes and reads them.
///
/// A value within these limits is read by its Swift type, by its schema alone and by resolution. A
/// store checks an action before it appends it, so what is appended is within them. The article on
/// the format of the log lists them beside the limits of records.
public enum AvroLimits {
  /// The most levels of a value: each array, map, record and union around a part is one level.
  ///
  /// A Swift type counts its collections and indirect enums only, which are levels too. So it reads
  /// every value within the limit. Bytes that no writer made are refused before the stack
  /// overflows.
  @inlinable public static var depth: Int { 1_024 }

  /// The most items of arrays that take no byte, in one value.
  ///
  /// All other items, strings and bytes are bounded by the bytes that they take.
  @inlinable public static var emptyItems: Int { 65_536 }

  /// The most levels of the JSON of a schema; an enum in an enum takes seven.
  public static var schemaDepth: Int { 256 }

  /// The most levels of types in types that a resolution is compiled for.
  package static var resolutionDepth: Int { 1_024 }

  /// The most parts that a resolution may have; the schemas of an app take a few thousand.
  package static var resolutionParts: Int { 200_000 }

  /// The most bytes that a value may become by resolution; each default that is filled in makes it
  /// longer.
  public static var resolvedBytes: Int { 16 << 20 }

  /// The most levels of the default of a field; a default may refer to others, so that a short
  /// schema could ask for a long one.
  static var defaultDepth: Int { 64 }

  /// The most bytes of the default of a field.
  static var defaultBytes: Int { 1 << 20 }
}
