import Foundation
import Testing
import ToolTestSupport

@testable import RetraceLMDB

/// Which versions of LMDB the package compiles and runs with.
struct HeaderVersionTests {
  @Test func `the header and the library have version 0.9`() {
    #expect(LMDBVersion.header.major == 0)
    #expect(LMDBVersion.header.minor == 9)
    #expect(LMDBVersion.library.major == 0)
    #expect(LMDBVersion.library.minor == 9)
    #expect("\(LMDBVersion(major: 0, minor: 9, patch: 24))" == "0.9.24")
  }

  @Test(arguments: [(0, 9, true), (0, 90, false), (1, 0, false)])
  func `the shim compiles with the header of LMDB 0.9 only`(
    major: Int, minor: Int, isAccepted: Bool
  ) throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      "#define MDB_VERSION_MAJOR \(major)\n#define MDB_VERSION_MINOR \(minor)\n", "lmdb.h")
    let shim = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/CLMDB/shim.h").standardizedFileURL.path
    let result = try runProgram(
      "/usr/bin/env",
      [
        "clang", "-std=gnu17", "-D_GNU_SOURCE", "-fsyntax-only", "-I", directory.path, "-x", "c",
        shim,
      ])
    #expect((result.status == 0) == isAccepted, "\(result.errors)")
    #expect(result.errors.contains("lmdb.h is not of LMDB 0.9") == !isAccepted)
    #expect(result.errors.contains("install liblmdb-dev") == !isAccepted)
  }
}
