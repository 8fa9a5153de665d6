import Figures
import Foundation

/// The same entries in `track` and its peers, written on first use.
///
/// They are entries of one user, of 10 minutes each, up to the end of 2025: 10 a day, or 100 a day
/// for more than 100,000. Each has one of 5 projects, of two clients, and one of 7 tags. `track`
/// imports them; the files of timewarrior and Watson are written as these programs write them, and
/// have no clients. hledger and ledger read one file in the format of timeclock, in which a client
/// is the account of its projects.
final class Trackers {
  /// The programs that start and stop entries.
  enum Program: CaseIterable {
    case track
    case timewarrior
    case watson
  }

  let count: Int
  /// The programs in which an entry is running.
  var running: Set<Program> = []
  private var known: Result<String, any Error>?
  private var steps = 0

  init(count: Int) { self.count = count }

  var input: String {
    "\(grouped(count)) entries of one user, \(86_400 / stepSeconds) a day, process start to exit"
  }

  /// The end of the last entry, in seconds since 1970.
  private static let endSecond = 1_767_225_600
  /// The time between the starts of entries.
  private var stepSeconds: Int { count > 100_000 ? 864 : 8_640 }
  static let entrySeconds = 600

  /// The folder with the data of the three programs.
  private var folder: String {
    get throws {
      let result = known ?? Result { try write() }
      known = result
      return try result.get()
    }
  }

  /// The store of `track`.
  var store: String { get throws { try folder + "/track" } }

  /// Writes the data, unless they are there already.
  func prepare() throws { _ = try folder }

  /// Moves on to the next moment at which something starts, after all entries.
  func nextStart() { steps += 1 }

  /// A moment some minutes after the last start.
  func moment(minutes: Int = 0) -> Date {
    Date(timeIntervalSince1970: Double(Self.endSecond + steps * stepSeconds + minutes * 60))
  }

  /// Runs `track` on the store.
  func track(_ words: [String]) throws -> Output {
    try Output(
      ToolRun.tool("track"), words + ["--store", try store])
  }

  /// Runs timewarrior, the package of Debian.
  func timewarrior(_ words: [String]) throws -> Output {
    setenv("TIMEWARRIORDB", try folder + "/timewarrior", 1)
    return try Output("/usr/bin/timew", words)
  }

  /// Runs Watson, which `Tools/prepare benchmarks` installs in a virtual environment.
  func watson(_ words: [String]) throws -> Output {
    setenv("WATSON_DIR", try folder + "/watson", 1)
    let path = FileManager.default.currentDirectoryPath + "/.build/watson/bin/watson"
    return try Output(path, words)
  }

  /// Prints the balance of hledger, the package of Debian.
  func hledger() throws -> Output {
    try Output("/usr/bin/hledger", ["-f", try folder + "/entries.timeclock", "balance"])
  }

  /// Prints the balance of ledger, the package of Debian.
  func ledger() throws -> Output {
    try Output("/usr/bin/ledger", ["-f", try folder + "/entries.timeclock", "balance"])
  }

  /// The option of the user whose entries these are.
  let user = ["--user", "user0"]

