import Glibc

/// The prefetching of values for a scan, in a map without ``LMDBEnvironment/Options/readahead``.
///
/// A value of several pages is prefetched as a whole. In a long scan, 1 to 2 MiB of the file after
/// the value are prefetched too.
struct ReadAhead {
  /// The bytes of values after which a scan counts as long.
  private static let longScanBytes = 256 << 10
  /// The largest request in bytes; the system truncates larger ones.
  private static let requestBytesMax: UInt = 1 << 20
  private static let pageBytes = UInt(sysconf(Int32(_SC_PAGESIZE)))

  private var scannedBytes = 0
  /// The addresses prefetched so far, as one range; a value outside it starts a new range.
  private var prefetched: Range<UInt> = 0..<0

  /// Prefetches a value that is about to be read.
  ///
  /// - Complexity: O(1), at most two system calls: one for the value, one for the next 1 MiB.
  mutating func prefetch(_ value: UnsafeRawBufferPointer) {
    guard let base = value.baseAddress, value.count > 0 else { return }
    let start = UInt(bitPattern: base) & ~(Self.pageBytes - 1)
    let end = UInt(bitPattern: base) + UInt(value.count)
    scannedBytes += value.count
    if !prefetched.contains(start) { prefetched = start..<start }
    if prefetched.upperBound < end && end - start > Self.pageBytes {
      extend(by: min(end - prefetched.upperBound, Self.requestBytesMax))
    }
    guard scannedBytes > Self.longScanBytes else { return }
    if prefetched.upperBound < end + Self.requestBytesMax { extend(by: Self.requestBytesMax) }
  }

  private mutating func extend(by count: UInt) {
    let start = prefetched.upperBound
    // Unsafe: no byte is accessed or changed. Past the end of the file there is nothing to read,
    // and past the map the call fails harmlessly.
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(count), MADV_WILLNEED)
    let pages = (count + Self.pageBytes - 1) / Self.pageBytes
    prefetched = prefetched.lowerBound..<start + pages * Self.pageBytes
  }
}
