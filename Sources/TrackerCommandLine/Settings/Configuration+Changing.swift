import RetraceCommandLine
import RetraceToolSupport

extension Configuration {
  /// Edits the file, if it is valid before and after, and returns the new settings.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - isDryRun: Whether the file stays as it is.
  ///   - edit: Returns the new bytes of the file for the present ones.
  @discardableResult
  func change(
    _ path: String, isDryRun: Bool = false, _ edit: ([UInt8]) throws(TOMLError) -> [UInt8]
  ) throws(ToolFailure) -> Configuration {
    let before = try file.bytesToChange()
    do throws(ToolFailure) {
      try check(before)
    } catch {
      // A file that is wrong is corrected by hand.
      var failure = error
      if !failure.advice.contains("track config edit") {
        failure.advice += " Correct it with `track config edit`."
      }
      throw failure
    }
    let after: [UInt8]
    do throws(TOMLError) {
      after = try edit(before)
    } catch {
      throw ToolFailure(
        what: "The settings were not changed.", why: "\(error)",
        advice: "Change the file with `track config edit`.", exitCode: ToolExit.usage)
    }
    let changed: Configuration
    do throws(ToolFailure) {
      changed = try check(after)
    } catch {
      var failure = error
      failure.what = "The settings were not changed."
      throw failure
    }
    if after != before, !isDryRun { try ConfigurationFile.write(after, to: path) }
    return changed
  }

  /// Sets the calendar files and folders, or removes the setting if the text is blank.
  ///
  /// - Returns: The paths.
  func setCalendars(_ text: String) throws(ToolFailure) -> [String] {
    let setting = [Key.calendars.rawValue]
    let isBlank = text.allSatisfy { $0 == " " }
    let changed = try change(try file.pathToWrite()) { (bytes) throws(TOMLError) in
      isBlank
        ? try TOMLDocument.removing(setting, from: bytes) ?? bytes
        : try TOMLDocument.setting(setting, to: text, in: bytes)
    }
    return changed.calendars
  }
}
