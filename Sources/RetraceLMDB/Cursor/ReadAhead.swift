import Glibc

/// The prefetching of values for a scan, in a map without ``LMDBEnvironment/Options/readahead``.
///
/// A value of several pages is announced as a whole. In a long scan, 1 to 2 MiB of the file after
/// the value are announced too.
struct ReadAhead {
  /// The bytes of values after which a scan counts as long.
  private static let longWalkBytes = 256 << 10
  /// The largest announcement in bytes; the system truncates larger ones.
  private static let stepBytes: UInt = 1 << 20
  private static let pageBytes = UInt(sysconf(Int32(_SC_PAGESIZE)))

  private var walkedBytes = 0
  /// The addresses announced so far, as one range; a value outside it starts a new range.
  private var announced: Range<UInt> = 0..<0

  /// Announces a value that is about to be read.
  ///
  /// - Complexity: O(1), at most two system calls: one for the value, one for the next 1 MiB.
  mutating func announce(_ value: UnsafeRawBufferPointer) {
    guard let base = value.baseAddress, value.count > 0 else { return }
    let start = UInt(bitPattern: base) & ~(Self.pageBytes - 1)
    let end = UInt(bitPattern: base) + UInt(value.count)
    walkedBytes += value.count
    if !announced.contains(start) { announced = start..<start }
    if announced.upperBound < end && end - start > Self.pageBytes {
      extend(by: min(end - announced.upperBound, Self.stepBytes))
    }
    guard walkedBytes > Self.longWalkBytes else { return }
    if announced.upperBound < end + Self.stepBytes { extend(by: Self.stepBytes) }
  }

  private mutating func extend(by count: UInt) {
    let start = announced.upperBound
    // Unsafe: no byte is accessed or changed. Past the end of the file there is nothing to read,
    // and past the map the call fails harmlessly.
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(count), MADV_WILLNEED)
    let pages = (count + Self.pageBytes - 1) / Self.pageBytes
    announced = announced.lowerBound..<start + pages * Self.pageBytes
  }
}
