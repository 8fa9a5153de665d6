import RetraceSystem

/// An untrusted data file.
///
/// Reads never go past its end, and unreadable sectors count as zeros.
final class UntrustedFile: Sendable {
  let size: Int
  private let file: OpenFile

  /// The number of bytes per read after a larger read has failed.
  private static var pieceBytes: Int { 4096 }

  init(_ file: consuming OpenFile) throws(SystemError) {
    let size = try file.size
    file.adviseNormal()
    self.file = file
    self.size = size
  }

  /// Reads bytes, fewer at the end of the file.
  ///
  /// - Complexity: O(bytes); one more call for each 4 KiB if the disk cannot read all of them.
  /// - Throws: `SystemError`, but not for unreadable bytes.
  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    guard offset < size else { return [] }
    let count = min(count, size - offset)
    do throws(SystemError) {
      return try file.read(at: offset, count: count)
    } catch {
      guard error.code == .inputOutput else { throw error }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      let place = offset + bytes.count
      let piece = min(count - bytes.count, Self.pieceBytes - place % Self.pieceBytes)
      do throws(SystemError) {
        let read = try file.read(at: place, count: piece)
        guard !read.isEmpty else { break }
        bytes += read
      } catch {
        guard error.code == .inputOutput else { throw error }
        bytes += [UInt8](repeating: 0, count: piece)
      }
    }
    return bytes
  }
}
