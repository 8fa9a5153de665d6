/// Values that are lent one after another, none copied.
///
/// An element of an array is copied before a method of it is called, which retains all it holds;
/// where actions are encoded or reduced by themselves that would be a third of the work. A store is
/// given each action lent, too.
@frozen
public struct Lent<Value>: ~Copyable {
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

  /// Lends each value, or each of the first ones, to a body, with its position.
  @inlinable
  @inline(__always)
  public func forEach(
    first count: Int? = nil, _ body: (borrowing Element, Int) throws -> Void
  ) rethrows {
    for index in 0..<(count ?? self.count) { try unsafe body(elements[index], index) }
  }
}
