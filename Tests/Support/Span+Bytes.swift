extension [UInt8] {
  /// Copies bytes, in a module that is optimized: in a test, which is not, large values take
  /// seconds.
  package init(_ span: Span<UInt8>) {
    self = span.indices.map { span[$0] }
  }
}
