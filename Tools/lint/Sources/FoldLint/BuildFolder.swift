internal import Foundation

/// The object files of a debug build, as Swift's package manager leaves them.
struct BuildFolder {
  struct Module {
    var name: String
    /// The object file of each source file.
    var objects: [(source: String, object: String)]
  }

  let path: String
  let modules: [Module]

  /// Finds the modules that were built.
  init(path: String) throws(LintFailure) {
    self.path = path
    let files = FileManager.default
    guard let names = try? files.contentsOfDirectory(atPath: path) else {
      throw LintFailure(
        what: "cannot read the build folder \(path)", why: "there is no such folder",
        remedy: "build first: swift build", code: 66)
    }
    var modules: [Module] = []
    for name in names.sorted() where name.hasSuffix(".build") {
      let module = String(name.dropLast(6))
      // Code for plugins runs on the host.
      if module.hasSuffix("-tool") { continue }
      guard let data = files.contents(atPath: "\(path)/\(name)/output-file-map.json"),
        let map = try? JSONSerialization.jsonObject(with: data) as? [String: [String: String]]
      else { continue }
      let objects = map.compactMap { source, outputs in
        outputs["object"].map { (source: source, object: $0) }
      }
      modules.append(Module(name: module, objects: objects.sorted { $0.source < $1.source }))
    }
    self.modules = modules
  }

  func module(_ name: String) throws(LintFailure) -> Module {
    guard let module = modules.first(where: { $0.name == name }) else {
      throw LintFailure(
        what: "cannot find the module \(name)", why: "\(path) has no \(name).build",
        remedy: "build it first: swift build --target \(name)", code: 66)
    }
    return module
  }
}

/// An error with what failed, why, what to do, and the exit code.
struct LintFailure: Error {
  var what: String
  var why: String
  var remedy: String
  var code: Int32
}
