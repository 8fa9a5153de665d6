import ArgumentParser
import Retrace
import RetraceStorage
import RetraceToolSupport

struct CopyDestination: ParsableArguments {
  @Argument(help: ArgumentHelp("The directory to create.", valueName: "dest"))
  var destination: String

  /// Returns the given path.
  ///
  /// - Throws: A usage failure if it is empty.
  func path() throws(ToolFailure) -> String {
    guard !destination.isEmpty else {
      throw .usage("The destination is empty.", advice: "Give a directory to create.")
    }
    return destination
  }
}

extension CopiedStore {
  func print(asJSON: Bool, format: String = "", _ more: [JSONValue.Member] = []) {
    guard !asJSON else {
      let members: [JSONValue.Member] = [
        .init("path", .string(path)), .init("records", .integer(Int64(clamping: head.sequence))),
        .init("bytes", .integer(Int64(bytes))), .init("chain", .string(head.chain.hex)),
      ]
      return Output.standard.print(.object(members + more))
    }
    Output.standard.print("\(path) holds \(head.sequence) records\(format), verified.")
    Output.standard.print("bytes  \(bytes)")
    Output.standard.print("chain  \(head.chain)")
  }
}
