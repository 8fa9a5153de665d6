import RetraceSystem

/// A program that shows long output a screen at a time.
package struct Pager: Sendable {
  /// The result of starting the program.
  enum Start {
    /// The program runs, and reads what is written to it.
    case running(ChildProcess)
    /// The output is printed as it is.
    case plain
  }

  package var command: String
  package var rows: Int
  /// The folders of programs, separated by colons.
  private let folders: String

  package init(command: String, rows: Int, in environment: Environment) {
    self.command = command
    self.rows = rows
    folders = environment["PATH"] ?? "/usr/bin:/bin"
  }

  /// Starts the program.
  ///
  /// - Returns: `.plain` if there is no such program.
  func start() -> Start {
    var options = ChildProcess.Options()
    (options.output, options.error) = (.inherit, .inherit)
    guard isInstalled,
      let child = try? ChildProcess.spawn("/bin/sh", ["-c", command], options: options)
    else { return .plain }
    // An interrupt from the keyboard is for the pager. This process ends after the pager.
    ThisProcess.ignoreInterrupts()
    return .running(child)
  }

  /// Returns whether a pager has ended without reading because the shell did not find it.
  static func wasMissing(_ exit: ChildProcess.Exit?) -> Bool {
    exit == .exited(127) || exit == .exited(126)
  }

  /// Whether the first word of the command is a program.
  ///
  /// The shell decides for a first word that has characters which no path has.
  private var isInstalled: Bool {
    guard let word = command.split(separator: " ").first.map(String.init) else { return false }
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
      default: "-_./+".utf8.contains(byte)
      }
    }
    guard isPlain, !word.utf8.contains(UInt8(ascii: "/")) else { return true }
    return folders.split(separator: ":").contains {
      (try? FileSystem.exists("\($0)/\(word)")) == true
    }
  }
}
