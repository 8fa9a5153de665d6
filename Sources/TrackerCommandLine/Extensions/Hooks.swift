import Retrace
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Programs of the user that run after changes of entries.
///
/// They run when the changes are on disk and the store is closed. So a hook can use the store
/// itself, and cannot refuse a change.
struct Hooks {
  /// The longest time that a hook may take, in milliseconds.
  private static var timeoutMilliseconds: Int { 10_000 }
  /// The most changes of one command that hooks are told.
  private static var callsMax: Int { 100 }
  /// The variable that has the name of the hook.
  ///
  /// A process with this variable runs no hooks.
  private static var variable: String { "RETRACE_HOOK" }

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

  private var calls: [Call] = []
  private var skipped = 0

  /// Whether changes were noted, so that the folder of the hooks is needed.
  var hasCalls: Bool { !calls.isEmpty }

  /// Returns the folder of the hooks, if any; `nil` if a hook started this process.
  static func folder(in environment: Environment) -> String? {
    guard environment.text(variable) == nil,
      let folder = UserFolders(environment).configuration.map({ "\($0)/hooks" }),
      (try? FileSystem.info(folder))?.isDirectory == true
    else { return nil }
    return folder
  }

  /// Notes the changes of a command for ``run(in:_:)``.
  ///
  /// - Parameters:
  ///   - changes: The changes, which are on disk.
  ///   - domain: The entities before the command.
  ///   - moment: The end of running entries.
  ///   - path: The directory of the store.
  ///   - zones: The rules of zones.
  mutating func note(
    _ changes: EntryChanges, before domain: DomainState, at moment: Moment, store path: String,
    _ zones: ZoneRulesCache
  ) {
    let store = (try? FileSystem.realPath(path)) ?? path
    func json(of id: TimeEntryID, in domain: DomainState) -> JSONValue {
      EntryText.json(of: id, in: domain, at: moment, zones)
    }
    func note(_ event: Event, _ id: TimeEntryID) {
      guard calls.count < Self.callsMax else { return skipped += 1 }
      let after = json(of: id, in: changes.state)
      var members: [JSONValue.Member] = [
        .init("event", .string(event.rawValue)), .init("store", .string(store)),
        .init("sequence", .integer(Int64(changes.sequence))),
      ]
      if event == .edit {
        let before = json(of: id, in: domain)
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

  /// Runs the hooks of the changes that were noted, in order; call it when the store is closed.
  ///
  /// Each failure of a hook is reported in one line on standard error, with how often it failed so.
  /// The output of hooks goes there too.
  ///
  /// - Parameters:
  ///   - folder: The folder of the hooks.
  ///   - output: The output of the verbs, which is written first.
  mutating func run(in folder: String, _ output: Output) {
    let noted = self
    self = Hooks()
    guard !noted.calls.isEmpty else { return }
    output.flush()
    var failures: [(event: Event, failure: String, count: Int)] = []
    for call in noted.calls {
      let path = "\(folder)/\(call.event.rawValue)"
      guard let info = try? FileSystem.info(path) else { continue }
      let isProgram = info.isRegular && info.mode & 0o111 != 0
      let failure = isProgram ? Self.failure(of: call, path) : "is no executable file"
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
      output.printError("track: The hook \(event.rawValue) \(failure)\(times): \(path)")
    }
    if noted.skipped > 0 {
      output.printError(
        "track: Hooks were told the first \(Self.callsMax) changes, and not \(noted.skipped) more.")
    }
  }

  /// Runs a hook, and returns how it failed; `nil` if it did not.
  private static func failure(of call: Call, _ path: String) -> String? {
    var options = ChildProcess.Options()
    (options.output, options.error) = (.descriptor(2), .inherit)
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
}
