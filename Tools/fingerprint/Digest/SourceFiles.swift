import Glibc

/// The reason why the fingerprint could not be computed.
struct Failure: Error {
  var text: String
}

/// Reads and writes the files of a build, and queries the compiler's version.
enum SourceFiles {
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    // Unsafe: the stream is owned by this function.
    guard let stream = unsafe fopen(path, "rb") else {
      throw Failure(text: "\(path): not readable")
    }
    defer { unsafe fclose(stream) }
    return try unsafe readAll(stream, path)
  }

  static func write(_ text: String, to path: String) throws(Failure) {
    // Unsafe: as above; the text lives during the call.
    guard let stream = unsafe fopen(path, "wb") else {
      throw Failure(text: "\(path): not writable")
    }
    let written = unsafe fputs(text, stream)
    guard unsafe fclose(stream) == 0, written >= 0 else {
      throw Failure(text: "\(path): not written")
    }
  }

  /// Returns the first line of the compiler's `--version` output.
  static func version(ofCompiler path: String) throws(Failure) -> String {
    let quoted = path.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    // Unsafe: as above.
    guard let stream = unsafe popen("'\(quoted)' --version 2>/dev/null", "r") else {
      throw Failure(text: "\(path): cannot be run")
    }
    let result: Result<[UInt8], Failure>
    do {
      result = .success(try unsafe readAll(stream, path))
    } catch {
      result = .failure(error)
    }
    let status = unsafe pclose(stream)
    let bytes = try result.get()
    guard status == 0, !bytes.isEmpty else { throw Failure(text: "\(path): prints no version") }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  static func printError(_ text: String) {
    // Unsafe: C reads the borrowed bytes during the call.
    _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
  }

  private static func readAll(
    _ stream: UnsafeMutablePointer<FILE>, _ path: String
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      // Unsafe: C writes at most the array's count into it.
      let count = unsafe fread(&chunk, 1, 65536, stream)
      bytes += chunk[..<count]
      if count < chunk.count { break }
    }
    guard unsafe ferror(stream) == 0 else { throw Failure(text: "\(path): not readable") }
    return bytes
  }
}
