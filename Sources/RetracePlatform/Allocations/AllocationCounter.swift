import Glibc
import Synchronization

/// Counts what one thread takes from the heap.
///
/// While a counter lives, the places at which the loaded programs and libraries keep the addresses
/// of `malloc`, `calloc`, `realloc`, `aligned_alloc` and `posix_memalign` lead to functions that
/// count and go on to the C library's. In a program that holds the C library itself there are no
/// such places; there the entry of `malloc` does, if all other threads sleep. So nothing has to be
/// linked or loaded for it, and a process without a counter is as it always was. A counter costs
/// nanoseconds per allocation: time and allocations are not to be measured together.
public struct AllocationCounter: ~Copyable {
  /// What was taken.
  public struct Counts: Hashable, Sendable {
    /// How often memory was taken.
    public var allocations: Int
    /// How many bytes were asked for.
    public var bytes: Int
  }

  private let slots: AllocationSlots
  private let entry: AllocationEntry

  /// Whether a counter lives; there is one at a time.
  private static let isTaken = Mutex(false)

  /// Begins to count what this thread takes.
  ///
  /// - Returns: `nil` while there is another counter, and where a known number of allocations is
  ///   not counted as that number.
  /// - Complexity: O(relocations of the loaded libraries).
  public init?() {
    guard let (slots, entry) = Self.installed() else { return nil }
    self.slots = slots
    self.entry = entry
  }

  private static func installed() -> (AllocationSlots, AllocationEntry)? {
    let isFree = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    guard isFree else { return nil }
    let slots = AllocationSlots()
    let entry = AllocationEntry()
    // Unsafe: nobody counts yet.
    unsafe AllocationFunctions.counting.pointee.start()
    if slots.install() || entry.install(), countsRightly() { return (slots, entry) }
    slots.restore()
    entry.restore()
    isTaken.withLock { $0 = false }
    return nil
  }

  deinit {
    slots.restore()
    entry.restore()
    Self.isTaken.withLock { $0 = false }
  }

  /// What was taken since the counter was made.
  public var counts: Counts { Self.counted }

  private static var counted: Counts {
    // Unsafe: what is counted lives as long as the process, and this thread alone counts.
    let counting = unsafe AllocationFunctions.counting
    return unsafe Counts(
      allocations: counting.pointee.allocations, bytes: counting.pointee.bytes)
  }

  /// Whether objects are counted one by one.
  private static func countsRightly() -> Bool {
    let count = 32
    var objects: [CountedObject] = []
    objects.reserveCapacity(count)
    let before = counted
    for number in 0..<count { objects.append(CountedObject(number)) }
    let after = counted
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
