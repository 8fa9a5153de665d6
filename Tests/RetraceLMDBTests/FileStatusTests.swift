import CLMDB
import Foundation
import Glibc
import Testing
import ToolTestSupport

/// The status of files, with `statx` and without it.
struct FileStatusTests {
  // Unsafe: the path is borrowed for the call, and C writes to a local variable.

  private func numbers(of path: String) -> [UInt64] {
    var status = retrace_file_status()
    let code = unsafe retrace_file_status(-1, path, &status)
    return numbers(status, code)
  }

  private func olderNumbers(of path: String) -> [UInt64] {
    var status = retrace_file_status()
    let code = unsafe retrace_file_status_without_statx(-1, path, &status)
    return numbers(status, code)
  }

  private func numbers(ofOpen descriptor: Int32) -> [UInt64] {
    var status = retrace_file_status()
    let code = unsafe retrace_file_status(descriptor, nil, &status)
    return numbers(status, code)
  }

  private func olderNumbers(ofOpen descriptor: Int32) -> [UInt64] {
    var status = retrace_file_status()
    let code = unsafe retrace_file_status_without_statx(descriptor, nil, &status)
    return numbers(status, code)
  }

  private func numbers(_ status: retrace_file_status, _ code: Int32) -> [UInt64] {
    [
      UInt64(code), status.inode, status.links, status.bytes, status.device, status.allocated_bytes,
      UInt64(status.mode),
    ]
  }

  @Test func `statx and the older calls return the same status, and follow no link`() throws {
    let directory = try TemporaryDirectory()
    let (file, link) = (directory.path + "/file", directory.path + "/link")
    try Data(repeating: 1, count: 10_000).write(to: URL(filePath: file))
    try FileManager.default.linkItem(atPath: file, toPath: directory.path + "/same")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    for path in [file, link, directory.path, directory.path + "/none", "/dev/null"] {
      #expect(numbers(of: path) == olderNumbers(of: path), "\(path)")
    }
    let found = numbers(of: file)
    #expect(found[0] == 0 && found[2...3] == [2, 10_000])
    #expect(numbers(of: link)[1] != found[1])
    #expect(numbers(of: directory.path + "/none")[0] == UInt64(ENOENT))
    let descriptor = unsafe Glibc.open(file, O_RDONLY)
    defer { Glibc.close(descriptor) }
    #expect(numbers(ofOpen: descriptor) == found)
    #expect(olderNumbers(ofOpen: descriptor) == found)
    #expect(numbers(ofOpen: -1)[0] == UInt64(EBADF))
    #expect(olderNumbers(ofOpen: -1)[0] == UInt64(EBADF))
  }
}
