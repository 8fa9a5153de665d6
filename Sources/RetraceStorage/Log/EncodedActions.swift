/// The encoded actions of a batch in one buffer.
///
/// Attempt files store this buffer, and the digest of an idempotency key covers it.
public struct EncodedActions: Hashable, Sendable {
  /// The actions in order, each after its length as a little-endian UInt32.
  public let bytes: [UInt8]

  /// Creates a value from a buffer in the format of ``bytes``.
  package init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// Concatenates encoded actions.
  ///
  /// - Complexity: O(bytes of the actions).
  public init(_ actions: [[UInt8]]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(actions.reduce(0) { $0 + $1.count + EncodedActions.lengthBytes })
    for action in actions {
      let length = UInt32(clamping: action.count)
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: length >> shift))
      }
      bytes.append(contentsOf: action)
    }
    self.bytes = bytes
  }

  /// The actions as separate arrays.
  ///
  /// - Complexity: O(bytes of the actions).
  package var list: [[UInt8]] {
    var list: [[UInt8]] = []
    var start = 0
    while let range = range(at: start) {
      list.append(Array(bytes[range]))
      start = range.upperBound
    }
    return list
  }

  private static var lengthBytes: Int { 4 }

  /// Returns the range of the action whose length begins at an offset, or `nil` at the end.
  ///
  /// - Parameter offset: 0, or the end of the previous action.
  /// - Complexity: O(1).
  public func range(at offset: Int) -> Range<Int>? {
    let start = offset + EncodedActions.lengthBytes
    guard start <= bytes.count else { return nil }
    var length: UInt32 = 0
    for index in 0..<EncodedActions.lengthBytes {
      length |= UInt32(bytes[offset + index]) << UInt32(8 * index)
    }
    guard Int(length) <= bytes.count - start else { return nil }
    return start..<start + Int(length)
  }
}
