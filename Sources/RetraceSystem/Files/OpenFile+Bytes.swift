extension OpenFile {
  /// Reads a whole regular file.
  ///
  /// - Parameter limitBytes: The largest size, which is checked before memory is allocated.
  /// - Returns: The bytes.
  /// - Throws: ``SystemError``, `.aboveLimit` for a larger file, `.isADirectory` for a directory,
  ///   `.invalidArgument` for a pipe, a socket or a device.
  package func readWhole(limitBytes: Int) throws(SystemError) -> [UInt8] {
    let info = try info()
    guard info.isRegular else {
      throw SystemError(
        info.isDirectory ? .isADirectory : .invalidArgument, during: .open, path: path)
    }
    guard info.sizeBytes <= limitBytes else {
      throw SystemError(.aboveLimit, during: .read, path: path)
    }
    // One byte more than the size, so that the end of nearly every file is found at once. Files in
    // `/proc` report no size, and other files may grow meanwhile.
    var bytes = try read(at: 0, count: info.sizeBytes + 1)
    var end = info.sizeBytes + 1
    while bytes.count == end || info.sizeBytes == 0 {
      if bytes.count > limitBytes { throw SystemError(.aboveLimit, during: .read, path: path) }
      let more = try read(at: bytes.count, count: min(65536, limitBytes - bytes.count + 1))
      if more.isEmpty { break }
      bytes += more
      end = bytes.count
    }
    return bytes
  }

  /// Reads bytes at an offset, fewer only at the end of the file; the C function is `pread`.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte.
  ///   - count: The number of bytes to read.
  /// - Returns: The bytes.
  package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try self.read(into: &bytes, at: offset)
    bytes.removeLast(count - read)
    return bytes
  }

  /// Fills an array with bytes from an offset on; the C function is `pread`.
  ///
  /// - Parameters:
  ///   - bytes: The array to fill; its count is the number of bytes to read.
  ///   - offset: The offset of the first byte.
  /// - Returns: The number of bytes read, which is less than the count only at the end of the file.
  package func read(into bytes: inout [UInt8], at offset: Int) throws(SystemError) -> Int {
    let (descriptor, path) = (self.descriptor, self.path)
    // Unsafe: C writes into the rest of the array, during the closure only.
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

  /// Writes all bytes at an offset; the C function is `pwrite`.
  ///
  /// The bytes are on disk only after ``synchronize()``.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to write.
  ///   - offset: The offset of the first byte.
  /// - Throws: ``SystemError``, such as `.noSpace` or `.inputOutput`; a part may be written.
  package func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
    let (descriptor, path) = (self.descriptor, self.path)
    // Unsafe: C reads the rest of the borrowed bytes, during the closure only.
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

  /// Writes all bytes at the current offset; the C function is `write`.
  ///
  /// - Parameter bytes: The bytes to write.
  /// - Throws: ``SystemError``; a part may be written.
  package func append(_ bytes: Span<UInt8>) throws(SystemError) {
    try writeAll(bytes, to: descriptor, path)
  }

  /// Reads the next bytes, up to a limit; the C function is `read`.
  ///
  /// - Parameter limit: The largest number of bytes.
  /// - Returns: The bytes; none at the end.
  package func readNext(_ limit: Int) throws(SystemError) -> [UInt8] {
    try readSome(limit, from: descriptor, path)
  }
}

package func writeAll(
  _ bytes: Span<UInt8>, to descriptor: Int32, _ path: String?
) throws(SystemError) {
  // Unsafe: C reads the rest of the borrowed bytes, during the closure only.
  try unsafe bytes.withUnsafeBytes { buffer throws(SystemError) in
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
      done += try unsafe System.write(descriptor, rest, path)
    }
  }
}

/// Reads the available bytes of a descriptor, up to a limit; none at the end.
package func readSome(
  _ limit: Int, from descriptor: Int32, _ path: String?
) throws(SystemError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: limit)
  // Unsafe: C writes at most the array's count, during the closure only.
  let count = try unsafe bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
    try unsafe System.read(descriptor, UnsafeMutableRawBufferPointer(bytes), path)
  }
  bytes.removeLast(limit - count)
  return bytes
}
