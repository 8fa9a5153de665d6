import ArgumentParser
import RetraceToolSupport

/// The destination of a command that copies a store.
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
