import RetraceAvro
import RetraceState
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Programs of the user that run after changes of entries.
///
/// They run when the changes are on disk and the store is closed. So a hook can use the store
/// itself, and cannot refuse a change.
enum Hooks {
  /// The longest time that a hook may take, in milliseconds.
  private static var timeoutMilliseconds: Int { 10_000 }
  /// The most changes of one command that hooks are told.
  private static var callsMax: Int { 100 }
  /// The variable that a hook gets, with its name as the value: a process with it runs no hooks.
  private static var variable: String { "RETRACE_HOOK" }

  /// What happened to an entry; the names are those of the files.
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

  private struct State {
    var calls: [Call] = []
    var skipped = 0
  }

  private static let state = Lock(State())

  /// The folder of the hooks; `nil` if there is none, or if a hook started this process.
  ///
  /// It is looked up once, and only by commands that change entries.
  private static let folder: String? = {
    guard ThisProcess.environment(variable)?.isEmpty ?? true,
      let folder = UserFolders.configuration.map({ "\($0)/hooks" }),
      (try? FileSystem.info(folder))?.isDirectory == true
    else { return nil }
    return folder
  }()

  /// Notes the changes of a command for ``run()``; does nothing if there is no folder of hooks.
  ///
  /// - Parameters:
  ///   - changes: The changes, which are on disk.
  ///   - domain: The entities before the command.
  ///   - moment: Until when a running entry counts.
  ///   - options: The options of the command.
  static func note(
    _ changes: EntryChanges, before domain: DomainState, at moment: Moment,
    _ options: TrackerOptions
  ) {
    guard folder != nil, let path = try? options.path() else { return }
    let store = (try? FileSystem.realPath(path)) ?? path
    func note(_ event: Event, _ id: TimeEntryID) {
      let known = state.withLock { state in
        if state.calls.count >= callsMax { state.skipped += 1 }
        return state.calls.count
      }
      guard known < callsMax else { return }
      let after = EntryText.json(of: id, in: changes.state, at: moment)
      var members: [JSONValue.Member] = [
        .init("event", .string(event.rawValue)), .init("store", .string(store)),
        .init("sequence", .integer(Int64(changes.sequence))),
      ]
      if event == .edit {
        let before = EntryText.json(of: id, in: domain, at: moment)
        members += [.init("before", before), .init("after", after)]
      } else {
        members.append(.init("entry", after))
      }
      state.withLock { $0.calls.append(Call(event: event, input: .object(members))) }
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
  /// A hook that fails is reported in one line on standard error. The output of hooks goes there
  /// too.
  static func run() {
    let noted = state.withLock { state in
      defer { state = State() }
      return state
    }
    guard !noted.calls.isEmpty, let folder else { return }
    Output.flush()
    for call in noted.calls {
      let path = "\(folder)/\(call.event.rawValue)"
      guard let info = try? FileSystem.info(path) else { continue }
      guard info.isRegular, info.mode & 0o111 != 0 else {
        report(call.event, "is no executable file", path)
        continue
      }
      if let failure = failure(of: call, path) { report(call.event, failure, path) }
    }
    if noted.skipped > 0 {
      Output.printError(
        "track: Hooks were told the first \(callsMax) changes, and not \(noted.skipped) more.")
    }
  }

  private static func report(_ event: Event, _ failure: String, _ path: String) {
    Output.printError("track: The hook \(event.rawValue) \(failure): \(path)")
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
