public import RetraceAvro

/// A recorded instant of the wall clock: microseconds since 1970-01-01 00:00 UTC.
///
/// A recorded moment is never clamped and may be earlier than the one recorded before; only the
/// sequence orders records.
@frozen
public struct Moment: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01 00:00 UTC.
  public var microseconds: Int64

  /// Creates a moment from microseconds since 1970-01-01 00:00 UTC.
  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Returns whether one moment is earlier than another.
  @inlinable
  public static func < (left: Moment, right: Moment) -> Bool {
    left.microseconds < right.microseconds
  }

  /// Returns the time from an earlier moment to this one, or zero if this one is earlier.
  @inlinable
  public func elapsed(since earlier: Moment) -> ElapsedTime {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
    if overflow { return ElapsedTime(microseconds: microseconds < 0 ? 0 : Int64.max) }
    return ElapsedTime(microseconds: max(0, difference))
  }

  /// Returns the moment later by `time`, clamped to the range of the type.
  @inlinable
  public func adding(_ time: ElapsedTime) -> Moment {
    let (sum, overflow) = microseconds.addingReportingOverflow(time.microseconds)
    if overflow { return Moment(microseconds: time.microseconds < 0 ? Int64.min : Int64.max) }
    return Moment(microseconds: sum)
  }
}

extension Moment: Recordable {
  /// The name of this type as the argument of a generic type; its schema is a `long`.
  public static var recordedName: String { "Moment" }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns a `long` with the logical type `timestamp-micros`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    .logical("timestamp-micros", .long)
  }
  /// Writes a `long`.
  @inlinable
  public func encode(into writer: inout AvroWriter) { writer.long(microseconds) }
  /// Reads a `long`.
  @inlinable
  @inline(__always)
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    microseconds = try reader.long()
  }
}

/// A duration in microseconds.
///
/// ```swift
/// let due: Moment = moment.adding(.seconds(90))
/// let late: ElapsedTime = now.elapsed(since: due)
/// print(late.seconds)
/// ```
@frozen
public struct ElapsedTime: Hashable, Comparable, Sendable {
  /// The microseconds.
  public var microseconds: Int64

  /// Creates a duration from microseconds.
  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// A duration of zero.
  @inlinable public static var zero: ElapsedTime { ElapsedTime(microseconds: 0) }

  /// The whole seconds, rounded towards zero.
  @inlinable public var seconds: Int64 { microseconds / 1_000_000 }

  /// Returns a duration of whole seconds, clamped to the range of the type.
  @inlinable
  public static func seconds(_ seconds: Int64) -> ElapsedTime {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return ElapsedTime(microseconds: seconds < 0 ? Int64.min : Int64.max) }
    return ElapsedTime(microseconds: product)
  }

  /// Returns the sum with another duration, clamped to the range of the type.
  @inlinable
  public func adding(_ other: ElapsedTime) -> ElapsedTime {
    let (sum, overflow) = microseconds.addingReportingOverflow(other.microseconds)
    if overflow { return ElapsedTime(microseconds: other.microseconds < 0 ? Int64.min : Int64.max) }
    return ElapsedTime(microseconds: sum)
  }

  /// Returns whether one duration is shorter than another.
  @inlinable
  public static func < (left: ElapsedTime, right: ElapsedTime) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension ElapsedTime: Recordable {
  /// The name of the record.
  public static var recordedName: String { "ElapsedTime" }
  /// Returns a record with one field, `microseconds`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { _ in
      .record(name: recordedName, fields: [Schema.Field("microseconds", .long)])
    }
  }
  /// Writes a `long`.
  @inlinable
  public func encode(into writer: inout AvroWriter) { writer.long(microseconds) }
  /// Reads a `long`.
  @inlinable
  @inline(__always)
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    microseconds = try reader.long()
  }
}
