extension OpenFile {
  /// Reads the whole of a regular file.
  ///
  /// - Parameter limitBytes: The highest number of bytes; it is checked before memory is taken.
  /// - Returns: The bytes.
  /// - Throws: ``SystemError``, `.aboveLimit` for a longer file, `.invalidArgument` for what is
  ///   not a regular file.
  public func readWhole(limitBytes: Int) throws(SystemError) -> [UInt8] {
    let info = try info()
    guard info.isRegular else {
      throw SystemError(
        info.isDirectory ? .isADirectory : .invalidArgument, during: .open, path: path)
    }
    guard info.sizeBytes <= limitBytes else {
      throw SystemError(.aboveLimit, during: .read, path: path)
    }
    // Files of the system have no size; others may grow meanwhile.
    var bytes = try read(at: 0, count: info.sizeBytes)
    while true {
      let more = try read(at: bytes.count, count: min(65536, limitBytes - bytes.count + 1))
      if more.isEmpty { return bytes }
      bytes += more
      if bytes.count > limitBytes { throw SystemError(.aboveLimit, during: .read, path: path) }
    }
  }

  /// Reads bytes at a position, fewer only where the file ends; the C function is `pread`.
  ///
  /// - Parameters:
  ///   - offset: The position of the first byte.
  ///   - count: The number of bytes wanted.
  /// - Returns: The bytes.
  public func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try self.read(into: &bytes, at: offset)
    bytes.removeLast(count - read)
    return bytes
  }

  /// Fills an array with bytes from a position on; the C function is `pread`.
  ///
  /// - Parameters:
  ///   - bytes: What to fill; its count is the number of bytes wanted.
  ///   - offset: The position of the first byte.
  /// - Returns: The number of bytes read, below the count only where the file ends.
  public func read(into bytes: inout [UInt8], at offset: Int) throws(SystemError) -> Int {
    let (descriptor, path) = (self.descriptor, self.path)
    // Unsafe: C writes into the array during the closure, at most what is left of it.
    return try unsafe bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
      let buffer = UnsafeMutableRawBufferPointer(bytes)
      var done = 0
      while done < buffer.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        let count = try unsafe System.pread(descriptor, rest, at: offset + done, path)
        if count == 0 { break }
        done += count
      }
      return done
    }
  }

  /// Writes all bytes at a position; the C function is `pwrite`.
  ///
  /// The bytes are on disk only after ``synchronize()``.
  ///
  /// - Parameters:
  ///   - bytes: What to write.
  ///   - offset: The position of the first byte.
  /// - Throws: ``SystemError``, among others `.noSpace`, `.inputOutput`; a part may be written.
  public func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
    let (descriptor, path) = (self.descriptor, self.path)
    // Unsafe: C reads the borrowed bytes during the closure, at most what is left of them.
    try unsafe bytes.withUnsafeBytes { buffer throws(SystemError) in
      var done = 0
      while done < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        let count = try unsafe System.pwrite(descriptor, rest, at: offset + done, path)
        if count == 0 { throw SystemError(.noSpace, during: .pwrite, path: path) }
        done += count
      }
    }
  }

  /// Writes all bytes after those written or read before; the C function is `write`.
  ///
  /// - Parameter bytes: What to write.
  /// - Throws: ``SystemError``; a part may be written.
  public func append(_ bytes: Span<UInt8>) throws(SystemError) {
    try writeAll(bytes, to: descriptor, path)
  }

  /// Reads what comes next, at most a number of bytes; the C function is `read`.
  ///
  /// - Parameter limit: The highest number of bytes.
  /// - Returns: The bytes; none at the end.
  public func readNext(_ limit: Int) throws(SystemError) -> [UInt8] {
    try readSome(limit, from: descriptor, path)
  }
}

/// Writes all bytes to a descriptor.
package func writeAll(
  _ bytes: Span<UInt8>, to descriptor: Int32, _ path: String?
) throws(SystemError) {
  // Unsafe: C reads the borrowed bytes during the closure, at most what is left of them.
  try unsafe bytes.withUnsafeBytes { buffer throws(SystemError) in
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
      done += try unsafe System.write(descriptor, rest, path)
    }
  }
}

/// Reads what is there, at most a number of bytes, from a descriptor; none at the end.
package func readSome(
  _ limit: Int, from descriptor: Int32, _ path: String?
) throws(SystemError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: limit)
  // Unsafe: C writes into the array during the closure, at most its count.
  let count = try unsafe bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
    try unsafe System.read(descriptor, UnsafeMutableRawBufferPointer(bytes), path)
  }
  bytes.removeLast(limit - count)
  return bytes
}
