import Retrace

/// The pages that were read last, up to a number of bytes.
///
/// The screens of an app read the same pages again at each key, and reading and verifying a page
/// takes longer than decoding it. A page is given only to a reader that expects the same hash.
struct KeptPages {
  private var pages: [PageKey: (bytes: [UInt8], hash: Digest)] = [:]
  /// The keys in the order in which their pages were kept; those before `first` are dropped.
  private var keys: [PageKey] = []
  private var first = 0
  private var bytes = 0
  private let bytesMax: Int

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Returns a kept page with a hash.
  ///
  /// - Complexity: O(1).
  func page(_ key: PageKey, _ hash: Digest) -> [UInt8]? {
    guard let page = pages[key], page.hash == hash else { return nil }
    return page.bytes
  }

  /// Keeps a verified page, and drops the oldest ones that have no room any more.
  ///
  /// - Complexity: O(1), amortized.
  mutating func keep(_ page: [UInt8], _ key: PageKey, _ hash: Digest) {
    guard page.count <= bytesMax / 8 else { return }
    if let replaced = pages.updateValue((page, hash), forKey: key) {
      bytes -= replaced.bytes.count
    } else {
      keys.append(key)
    }
    bytes += page.count
    while bytes > bytesMax {
      bytes -= pages.removeValue(forKey: keys[first])?.bytes.count ?? 0
      first += 1
    }
    guard first > keys.count / 2 else { return }
    keys.removeFirst(first)
    first = 0
  }
}
