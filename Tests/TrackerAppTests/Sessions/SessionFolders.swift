import RetraceSystem

/// Where a run of a session has its store and its files.
struct SessionFolders {
  /// The folder with all the others.
  let path: String

  /// The store, which is made by the run.
  var store: String { "\(path)/store" }
  /// The folder in which the app starts, and saves reports.
  var files: String { "\(path)/files" }
  var keychain: String { "\(path)/state/retrace/track/keychain" }
  var calendar: String { "\(path)/work.ics" }

  /// The variables of a process that has these folders.
  var variables: [String: String] {
    ["RETRACE_CONFIG": "\(path)/track.toml", "XDG_STATE_HOME": "\(path)/state"]
  }

  /// Makes the folders.
  init(at path: String) throws {
    self.path = path
    try FileSystem.makeDirectories(files)
    try write(CalendarFilesTests.text([("review", 10), ("lunch", 12)]), to: calendar)
    try write("calendars = \"\(calendar)\"\n", to: "\(path)/track.toml")
  }

  private func write(_ text: String, to file: String) throws(SystemError) {
    try FileSystem.replace(file, with: Array(text.utf8).span)
  }
}
