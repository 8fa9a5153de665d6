import Retrace
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// A checker of bundles, one after the other, in a child process.
///
/// The child goes on to the next bundle, so that its start is paid once. If a reducer ends it, or
/// if it takes too long, another one takes its place, and no other bundle is affected. A bundle
/// whose reducer crashes is folded a second time by a child that notes each record, so that the
/// record is known.
final class BundleWorker {
  private let notes: ReaderNotes
  private let timeoutSeconds: Int
  private var child: ChildProcess?

  /// Creates a worker, whose child starts with the first bundle.
  ///
  /// - Parameter timeoutSeconds: The longest time for one bundle.
  /// - Throws: A failure if no temporary directory can be made.
  init(timeoutSeconds: Int) throws(ToolFailure) {
    notes = try ReaderNotes()
    self.timeoutSeconds = timeoutSeconds
  }

  /// The flag that makes `worker` check in its own process.
  static var flag: String { ChildProcessReader.flag }

  /// Checks a bundle, and compares the finding with what is declared beside it.
  ///
  /// - Parameters:
  ///   - path: The path of the bundle.
  ///   - wantsRoutes: Whether the routes are read even if they are not declared.
  /// - Complexity: O(records); three times that after a crash.
  func check(_ path: String, wantsRoutes: Bool = false) -> BundleResult {
    let start = MonotonicClock.nanoseconds()
    var declaration: BundleDeclaration?
    var answer: BundleAnswer
    do throws(BundleDeclaration.Unreadable) {
      declaration = try BundleDeclaration.read(of: path)
      answer = self.answer(
        BundleRequest(path: path, wantsRoutes: wantsRoutes || declaration?.routes != nil))
    } catch {
      answer = .unread(
        "\(error)", advice: "Correct the file, or remove it if the bundle replays as recorded.")
    }
    let nanoseconds = MonotonicClock.nanoseconds() - start
    return BundleResult(
      path, answer, declared: declaration, milliseconds: Double(nanoseconds) / 1e6)
  }

  /// Ends the child.
  func end() {
    child?.closeInput()
    _ = try? child?.wait(timeoutMilliseconds: 5_000)
    child = nil
  }

  /// The reason why a child gave no answer.
  private enum Silence: Error {
    case signal(StoreError)
    case other(String)
  }

  private func answer(_ request: BundleRequest) -> BundleAnswer {
    var ended: [Int32] = []
    defer { for process in ended { notes.forget(process) } }
    var last = Silence.other("")
    // The first crash tells no record, and a signal from outside says nothing about the bundle.
    for _ in 1...2 {
      do throws(Silence) {
        return try ask(request, noting: &ended)
      } catch {
        last = error
        guard case .signal(let reason) = error, case .storageFailed = reason.code else { break }
      }
    }
    switch last {
    case .signal(let error): return Self.answer(error, of: request.path)
    case .other(let why):
      return .unread(why, advice: "Run `\(ToolProcess.replay) verify --decide` on it.")
    }
  }

  /// Returns the answer for a bundle that ended its child.
  private static func answer(_ error: StoreError, of path: String) -> BundleAnswer {
    var answer = BundleAnswer(error)
    try? StoreLocation.withLog(at: path) { storage throws(ToolFailure) in
      answer.details = try orFail(try BundleDetails.members(of: storage))
      guard case .reducerTrapped(let sequence) = error.code else { return }
      answer.details += [
        .init("kind", "crash"), .init("name", BundleDetails.name(of: sequence, in: storage)),
      ]
    }
    return answer
  }

  private func ask(
    _ request: BundleRequest, noting ended: inout [Int32]
  ) throws(Silence) -> BundleAnswer {
    let child: ChildProcess
    var line: String?
    do throws(SystemError) {
      child = try running()
    } catch {
      throw .other("The process that checks it did not start: \(error).")
    }
    do throws(SystemError) {
      // The child may have ended, which its output tells.
      try? child.write(request.json.text() + "\n")
      line = try child.readLine(timeoutMilliseconds: timeoutSeconds * 1_000)
    } catch {
      self.child = nil
      child.kill()
      _ = try? child.wait()
      ended.append(child.identifier)
      throw .other(
        error.code == .tryAgain
          ? "It was not checked within \(timeoutSeconds) seconds." : "\(error).")
    }
    if let line, let answer = (try? JSONValue(parsing: line)).flatMap(BundleAnswer.init) {
      return answer
    }
    self.child = nil
    guard line == nil else {
      // Its input is not closed: at the end of it, the child would remove the notes.
      child.kill()
      _ = try? child.wait()
      ended.append(child.identifier)
      throw .other("The process that checks it wrote a line that is no answer.")
    }
    child.closeInput()
    let exit = (try? child.wait(timeoutMilliseconds: 5_000)) ?? nil
    ended.append(child.identifier)
    guard case .signalled(let signal)? = exit else {
      throw .other("The process that checks it ended without an answer.")
    }
    throw .signal(
      ChildProcessReader.failure(
        of: child.identifier, by: signal, reading: request.path, noting: notes
      ).error)
  }

  private func running() throws(SystemError) -> ChildProcess {
    if let child { return child }
    var options = ChildProcess.Options()
    options.variables = notes.variables
    options.variables["SWIFT_BACKTRACE"] = "enable=no"
    options.error = .discard
    let started = try ChildProcess.spawn(
      "/proc/self/exe", ToolProcess.prefix + ["worker", "--\(Self.flag)"], options: options)
    child = started
    return started
  }
}

extension BundleAnswer {
  /// Returns the answer for a bundle that could not be checked.
  static func unread(_ why: String, advice: String) -> BundleAnswer {
    BundleAnswer(
      BundleFinding(.unread),
      ToolFailure(
        what: "The bundle was not checked.", why: why, advice: advice, exitCode: ToolExit.storage))
  }
}

/// A line of input of `worker`: the path of a bundle, or an object with it.
struct BundleRequest {
  var path: String
  /// Whether the routes after the last record are wanted.
  var wantsRoutes = false

  /// Creates a request.
  init(path: String, wantsRoutes: Bool) {
    self.path = path
    self.wantsRoutes = wantsRoutes
  }

  /// Parses a line; `nil` if it is neither.
  init?(line: [UInt8]) {
    let text = String(decoding: line, as: UTF8.self)
    path = text
    if text.hasPrefix("{") {
      guard let json = try? JSONValue(parsing: text), let named = json["path"]?.stringValue else {
        return nil
      }
      path = named
      wantsRoutes = json["routes"] == true
    }
    guard !path.isEmpty else { return nil }
  }

  /// The line as an object.
  var json: JSONValue { ["path": .string(path), "routes": .bool(wantsRoutes)] }
}
