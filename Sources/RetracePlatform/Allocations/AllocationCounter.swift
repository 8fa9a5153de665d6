import Glibc
import Synchronization

/// Counts what one thread takes from the heap.
///
/// While a counter lives, the places at which the loaded programs and libraries keep the addresses
/// of `malloc`, `calloc`, `realloc`, `aligned_alloc` and `posix_memalign` lead to functions that
/// count and go on to the C library's. So nothing has to be linked or loaded for it, and a process
/// without a counter is as it always was. A counter costs nanoseconds per allocation: time and
/// allocations are not to be measured together.
public struct AllocationCounter: ~Copyable {
  /// What was taken.
  public struct Counts: Hashable, Sendable {
    /// How often memory was taken.
    public var allocations: Int
    /// How many bytes were asked for.
    public var bytes: Int
  }

  private let slots: AllocationSlots

  /// Whether a counter lives; there is one at a time.
  private static let isTaken = Mutex(false)

  /// Begins to count what this thread takes.
  ///
  /// - Returns: `nil` while there is another counter, and where a known number of allocations is
  ///   not counted as that number, as in a program that is linked to the C library statically.
  /// - Complexity: O(relocations of the loaded libraries).
  public init?() {
    guard let slots = Self.countingSlots() else { return nil }
    self.slots = slots
  }

  private static func countingSlots() -> AllocationSlots? {
    let isFree = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    guard isFree else { return nil }
    let slots = AllocationSlots()
    if slots.install(), countsRightly(slots) { return slots }
    slots.restore()
    isTaken.withLock { $0 = false }
    return nil
  }

  deinit {
    slots.restore()
    Self.isTaken.withLock { $0 = false }
  }

  /// What was taken since the counter was made.
  public var counts: Counts { slots.counts }

  /// Whether objects are counted one by one.
  private static func countsRightly(_ slots: AllocationSlots) -> Bool {
    let count = 32
    var objects: [CountedObject] = []
    objects.reserveCapacity(count)
    let before = slots.counts
    for number in 0..<count { objects.append(CountedObject(number)) }
    let after = slots.counts
    return objects.last?.number == count - 1 && after.allocations - before.allocations == count
      && after.bytes - before.bytes >= 16 * count
  }
}

/// An object on the heap.
private final class CountedObject {
  let number: Int
  @inline(never)
  init(_ number: Int) { self.number = number }
}
