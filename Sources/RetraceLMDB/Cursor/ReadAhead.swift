import Glibc

/// What a walk over values announces to the system, which reads nothing ahead by itself in a map
/// opened without ``LMDBEnvironment/Options/readahead``.
///
/// A value of several pages is announced whole. After some of them a walk counts as long:
/// then 1 to 2 MiB of the file behind the value are announced too.
struct ReadAhead {
  /// So many bytes of values are walked over before anything behind them is announced.
  private static let patienceBytes = 256 << 10
  /// The most bytes announced at once: the system cuts short what is more.
  private static let stepBytes: UInt = 1 << 20
  private static let pageBytes = UInt(sysconf(Int32(_SC_PAGESIZE)))

  private var walkedBytes = 0
  /// The addresses up to which the present stretch was announced.
  private var announced: Range<UInt> = 0..<0

  /// Announces a value that is about to be read.
  ///
  /// - Complexity: O(1), at most a call into the system each for the value and for 1 MiB behind it.
  mutating func announce(_ value: UnsafeRawBufferPointer) {
    guard let base = value.baseAddress, value.count > 0 else { return }
    let start = UInt(bitPattern: base) & ~(Self.pageBytes - 1)
    let end = UInt(bitPattern: base) + UInt(value.count)
    walkedBytes += value.count
    if !announced.contains(start) { announced = start..<start }
    if announced.upperBound < end && end - start > Self.pageBytes {
      extend(by: min(end - announced.upperBound, Self.stepBytes))
    }
    guard walkedBytes > Self.patienceBytes else { return }
    if announced.upperBound < end + Self.stepBytes { extend(by: Self.stepBytes) }
  }

  private mutating func extend(by count: UInt) {
    let start = announced.upperBound
    // Unsafe: no byte is touched, and the advice changes none. Behind the end of the file there is
    // nothing to read; behind the map the call answers an error, which does not matter.
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(count), MADV_WILLNEED)
    let pages = (count + Self.pageBytes - 1) / Self.pageBytes
    announced = announced.lowerBound..<start + pages * Self.pageBytes
  }
}
