/// The limits of values and schemas, the same for all writers and readers.
///
/// A value within these limits can be read by its Swift type, by its schema alone and by
/// resolution. A store checks an action before appending it, so recorded actions are within the
/// limits. The article on the format of the log lists them beside the limits of records.
public enum AvroLimits {
  /// The maximum depth of a value: each nested array, map, record or union is one level.
  ///
  /// The decoder of a Swift type counts only collections and indirect enums, a subset of those
  /// levels, so it reads every value within the limit. Malicious bytes are rejected before the
  /// stack overflows.
  @inlinable public static var depth: Int { 1_024 }

  /// The maximum number of array items of zero bytes, in one value.
  ///
  /// All other items, strings and bytes are bounded by the size of the value.
  @inlinable public static var emptyItems: Int { 65_536 }

  /// The maximum depth of a schema's JSON; an enum in an enum takes seven levels.
  public static var schemaDepth: Int { 256 }

  /// The maximum depth of nested types for which a resolution is compiled.
  package static var resolutionDepth: Int { 1_024 }

  /// The maximum number of steps of a compiled resolution; an app's schemas need a few thousand.
  package static var resolutionSteps: Int { 200_000 }

  /// The maximum size of a value after resolution, in bytes; each default that is filled in makes
  /// the value longer.
  public static var resolvedBytes: Int { 16 << 20 }

  /// The maximum depth of a field's default.
  ///
  /// The default of a record includes the defaults of its fields, so a short schema could cause a
  /// long default.
  static var fieldDefaultDepth: Int { 64 }

  /// The maximum size of a field's default, in bytes.
  static var fieldDefaultBytes: Int { 1 << 20 }
}
