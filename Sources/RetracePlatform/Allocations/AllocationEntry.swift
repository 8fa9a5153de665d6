import Glibc

// Unsafe in this file: the code of `malloc` is changed in memory. That is done only while all other
// threads sleep, so that none is in the middle of what is changed, on a processor whose
// instructions are known, and with what stood there kept to be put back.

/// The entry of `malloc` in a program that holds the C library itself, where no table leads to it.
///
/// The first instructions become a jump to a function that counts and goes on to `calloc`, which
/// takes memory from the same heap without calling `malloc`. What is taken at an alignment above 16
/// bytes is not counted.
final class AllocationEntry {
  #if arch(x86_64)
    /// `movabs $function, %r11; jmp *%r11`.
    private static func jump(to function: UInt) -> [UInt8] {
      [0x49, 0xbb] + (0..<8).map { UInt8(truncatingIfNeeded: function >> (8 * $0)) }
        + [0x41, 0xff, 0xe3]
    }
  #else
    private static func jump(to function: UInt) -> [UInt8] { [] }
  #endif

  private let entry: UInt = unsafe unsafeBitCast(
    malloc as AllocationFunctions.Take, to: UInt.self)
  private var before: [UInt8] = []

  /// Lets `malloc` count what this thread takes.
  ///
  /// - Returns: Whether it does; nothing is changed otherwise.
  func install() -> Bool {
    let code = unsafe Self.jump(
      to: unsafeBitCast(countMallocByCalloc as AllocationFunctions.Take, to: UInt.self))
    guard !code.isEmpty, Self.othersSleep(),
      protect(PROT_READ | PROT_WRITE | PROT_EXEC, code.count)
    else { return false }
    var old: [UInt8] = []
    old.reserveCapacity(code.count)
    for (index, byte) in code.enumerated() {
      guard let place = unsafe UnsafeMutablePointer<UInt8>(bitPattern: entry + UInt(index)) else {
        return false
      }
      unsafe old.append(place.pointee)
      unsafe place.pointee = byte
    }
    before = old
    return true
  }

  /// Waits a little until all threads of the process but this one wait in the system.
  ///
  /// A thread that was just started may need a moment until it has nothing to do.
  private static func othersSleep() -> Bool {
    for _ in 0..<500 {
      if isOnlyRunning { return true }
      MonotonicClock.sleep(milliseconds: 1)
    }
    return false
  }

  /// Whether all threads of the process but this one wait in the system.
  private static var isOnlyRunning: Bool {
    guard let threads = try? FileSystem.list("/proc/self/task") else { return false }
    var running = 0
    for thread in threads {
      // `7 (name) S …`: the state is behind the last parenthesis.
      guard
        let line = try? FileSystem.readWhole(
          "/proc/self/task/\(thread)/stat", limitBytes: 4_096),
        let end = line.lastIndex(of: UInt8(ascii: ")")), end + 2 < line.count
      else { return false }
      if line[end + 2] != UInt8(ascii: "S") { running += 1 }
    }
    return running == 1
  }

  /// Puts back what was there.
  func restore() {
    for (index, byte) in before.enumerated() {
      unsafe UnsafeMutablePointer<UInt8>(bitPattern: entry + UInt(index))?.pointee = byte
    }
    if !before.isEmpty { _ = protect(PROT_READ | PROT_EXEC, before.count) }
    before = []
  }

  private func protect(_ protection: Int32, _ count: Int) -> Bool {
    let pageBytes = UInt(sysconf(Int32(_SC_PAGESIZE)))
    let first = entry & ~(pageBytes - 1)
    let bytes = Int(entry + UInt(count) - first)
    return unsafe mprotect(UnsafeMutableRawPointer(bitPattern: first), bytes, protection) == 0
  }
}

/// Stands in for `malloc`; it calls nothing that leads back to it.
private func countMallocByCalloc(_ size: Int) -> UnsafeMutableRawPointer? {
  unsafe AllocationFunctions.counting.pointee.note(size)
  return unsafe calloc(1, size)
}
