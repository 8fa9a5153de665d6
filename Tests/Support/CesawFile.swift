import Foundation

/// The published CESAW time log, where a machine has it.
///
/// The environment variable `RETRACE_CESAW` names the file, as csv or packed as csv.xz.
public enum CesawFile {
  /// The SHA-256 of the unpacked file.
  public static let digest =
    "774f0b9861a80c63679ac275b529864e36306a885ac922f4c88bc204fc84c8fb"

  /// Why the file cannot be used.
  public struct Failure: Error, CustomStringConvertible {
    /// The reason, in words for the user.
    public let description: String
  }

  /// Whether the environment names a file.
  public static var isNamed: Bool { name != nil }

  /// The bytes of the unpacked file, or `nil` when the environment names none.
  ///
  /// - Throws: ``Failure`` when the file is not there or is another one.
  public static func bytes() throws -> [UInt8]? {
    guard let path = name else { return nil }
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure(description: "RETRACE_CESAW: there is no file \(path)")
    }
    let unpack = path.hasSuffix(".xz") ? "xz -dc" : "cat"
    let sum = try output(of: "\(unpack) \"$1\" | sha256sum", path)
    guard String(decoding: sum, as: UTF8.self).hasPrefix(digest) else {
      throw Failure(description: "RETRACE_CESAW: \(path) is not the published time log")
    }
    return [UInt8](try output(of: "\(unpack) \"$1\"", path))
  }

  private static func output(of script: String, _ path: String) throws -> Data {
    let result = try runProgram("/bin/sh", ["-c", script, "sh", path])
    guard result.status == 0 else {
      throw Failure(description: "RETRACE_CESAW: \(path) cannot be read")
    }
    return result.outputBytes
  }

  private static var name: String? {
    ProcessInfo.processInfo.environment["RETRACE_CESAW"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
