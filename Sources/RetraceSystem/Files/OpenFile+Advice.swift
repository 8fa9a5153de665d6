import Glibc

/// What the system is told about reads to come; it may ignore all of it.
extension OpenFile {
  /// Says that reads go here and there, so that reading ahead would be in vain; the C function is
  /// `posix_fadvise`.
  public func expectRandomReads() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
  }

  /// Takes back ``expectRandomReads()``: the system reads ahead as it sees fit; the C function is
  /// `posix_fadvise`.
  public func expectOrderedReads() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_NORMAL)
  }

  /// Says that bytes will be read soon; the C function is `posix_fadvise`.
  ///
  /// Said in steps of 1 MiB: the system cuts short what is asked for at once.
  ///
  /// - Parameter range: The positions of the bytes; `nil` for the whole file.
  /// - Complexity: O(bytes), one call for each MiB; the reads go on behind the call.
  public func expectReads(in range: Range<Int>? = nil) {
    let step = 1 << 20
    guard let range = range ?? (try? size).map({ 0..<$0 }) else { return }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      let count = min(step, range.upperBound - start)
      _ = posix_fadvise(descriptor, start, count, POSIX_FADV_WILLNEED)
    }
  }

  /// Gives up what the system keeps of the file in memory, so that the next reads come from the
  /// disk; the C function is `posix_fadvise`.
  ///
  /// Pages that a process maps, or that are not on the disk yet, stay.
  public func forgetCachedBytes() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }
}
