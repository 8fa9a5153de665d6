import Foundation

/// A process from its start to its end.
public struct ToolRun: Sendable {
  /// Wall time, in nanoseconds.
  public var nanoseconds: Int64
  /// User processor time, in nanoseconds.
  public var userNanoseconds: Int64
  /// The peak memory, in bytes.
  public var residentBytes: Int
  /// The exit status, or 128 plus the number of the signal that ended it.
  public var status: Int32

  /// Runs a program and waits for its end.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - arguments: Its arguments.
  ///   - output: The file for its standard output; without one the output is discarded.
  /// - Throws: ``FiguresError`` if it cannot be started.
  public static func run(
    _ path: String, _ arguments: [String], output: String = "/dev/null"
  ) throws -> ToolRun {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    let start = FiguresClock.wall.now
    let failure = posix_spawn(&process, path, &actions, nil, words, environ)
    guard failure == 0 else { throw FiguresError("\(path) cannot be started: error \(failure)") }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw FiguresError("\(path): wait4 failed: \(errno)") }
    }
    let signal = status & 0x7f
    return ToolRun(
      nanoseconds: FiguresClock.wall.now - start,
      userNanoseconds: Int64(usage.ru_utime.tv_sec) * 1_000_000_000
        + Int64(usage.ru_utime.tv_usec) * 1_000,
      residentBytes: Int(usage.ru_maxrss) * 1024,
      status: signal == 0 ? (status >> 8) & 0xff : 128 + signal)
  }

  /// Returns the path of a release tool that `Benchmarks/run` built.
  public static func tool(_ name: String) throws -> String {
    let variable = "RETRACE_FIGURES_TOOLS"
    guard let folder = ProcessInfo.processInfo.environment[variable] else {
      throw FiguresError("\(variable) does not name the folder that Tools/build printed")
    }
    return folder + "/" + name
  }
}
