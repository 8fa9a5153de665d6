package import Retrace
import RetraceSystem
package import TimeTracking

/// Programs of the user that run after changes of entries.
///
/// They run when the changes are on disk. So a hook can use the store itself, and cannot refuse a
/// change.
package struct Hooks: Sendable {
  /// The longest time that a hook may take, in milliseconds.
  private static var timeoutMilliseconds: Int { 10_000 }
  /// The most changes of one command that hooks are told.
  private static var callsMax: Int { 100 }
  /// The most bytes of a hook's output that are kept.
  private static var outputBytesMax: Int { 400 }
  /// The variable that has the name of the hook.
  ///
  /// A process with this variable runs no hooks.
  package static var variable: String { "RETRACE_HOOK" }

  /// The event of an entry, with the name of its hook's file.
  private enum Event: String {
    case start = "on-start"
    case stop = "on-stop"
    case edit = "on-edit"
  }

  /// A hook that is to run.
  private struct Call {
    var event: Event
    var input: JSONValue
  }

  /// What became of hooks.
  package struct Report: Hashable, Sendable {
    /// A sentence for each way in which a hook failed, with how often it did.
    package var failures: [String] = []
    /// What the hooks printed, unless it went to standard error.
    package var output = ""
  }

  private var calls: [Call] = []
  private var skipped = 0

  /// Creates hooks without a change.
  package init() {}

  /// Whether changes were noted, so that the folder of the hooks is needed.
  package var hasCalls: Bool { !calls.isEmpty }

  /// Notes the changes of a command for ``run(in:keepsOutput:)``.
  ///
  /// - Parameters:
  ///   - changes: The changes, which are on disk.
  ///   - domain: The entities before the command.
  ///   - path: The directory of the store.
  ///   - describe: Returns an entry of some entities as hooks read it.
  package mutating func note(
    _ changes: EntryChanges, before domain: DomainState, store path: String,
    _ describe: (TimeEntryID, DomainState) -> JSONValue
  ) {
    let store = (try? FileSystem.realPath(path)) ?? path
    func note(_ event: Event, _ id: TimeEntryID) {
      guard calls.count < Self.callsMax else { return skipped += 1 }
      let after = describe(id, changes.state)
      var members: [JSONValue.Member] = [
        .init("event", .string(event.rawValue)), .init("store", .string(store)),
        .init("sequence", .integer(Int64(changes.sequence))),
      ]
      if event == .edit {
        let before = describe(id, domain)
        members += [.init("before", before), .init("after", after)]
      } else {
        members.append(.init("entry", after))
      }
      calls.append(Call(event: event, input: .object(members)))
    }
    for id in changes.stopped { note(.stop, id) }
    for id in changes.changed { note(.edit, id) }
    for id in changes.inserted {
      let isRunning = changes.state.timeEntries[id]?.isRunning ?? false
      note(isRunning ? .start : .edit, id)
    }
  }

  /// Runs the hooks of the changes that were noted, in order, and waits for them.
  ///
  /// - Parameters:
  ///   - folder: The folder of the hooks.
  ///   - keepsOutput: Whether the report has the output of the hooks, which else goes to standard
  ///     error.
  package mutating func run(in folder: String, keepsOutput: Bool) -> Report {
    let noted = self
    self = Hooks()
    var report = Report()
    var failures: [(event: Event, failure: String, count: Int)] = []
    for call in noted.calls {
      let path = "\(folder)/\(call.event.rawValue)"
      guard let info = try? FileSystem.info(path) else { continue }
      let isProgram = info.isRegular && info.mode & 0o111 != 0
      let failure =
        isProgram
        ? keepsOutput
          ? Self.failure(of: call, path, keeping: &report.output) : Self.failure(of: call, path)
        : "is no executable file"
      guard let failure else { continue }
      let known = failures.firstIndex { $0.event == call.event && $0.failure == failure }
      if let known {
        failures[known].count += 1
      } else {
        failures.append((call.event, failure, 1))
      }
    }
    for (event, failure, count) in failures {
      let times = count > 1 ? ", \(count) times" : ""
      let path = "\(folder)/\(event.rawValue)"
      report.failures.append("The hook \(event.rawValue) \(failure)\(times): \(path)")
    }
    if noted.skipped > 0 {
      report.failures.append(
        "Hooks were told the first \(Self.callsMax) changes, and not \(noted.skipped) more.")
    }
    return report
  }

  /// Runs a hook, and returns how it failed; `nil` if it did not.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - path: The program.
  ///   - output: The file for both outputs of the program; `nil` for standard error.
  private static func failure(of call: Call, _ path: String, into output: String? = nil) -> String?
  {
    var options = ChildProcess.Options()
    (options.output, options.error) = (.descriptor(2), .inherit)
    if let output { (options.output, options.error) = (.file("\(output)/1"), .file("\(output)/2")) }
    options.ownGroup = true
    options.variables = [variable: call.event.rawValue]
    do throws(SystemError) {
      let child = try ChildProcess.spawn(program: path, options: options)
      let input = Array((call.input.text() + "\n").utf8)
      switch try child.finish(input, timeoutMilliseconds: timeoutMilliseconds) {
      case .exited(0): return nil
      case .exited(let code): return "failed with exit code \(code)"
      case .signalled(let signal): return "was ended by signal \(signal)"
      case nil:
        child.killGroup()
        return "was ended after \(timeoutMilliseconds / 1_000) seconds"
      }
    } catch {
      return "was not run, \(error)"
    }
  }

  /// Runs a hook as ``failure(of:_:into:)`` does, and appends what it printed to a text.
  private static func failure(of call: Call, _ path: String, keeping text: inout String) -> String?
  {
    guard let folder = try? FileSystem.makeTemporaryDirectory("retrace-hook-") else {
      return "was not run, because there is no room for its output"
    }
    defer { try? FileSystem.removeTree(folder) }
    let failure = failure(of: call, path, into: folder)
    for name in ["1", "2"] where text.utf8.count < outputBytesMax {
      let path = "\(folder)/\(name)"
      guard let bytes = try? OpenFile.open(path, [.read]).read(at: 0, count: outputBytesMax)
      else { continue }
      let printed = String(decoding: bytes, as: UTF8.self)
      text += printed
      if !printed.isEmpty, printed.last != "\n" { text += "\n" }
    }
    return failure
  }
}
