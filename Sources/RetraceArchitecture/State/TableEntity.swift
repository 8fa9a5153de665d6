public import RetraceAvro

/// An entity that a table holds.
public protocol TableEntity: Recordable, Equatable {
  /// One number by which ranges are found without an index, such as the start of a time entry.
  var zone: Int64 { get }
}

extension TableEntity {
  /// Entities without a zone all lie at 0.
  @inlinable public var zone: Int64 { 0 }
}
