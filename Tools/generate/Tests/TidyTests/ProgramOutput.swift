import Foundation

/// The error of a program that ended with a status other than 0.
struct ProgramFailure: Error {
  var arguments: [String]
  var status: Int32
}

/// Runs a program found in the path and returns its standard output.
///
/// The output goes through a file. Programs that other tests start at the same time would inherit a
/// pipe, and it would stay open until they end.
func output(of arguments: [String]) throws -> Data {
  let files = FileManager.default
  let file = files.temporaryDirectory.appending(path: "output-\(UUID())")
  try Data().write(to: file)
  defer { try? files.removeItem(at: file) }
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = arguments
  process.standardOutput = try FileHandle(forWritingTo: file)
  try process.run()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw ProgramFailure(arguments: arguments, status: process.terminationStatus)
  }
  return try Data(contentsOf: file)
}
