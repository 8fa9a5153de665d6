import RetraceSystem
import RetraceToolSupport

/// The user's text editor: `VISUAL`, else `EDITOR`, else `vi`.
struct TextEditor {
  let context: VerbContext

  /// The largest file that is read after the editor has left.
  private static var bytesMax: Int { 16 << 20 }

  /// Lets the user edit a text, and calls `body` with the result.
  ///
  /// If `body` fails and there is a terminal, the user is asked whether to edit the text again.
  /// After a failure, the text stays in a file that the failure names.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - what: The title of the failure if the text cannot be edited.
  ///   - body: Receives the edited text.
  func edit<Result>(
    _ text: String, _ what: String, _ body: (String) throws(ToolFailure) -> Result
  ) throws(ToolFailure) -> Result {
    try refuseInBatch()
    let (directory, path): (String, String)
    do throws(SystemError) {
      directory = try FileSystem.makeTemporaryDirectory("track-")
      path = "\(directory)/entries.txt"
      try FileSystem.replace(path, with: Array(text.utf8).span)
    } catch {
      throw Self.failure(what, "The file to edit could not be written: \(error).")
    }
    while true {
      do throws(ToolFailure) {
        let edited = try read(afterRunningOn: path, what)
        do throws(ToolFailure) {
          let result = try body(edited)
          try? FileSystem.removeTree(directory)
          return result
        } catch {
          guard asksAgain(after: error) else { throw error }
        }
      } catch {
        var failure = error
        failure.advice += " Your text is kept in \(path)."
        // Choosing a reading would repeat the command, which begins with the original text.
        failure.readings = []
        throw failure
      }
    }
  }

  /// Refuses an editor in a batch: it would read the commands that follow.
  func refuseInBatch() throws(ToolFailure) {
    guard context.isBatch else { return }
    throw .usage("An editor cannot be part of a batch.", advice: "Remove the line.")
  }

  private func read(
    afterRunningOn path: String, _ what: String
  ) throws(ToolFailure) -> String {
    try run(on: path, what)
    return try Self.read(path, what)
  }

  /// Lets the user edit a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - what: The title of the failure if the editor fails.
  func run(on path: String, _ what: String) throws(ToolFailure) {
    var options = ChildProcess.Options()
    (options.input, options.output, options.error) = (.inherit, .inherit, .inherit)
    let editor = context.environment.text("VISUAL") ?? context.environment.text("EDITOR") ?? "vi"
    context.output.flush()
    let exit: ChildProcess.Exit?
    do throws(SystemError) {
      // The variable may have arguments, so the shell splits it.
      exit = try ChildProcess.spawn(
        "/bin/sh", ["-c", "\(editor) \"$1\"", "sh", path], options: options
      ).wait()
    } catch {
      exit = nil
    }
    guard exit == .exited(0) else {
      throw .refused(
        "The editor \(editor) failed or could not be started.",
        advice: "Set EDITOR to your editor, such as nano.", what: what)
    }
  }

  private static func read(_ path: String, _ what: String) throws(ToolFailure) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.readWhole(path, limitBytes: Self.bytesMax)
    } catch {
      throw Self.failure(what, "The edited file could not be read: \(error).")
    }
    guard let span = try? UTF8Span(validating: bytes.span) else {
      throw .usage("The edited text is not UTF-8.", advice: "Save it in UTF-8.")
    }
    let text = String(copying: span)
    // Editors of Windows put a byte order mark before the text.
    return text.unicodeScalars.first == "\u{FEFF}"
      ? String(text.unicodeScalars.dropFirst()) : text
  }

  private func asksAgain(after failure: ToolFailure) -> Bool {
    let output = context.output
    guard output.streams.canAsk else { return false }
    output.printError("\(failure.why) \(failure.advice)")
    output.promptError("Edit it again? [Y/n] ")
    guard let answer = output.streams.readAnswer() else { return false }
    return !["n", "no"].contains(answer.lowercased())
  }

  private static func failure(_ what: String, _ why: String) -> ToolFailure {
    ToolFailure(
      what: what, why: why, advice: "Set EDITOR to your editor, such as nano.",
      exitCode: ToolExit.storage)
  }
}
