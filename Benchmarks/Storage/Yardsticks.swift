import CBaseline
import Figures
import Foundation

/// Returns the result of C, or throws its error.
func measured(_ result: storage_result) throws -> Measured {
  guard result.error == 0 else { throw FiguresError("C failed with \(result.error)") }
  return Measured(
    nanoseconds: Int64(result.nanoseconds), operations: result.records,
    checksum: result.checksum)
}

/// Makes a folder with a million records that C writes, one key each.
func writtenByC(_ name: String) throws -> String {
  let folder = try scratch(name)
  _ = try measured(Records.million.withC { storage_append(folder, $0, 1_000_000) })
  return folder
}

/// Calls `body` with an empty folder on a file system in memory, and removes it.
func inMemoryFolder(_ body: (String) throws -> Measured) throws -> Measured {
  let folder = "/dev/shm/retrace-figures-\(getpid())"
  try? FileManager.default.removeItem(atPath: folder)
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}

/// Calls `body` with an empty folder on the disk, and removes it.
func onDisk(_ name: String, _ body: (String) throws -> Measured) throws -> Measured {
  let folder = try scratch(name)
  defer { removeScratch(folder) }
  return try body(folder)
}
