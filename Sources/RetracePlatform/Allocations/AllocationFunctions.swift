import Glibc

// Unsafe in this file: the functions have the types of the C library's and pass on what they are
// called with. They allocate nothing themselves, and what they count with is made before they are
// called first.

/// The functions of the C library that take memory from the heap, and those that count for them.
enum AllocationFunctions {
  typealias Take = @convention(c) (Int) -> UnsafeMutableRawPointer?
  typealias TakeTwo = @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
  typealias Retake = @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?
  typealias TakeAligned =
    @convention(c) (
      UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int, Int
    ) -> Int32

  /// What is counted, and where the calls go on to.
  @safe struct Counting {
    var owner: pthread_t = 0
    var allocations = 0
    var bytes = 0
    let malloc: Take?
    let calloc: TakeTwo?
    let realloc: Retake?
    let alignedAlloc: TakeTwo?
    let posixMemalign: TakeAligned?

    var isComplete: Bool {
      unsafe malloc != nil && calloc != nil && realloc != nil && alignedAlloc != nil
        && posixMemalign != nil
    }

    /// Begins to count what this thread takes.
    mutating func start() {
      allocations = 0
      bytes = 0
      owner = pthread_self()
    }

    mutating func note(_ size: Int) {
      guard owner == pthread_self() else { return }
      allocations &+= 1
      bytes &+= size
    }
  }

  /// Lives as long as the process: a thread may be in one of the functions at any time.
  nonisolated(unsafe) static let counting: UnsafeMutablePointer<Counting> = {
    let counting = UnsafeMutablePointer<Counting>.allocate(capacity: 1)
    unsafe counting.initialize(
      to: Counting(
        malloc: unsafeBitCast(dlsym(nil, "malloc"), to: Take?.self),
        calloc: unsafeBitCast(dlsym(nil, "calloc"), to: TakeTwo?.self),
        realloc: unsafeBitCast(dlsym(nil, "realloc"), to: Retake?.self),
        alignedAlloc: unsafeBitCast(dlsym(nil, "aligned_alloc"), to: TakeTwo?.self),
        posixMemalign: unsafeBitCast(dlsym(nil, "posix_memalign"), to: TakeAligned?.self)))
    return unsafe counting
  }()

  /// The addresses of the functions that count, by the names of those that they stand for.
  static var replacements: [(name: String, function: UInt)] {
    unsafe [
      ("malloc", unsafeBitCast(countMalloc as Take, to: UInt.self)),
      ("calloc", unsafeBitCast(countCalloc as TakeTwo, to: UInt.self)),
      ("realloc", unsafeBitCast(countRealloc as Retake, to: UInt.self)),
      ("aligned_alloc", unsafeBitCast(countAlignedAlloc as TakeTwo, to: UInt.self)),
      ("posix_memalign", unsafeBitCast(countPosixMemalign as TakeAligned, to: UInt.self)),
    ]
  }
}

private func countMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
  let counting = unsafe AllocationFunctions.counting
  unsafe counting.pointee.note(size)
  return unsafe counting.pointee.malloc?(size)
}

private func countCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer? {
  let counting = unsafe AllocationFunctions.counting
  unsafe counting.pointee.note(count &* size)
  return unsafe counting.pointee.calloc?(count, size)
}

private func countRealloc(
  _ memory: UnsafeMutableRawPointer?, _ size: Int
) -> UnsafeMutableRawPointer? {
  let counting = unsafe AllocationFunctions.counting
  unsafe counting.pointee.note(size)
  return unsafe counting.pointee.realloc?(memory, size)
}

private func countAlignedAlloc(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer? {
  let counting = unsafe AllocationFunctions.counting
  unsafe counting.pointee.note(size)
  return unsafe counting.pointee.alignedAlloc?(alignment, size)
}

private func countPosixMemalign(
  _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ alignment: Int, _ size: Int
) -> Int32 {
  let counting = unsafe AllocationFunctions.counting
  unsafe counting.pointee.note(size)
  return unsafe counting.pointee.posixMemalign?(result, alignment, size) ?? ENOMEM
}
