/// An array whose elements a closure can borrow one after another, without a copy.
///
/// Calling a method of an array's element first copies the element, which retains all it holds.
/// That would be a third of the work where actions are only encoded or only reduced. A store gets
/// each action borrowed, too.
@frozen
public struct BorrowableArray<Value>: ~Copyable {
  /// One value.
  @frozen
  public struct Element: ~Copyable {
    /// The value.
    public let value: Value

    init(value: Value) { self.value = value }
  }

  @usableFromInline let elements: UnsafeMutableBufferPointer<Element>

  /// Keeps values.
  public init(_ values: [Value]) {
    unsafe elements = .allocate(capacity: values.count)
    for (index, value) in values.enumerated() {
      unsafe elements.initializeElement(at: index, to: Element(value: value))
    }
  }

  deinit {
    unsafe elements.deinitialize()
    unsafe elements.deallocate()
  }

  /// The number of values.
  public var count: Int { unsafe elements.count }

  /// Calls `body` with each value, or each of the first `count`, and its position.
  @inlinable
  @inline(__always)
  public func forEach(
    first count: Int? = nil, _ body: (borrowing Element, Int) throws -> Void
  ) rethrows {
    for index in 0..<(count ?? self.count) { try unsafe body(elements[index], index) }
  }
}
