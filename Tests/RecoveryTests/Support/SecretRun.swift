import Foundation
import RetraceAvro
import RetraceSystem
import Testing
import ToolTestSupport

/// Records 24 bytes in the test app, makes its reducer trap, and collects every byte that is
/// visible from outside.
///
/// As a secret the bytes are sealed at the edge and only their surrogate goes into actions. The
/// control run puts them into plain fields instead, in every form, which is what the search for the
/// secret has to find.
struct SecretRun {
  enum Mode { case secret, control }

  let plain: [UInt8]
  let mode: Mode
  let store: String
  /// The collected bytes by their origin.
  private(set) var places: [String: [UInt8]] = [:]

  /// The settings of the backtrace of a crash: only the message, the default, and everything.
  static let backtraces: [String: String] = {
    let on =
      "enable=yes,interactive=no,color=no" + (backtracer.map { ",swift-backtrace=\($0)" } ?? "")
    return [
      "off": "enable=no", "on": on,
      "whole": on + ",threads=all,registers=all,images=all,symbolicate=off",
    ]
  }()

  /// The toolchain's program that prints backtraces; one linked statically does not find it.
  private static var backtracer: String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { folder in
      URL(fileURLWithPath: "\(folder)/swift").resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("libexec/swift/linux/swift-backtrace-static").path
    }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  init(_ plain: [UInt8], _ mode: Mode, in folder: String) throws {
    self.plain = plain
    self.mode = mode
    store = "\(folder)/store"
    try record()
    for (name, setting) in Self.backtraces.sorted(by: { $0.key < $1.key }) {
      // What is planted is not in the names of functions, whose search takes a second.
      let isQuick = mode == .control && setting.hasPrefix("enable=yes")
      try trap("backtrace \(name)", setting + (isQuick ? ",symbolicate=off" : ""))
    }
    try reopen()
    try show(exportingTo: "\(folder)/export.avro")
  }

  // MARK: What is recorded

  private var hex: String { LeakSearch.text(of: plain, in: .hex) ?? "" }

  /// The plain bytes as texts, in every form.
  private var texts: String {
    LeakForm.allCases.flatMap { form in
      (0..<(form == .base64 || form == .base64URL ? 3 : 1)).compactMap {
        LeakSearch.text(of: plain, in: form, alignment: $0)
      }
    }.joined(separator: " ")
  }

  /// The lines of a batch that carries the bytes, between or before other actions.
  private func batch(_ label: String) -> [String] {
    mode == .secret
      ? ["batch 2", "note beside", "secret \(label)", hex]
      : ["batch 3", "note beside", "bytes", hex, "note \(texts)"]
  }

  private mutating func record() throws {
    let sender = try SenderProcess(store)
    for label in ["first", "second"] { try send(batch(label), to: sender) }
    if mode == .secret {
      // The plain bytes are in the process, and found by their surrogate.
      var hasher = SHA256Hasher()
      hasher.update(plain.span)
      #expect(try sender.ask("reveal second") == "revealed \(hasher.digest().hex)")
    }
    // The commit stands still, so that the living process can be looked at.
    #expect(try sender.ask("hold reducing(0)") == "armed")
    #expect(try last(batch("held"), of: sender) == "holding reducing(0)")
    try collectStore("held")
    for name in ["cmdline", "environ"] {
      let file = URL(fileURLWithPath: "/proc/\(sender.process.pid)/\(name)")
      places["process \(name)"] = [UInt8](try Data(contentsOf: file))
    }
    #expect(try sender.ask("go on").hasPrefix("ok "))
    collect(sender.process.finish(), "send")
    try collectStore("closed")
  }

  /// Opens the store and sends what traps the reducer.
  private mutating func trap(_ name: String, _ backtrace: String) throws {
    let sender = try SenderProcess(store, environment: ["SWIFT_BACKTRACE": backtrace])
    try send(batch(name), to: sender)
    let result =
      mode == .secret
      ? try sender.trap("batch 2", "note beside", "secret-trap \(name)", hex)
      : try sender.trap("batch 2", "bytes", hex, "trap \(texts)")
    #expect(result.errors.contains("Fatal error: the reducer was made to trap by"))
    #expect(result.errors.contains("Program crashed") == backtrace.hasPrefix("enable=yes"))
    collect(result, name)
    try collectStore(name)
    #expect(places.keys.contains { $0.hasPrefix("\(name) store/open.") })
  }

  private mutating func reopen() throws {
    let sender = try SenderProcess(store)
    #expect(sender.recovered.count == 1)
    if mode == .secret { #expect(try sender.ask("reveal second") == "revealed unavailable") }
    try send(["note after"], to: sender)
    collect(sender.process.finish(), "reopened")
    try collectStore("reopened")
  }

  // MARK: What is looked at

  private mutating func show(exportingTo export: String) throws {
    let names = ["sessions", "show", "state", "route", "screen", "verify"]
    let replays = names.map { ("testapp", [$0]) }
    let audits = [["verify"], ["list"], ["list", "--kind", "crashed"]].map { ("audit", $0) }
    for (tool, command) in replays + audits {
      for options in [[], ["--json"]] {
        let result = try run(tool, command + ["--store", store] + options)
        #expect(result.status == 0 && !result.output.isEmpty, "\(command): \(result.errors)")
        collect(result, ([tool] + command + options).joined(separator: " "))
      }
    }
    collect(try run("audit", ["export", "--output", export, "--store", store]), "audit export")
    places["export"] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: export)))
    // Error messages repeat the arguments, never what is recorded.
    collect(
      try run("testapp", ["state", "--at", "999", "--store", store]), "testapp state, refused")
  }

  private mutating func collect(_ result: ToolResult, _ name: String) {
    places["\(name) output"] = [UInt8](result.outputBytes)
    places["\(name) errors"] = [UInt8](result.errorBytes)
  }

  private mutating func collectStore(_ name: String) throws {
    for (file, data) in try filesInTree(store) {
      places["\(name) store/\(file)"] = [UInt8](data)
    }
  }

  private func send(_ lines: [String], to sender: SenderProcess) throws {
    let answer = try last(lines, of: sender)
    #expect(answer.hasPrefix("ok "), "\(answer)")
  }

  private func last(_ lines: [String], of sender: SenderProcess) throws -> String {
    for line in lines.dropLast() { sender.process.send(line) }
    return try sender.ask(lines[lines.count - 1])
  }
}
