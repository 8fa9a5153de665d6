import Foundation
import RetraceScreen
import RetraceSystem
import TerminalUI
import ToolTestSupport

/// What was written while a terminal had a size, up to a moment at which a test looks at it.
struct RecordedPart: Codable {
  var columns: Int
  var rows: Int
  var bytes: Data

  var size: Screen.Size { Screen.Size(columns: columns, rows: rows) }
}

/// Plays sessions by ``TerminalSession`` on a real pseudo-terminal.
///
/// The process becomes the leader of a session on that terminal, and the terminal its standard
/// input and output. So a test does this in a process of its own.
struct PlayRecorder: ~Copyable {
  private let terminal: PseudoTerminal
  private let program: OpenFile
  private let parts = WrittenParts()
  private let reader = WorkerThread(name: "reader")
  private var size = Screen.Size(columns: 80, rows: 24)

  init() throws {
    setsid()
    // What started the tests may ignore signals. The end of the terminal ends no process.
    for number in [SIGTSTP, SIGCONT, SIGWINCH] { _ = signal(number, SIG_DFL) }
    _ = signal(SIGHUP, SIG_IGN)
    let terminal = try PseudoTerminal.open(columns: 80, rows: 24)
    let program = try OpenFile.open(terminal.path, [.read, .write])
    // It becomes the terminal of this session.
    _ = ioctl(program.descriptor, UInt(TIOCSCTTY), 0)
    for descriptor: Int32 in [0, 1] { dup2(program.descriptor, descriptor) }
    var signals = sigset_t()
    // Unsafe: C uses a local variable. The threads of a task pool block signals.
    unsafe sigfillset(&signals)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    let descriptor = terminal.controller.descriptor
    self.terminal = terminal
    self.program = program
    reader.submit { [parts] in parts.read(descriptor) }
  }

  // Ends the reader.
  deinit { try? program.append([1].span) }

  /// Plays a session, and returns what was written.
  ///
  /// The parts are: what a shell shows, the first screen, the modes that are switched on after the
  /// answers, a part for each further screen and each stop, what copying a text writes, and what
  /// the end of the session writes.
  ///
  /// - Parameters:
  ///   - play: The session.
  ///   - peer: The terminal that answers; `nil` for one that does not.
  mutating func record(_ play: TerminalPlay, for peer: TerminalPeer?) throws -> [RecordedPart] {
    try resize(to: play.size)
    var recorded = [try shell("$ app\n")]
    var session = try TerminalSession(
      palette: play.palette, extensions: .assumed(term: "xterm-256color"),
      queries: TerminalQueries(term: "xterm-256color"),
      answerMilliseconds: peer == nil ? 0 : 86_400_000)
    for step in play.steps {
      switch step {
      case .show(let screen):
        try session.show(screen)
        recorded.append(part())
        guard recorded.count == 2 else { continue }
        if let peer { try type(peer.answers) }
        while true { if case .features = try session.next() { break } }
        recorded.append(part())
      case .resize(let size):
        if peer?.reportsSize == true {
          try type("\u{1B}[48;\(size.rows);\(size.columns);0;0t")
          try wait(for: .resized, in: &session)
        }
        try resize(to: size)
        try wait(for: .resized, in: &session)
      case .suspend(let size):
        // The process leads its session, so the system lets it go on at once; the terminal is the
        // shell's until the session is asked for the next event.
        raise(SIGTSTP)
        recorded.append(try shell("$ fg\n"))
        try resize(to: size)
        try wait(for: .resumed, in: &session)
        try wait(for: .resized, in: &session)
      }
    }
    _ = try session.copy("copied")
    recorded.append(part())
    _ = consume session
    recorded.append(part())
    return recorded
  }

  private mutating func resize(to size: Screen.Size) throws {
    try terminal.resize(columns: size.columns, rows: size.rows)
    self.size = size
  }

  /// Waits for an event, and ignores others.
  private func wait(
    for event: TerminalSession.Event, in session: inout TerminalSession
  ) throws {
    while try session.next() != event {}
  }

  /// Sends what a terminal or a user types.
  private func type(_ text: String) throws {
    try terminal.controller.append(Array(text.utf8).span)
  }

  private func shell(_ text: String) throws -> RecordedPart {
    try program.append(Array(text.utf8).span)
    return part()
  }

  /// Returns what was written since the last part; no program writes a null.
  private func part() -> RecordedPart {
    try? program.append([0].span)
    let bytes = parts.next()
    return RecordedPart(columns: size.columns, rows: size.rows, bytes: Data(bytes))
  }
}

/// What was written to a terminal, in parts that nulls end.
private final class WrittenParts: Sendable {
  private let parts = Lock<[[UInt8]]>([])
  private let isComplete = Semaphore()

  func next() -> [UInt8] {
    isComplete.wait()
    return parts.withLock { $0.removeFirst() }
  }

  /// Reads what is written, up to a byte of 1.
  func read(_ descriptor: Int32) {
    var part: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      // Unsafe: C writes to the array during the call only.
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return }
      for byte in buffer[..<count] {
        if byte == 1 { return }
        if byte != 0 {
          part.append(byte)
          continue
        }
        parts.withLock { $0.append(part) }
        part = []
        isComplete.signal()
      }
    }
  }
}