  private func write() throws -> String {
    let folder = try scratch("trackers-\(count)-\(ObjectIdentifier(self).hashValue)")
    // All programs show times in the zone of the process.
    setenv("TZ", "UTC", 1)
    for name in ["timewarrior/data", "watson"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    let table = try TextFile("\(folder)/entries.csv")
    let frames = try TextFile("\(folder)/watson/frames")
    let clock = try TextFile("\(folder)/entries.timeclock")
    var month = (name: "", file: TextFile?.none)
    table.write("Start,End,Client,Project,Tags\n")
    frames.write("[")
    for number in 0..<count {
      let start = Self.endSecond - (count - number) * stepSeconds
      let end = start + Self.entrySeconds
      let (from, to) = (Stamp(start), Stamp(end))
      let (project, tag) = ("project\(number % 5)", "tag\(number % 7)")
      let client = "client\(number % 5 % 2)"
      table.write("\(from.table),\(to.table),\(client),\(project),\(tag)\n")
      clock.write("i \(from.clock) \(client):\(project)  \(tag)\no \(to.clock)\n")
      let id = String(number, radix: 16)
      let digits = String(repeating: "0", count: 32 - id.utf8.count) + id
      frames.write(number == 0 ? "" : ", ")
      frames.write("[\(start), \(end), \"\(project)\", \"\(digits)\", [\"\(tag)\"], \(end)]")
      if from.month != month.name {
        let path = "\(folder)/timewarrior/data/\(from.month).data"
        month = (from.month, try TextFile(path))
      }
      month.file?.write("inc \(from.compact) - \(to.compact) # \(project) \(tag)\n")
    }
    frames.write("]")
    let tags =
      (0..<5).map { "\"project\($0)\":{\"count\":1}" }
      + (0..<7).map { "\"tag\($0)\":{\"count\":1}" }
    try TextFile("\(folder)/timewarrior/data/tags.data").write("{\(tags.joined(separator: ","))}")
    try TextFile("\(folder)/timewarrior/timewarrior.cfg").write("")
    table.close()
    frames.close()
    clock.close()
    let columns = [
      "start=Start", "end=End", "client=Client", "project=Project", "tags=Tags",
    ]
    let imported = try Output(
      ToolRun.tool("track"),
      ["import", "\(folder)/entries.csv", "--store", "\(folder)/track"] + user
        + ["--date-format", "yyyy-MM-dd HH:mm", "--zone", "UTC"]
        + columns.flatMap { ["--column", $0] })
    guard imported.text.contains("\(count)") else { throw FiguresError(imported.text) }
    return folder
  }
}

/// A moment in the forms of the programs.
private struct Stamp {
  let table: String
  let compact: String
  let clock: String
  let month: String

  init(_ second: Int) {
    var time = time_t(second)
    var parts = tm()
    gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let year = "\(parts.tm_year + 1900)"
    let (day, hour, minute) = (two(parts.tm_mday), two(parts.tm_hour), two(parts.tm_min))
    let month = two(parts.tm_mon + 1)
    self.month = "\(year)-\(month)"
    table = "\(year)-\(month)-\(day) \(hour):\(minute)"
    clock = "\(year)/\(month)/\(day) \(hour):\(minute):\(two(parts.tm_sec))"
    compact = "\(year)\(month)\(day)T\(hour)\(minute)\(two(parts.tm_sec))Z"
  }
}

/// A file that is written in pieces.
private final class TextFile {
  private var file: UnsafeMutablePointer<FILE>?

  init(_ path: String) throws {
    file = fopen(path, "w")
    if file == nil { throw FiguresError("\(path) cannot be written") }
  }

  deinit { close() }

  func write(_ text: String) {
    if let file { fputs(text, file) }
  }

  func close() {
    if let file { fclose(file) }
    file = nil
  }
}

/// What a program printed, and how long it took from its start to its end.
struct Output {
  let nanoseconds: Int64
  let text: String

  /// Runs a program.
  init(_ path: String, _ words: [String]) throws {
    let file = NSTemporaryDirectory() + "/retrace-trackers-\(getpid())"
    defer { unlink(file) }
    let run = try ToolRun.run(path, words, output: file)
    text = try String(contentsOfFile: file, encoding: .utf8)
    nanoseconds = run.nanoseconds
    guard run.status == 0 else {
      throw FiguresError("\(path) \(words.joined(separator: " ")) ended with \(run.status)")
    }
  }

  /// Returns the process as one operation, after checking what it printed.
  ///
  /// - Parameters:
  ///   - part: What it has to have printed.
  ///   - checksum: What it found.
  func measured(printing part: String? = nil, checksum: Int = 0) throws -> Measured {
    if let part, !text.contains(part) {
      throw FiguresError("no \(part) was printed, but \(text.suffix(200))")
    }
    return Measured(nanoseconds: nanoseconds, operations: 1, checksum: UInt64(checksum))
  }

  /// The hours of the total at the end, as `1666.67h`.
  var totalHours: Double? {
    text.split { $0.isWhitespace }.last.flatMap { $0.hasSuffix("h") ? Double($0.dropLast()) : nil }
  }

  /// The seconds of the last total that was printed, as `1666:40:00` or `1666h 40m 00s`.
  var totalSeconds: Int? {
    let words = text.split { $0.isWhitespace }
    if let clock = words.last?.split(separator: ":").compactMap({ Int($0) }), clock.count == 3 {
      return (clock[0] * 60 + clock[1]) * 60 + clock[2]
    }
    let parts = words.suffix(3).compactMap { Int($0.dropLast()) }
    return parts.count == 3 ? (parts[0] * 60 + parts[1]) * 60 + parts[2] : nil
  }
}
