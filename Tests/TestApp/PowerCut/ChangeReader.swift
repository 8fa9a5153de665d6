/// Follows names and descriptors through the recorded calls, and translates calls into changes.
struct ChangeReader {
  private struct OpenFile {
    let node: DiskChange.Node
    let path: String
    let isDurable: Bool
  }

  /// Flags of opening, as Linux has them.
  private enum Flag {
    static let create = 0o100
    static let truncate = 0o1000
    static let dataSync = 0o10000
  }

  private let root: String
  private(set) var changes: [DiskChange] = []
  /// Whether each node is a directory; node 0 is the root.
  private(set) var isDirectory = [true]
  /// The names in each directory.
  private var entries: [DiskChange.Node: [String: DiskChange.Node]] = [0: [:]]
  private var sizes: [DiskChange.Node: Int] = [:]
  private var openFiles: [Int32: [Int32: OpenFile]] = [:]

  /// Reads a recording of what programs did below a directory.
  init(_ recording: Recording, below root: String) throws {
    self.root = root
    for call in recording.calls { try take(call) }
  }

  private mutating func take(_ call: RecordedCall) throws {
    switch call.kind {
    case .open: try open(call)
    case .close: openFiles[call.process]?[call.descriptor] = nil
    case .output: add(.output(step: call.step, text: call.path), "")
    case .rename: try rename(call)
    case .makeDirectory: try make(call.path, isDirectory: true)
    case .unlink, .removeDirectory:
      let (directory, name) = try place(call.path)
      set([DiskChange.Name(directory: directory, name: name, node: nil)], call.path)
    case .write, .truncate, .allocate, .sync:
      guard let file = openFiles[call.process]?[call.descriptor] else {
        throw LineError(line: "descriptor \(call.descriptor) of \(call.process)")
      }
      change(file, call)
    }
  }

  private mutating func change(_ file: OpenFile, _ call: RecordedCall) {
    let size = sizes[file.node, default: 0]
    switch call.kind {
    case .write:
      sizes[file.node] = max(size, call.offset + call.data.count)
      add(
        .write(file.node, at: call.offset, data: call.data, isDurable: file.isDurable), file.path)
    case .truncate: resize(file.node, to: call.offset, file.path)
    case .allocate: resize(file.node, to: max(size, call.offset), file.path)
    default: add(.sync(file.node), file.path)
    }
  }

  private mutating func resize(_ node: DiskChange.Node, to size: Int, _ path: String) {
    guard sizes[node, default: 0] != size else { return }
    sizes[node] = size
    add(.resize(node, to: size), path)
  }

  private mutating func open(_ call: RecordedCall) throws {
    let node: DiskChange.Node
    if let found = try find(call.path) {
      node = found
      if call.offset & Flag.truncate != 0 { resize(found, to: 0, call.path) }
    } else {
      guard call.offset & Flag.create != 0 else { throw LineError(line: call.path) }
      node = try make(call.path, isDirectory: false)
    }
    openFiles[call.process, default: [:]][call.descriptor] = OpenFile(
      node: node, path: call.path, isDurable: call.offset & Flag.dataSync != 0)
  }

  @discardableResult
  private mutating func make(_ path: String, isDirectory: Bool) throws -> DiskChange.Node {
    let (directory, name) = try place(path)
    let node = self.isDirectory.count
    self.isDirectory.append(isDirectory)
    if isDirectory { entries[node] = [:] }
    set([DiskChange.Name(directory: directory, name: name, node: node)], path)
    return node
  }

  private mutating func rename(_ call: RecordedCall) throws {
    let (fromDirectory, from) = try place(call.path)
    let (toDirectory, to) = try place(call.secondPath)
    guard let node = entries[fromDirectory]?[from] else { throw LineError(line: call.path) }
    set(
      [
        DiskChange.Name(directory: fromDirectory, name: from, node: nil),
        DiskChange.Name(directory: toDirectory, name: to, node: node),
      ], call.secondPath)
  }

  private mutating func set(_ names: [DiskChange.Name], _ path: String) {
    for name in names { entries[name.directory]?[name.name] = name.node }
    add(.names(names), path)
  }

  private mutating func add(_ action: DiskChange.Action, _ path: String) {
    changes.append(
      DiskChange(action: action, path: String(path.dropFirst(root.utf8.count + 1))))
  }

  /// The node of a path, if any.
  private func find(_ path: String) throws -> DiskChange.Node? {
    if path == root { return 0 }
    let (directory, name) = try place(path)
    return entries[directory]?[name]
  }

  /// The directory of a path, and the name in it.
  private func place(_ path: String) throws -> (directory: DiskChange.Node, name: String) {
    guard path.hasPrefix(root + "/") else { throw LineError(line: path) }
    let parts = path.dropFirst(root.utf8.count + 1).split(separator: "/").map(String.init)
    var directory = 0
    for part in parts.dropLast() {
      guard let next = entries[directory]?[part], isDirectory[next] else {
        throw LineError(line: path)
      }
      directory = next
    }
    guard let name = parts.last else { throw LineError(line: path) }
    return (directory, name)
  }
}
