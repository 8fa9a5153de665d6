import RetraceSystem

/// A data file of which nothing is trusted: reads never go past its end, and what the disk cannot
/// read counts as zeros.
final class DamagedFile: Sendable {
  /// The size in bytes when the file was opened.
  let size: Int
  private let file: OpenFile

  /// The bytes that are read together after a larger read has failed.
  private static var pieceBytes: Int { 4096 }

  init(_ file: consuming OpenFile) throws(SystemError) {
    let size = try file.size
    file.expectOrderedReads()
    self.file = file
    self.size = size
  }

  /// Reads bytes, fewer where the file ends.
  ///
  /// - Complexity: O(bytes); one call more for each 4 KiB if the disk cannot read all of them.
  /// - Throws: `SystemError`, but not for bytes that the disk cannot read.
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
