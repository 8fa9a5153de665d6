import Glibc

/// Hints to the system about future reads; the system may ignore them.
extension OpenFile {
  /// Disables readahead, because reads will be scattered; the C function is `posix_fadvise`.
  package func adviseRandom() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
  }

  /// Undoes ``adviseRandom()``, so that the system reads ahead as usual; the C function is
  /// `posix_fadvise`.
  package func adviseNormal() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_NORMAL)
  }

  /// Announces that bytes will be read soon; the C function is `posix_fadvise`.
  ///
  /// It does so in steps of 1 MiB, because the system truncates larger requests.
  ///
  /// - Parameter range: The offsets of the bytes; `nil` for the whole file.
  /// - Complexity: O(bytes), one call per MiB; the reads continue in the background.
  package func prefetch(in range: Range<Int>? = nil) {
    let step = 1 << 20
    guard let range = range ?? (try? size).map({ 0..<$0 }) else { return }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      let count = min(step, range.upperBound - start)
      _ = posix_fadvise(descriptor, start, count, POSIX_FADV_WILLNEED)
    }
  }
}
