/// The content of a disk: durable bytes and names, and pending changes that a power cut can undo.
///
/// A sync of a file makes its bytes and its size durable, but not its name. A sync of a directory
/// makes the names in it durable, but not the files. Each pending change may reach the disk without
/// any other.
struct Disk {
  /// A change of a file after its last sync.
  enum Pending {
    case write(at: Int, data: Range<Int>)
    case resize(to: Int)
  }

  struct File {
    var durable: [UInt8] = []
    /// The number of changes of the durable bytes.
    var version = 0
    var pending: [Pending] = []
  }

  private let recording: [UInt8]
  private(set) var files: [DiskChange.Node: File] = [:]
  /// The durable names of each directory.
  private(set) var names: [DiskChange.Node: [String: DiskChange.Node]] = [0: [:]]
  /// Changes of names after the last sync of their directory, in order.
  private(set) var pendingNames: [[DiskChange.Name]] = []
  let isDirectory: [Bool]

  /// Starts with an empty root directory, which is durable.
  init(_ recording: [UInt8], isDirectory: [Bool]) {
    self.recording = recording
    self.isDirectory = isDirectory
  }

  /// Applies a change whose call has returned.
  mutating func perform(_ change: DiskChange) {
    begin(change)
    switch change.action {
    case .write(let node, let offset, let data, isDurable: true):
      // This write is durable, so what it overwrites cannot come back.
      files[node]?.pending.removeLast()
      files[node]?.exclude(offset..<offset + data.count)
      files[node]?.make(.write(at: offset, data: data), from: recording)
    case .sync(let node) where isDirectory[node]: synchronizeNames(in: node)
    case .sync(let node):
      let pending = files[node]?.pending ?? []
      files[node]?.pending = []
      for change in pending { files[node]?.make(change, from: recording) }
    default: break
    }
  }

  /// Applies a change whose call has not returned; a sync guarantees nothing before it returns.
  mutating func begin(_ change: DiskChange) {
    switch change.action {
    case .names(let names): pendingNames.append(names)
    case .write(let node, let offset, let data, _):
      files[node, default: File()].pending.append(.write(at: offset, data: data))
    case .resize(let node, let size):
      files[node, default: File()].pending.append(.resize(to: size))
    case .sync, .output: break
    }
  }

  /// Makes the names of a directory durable.
  ///
  /// A rename between two directories happens in both. So the earlier changes of the other
  /// directory become durable too.
  private mutating func synchronizeNames(in directory: DiskChange.Node) {
    var directories: Set = [directory]
    var durable: [[DiskChange.Name]] = []
    var left: [[DiskChange.Name]] = []
    for change in pendingNames.reversed() {
      if change.contains(where: { directories.contains($0.directory) }) {
        for name in change { directories.insert(name.directory) }
        durable.append(change)
      } else {
        left.append(change)
      }
    }
    pendingNames = left.reversed()
    for name in durable.reversed().joined() {
      names[name.directory, default: [:]][name.name] = name.node
    }
  }
}

extension Disk.File {
  /// Removes a range of bytes from the pending writes.
  fileprivate mutating func exclude(_ range: Range<Int>) {
    pending = pending.flatMap { change -> [Disk.Pending] in
      guard case .write(let offset, let data) = change,
        (offset..<offset + data.count).overlaps(range)
      else { return [change] }
      let before = max(0, range.lowerBound - offset)
      let after = min(data.count, max(0, range.upperBound - offset))
      let parts = [
        (offset, data.lowerBound..<data.lowerBound + before),
        (offset + after, data.lowerBound + after..<data.upperBound),
      ]
      return parts.filter { !$0.1.isEmpty }.map { .write(at: $0.0, data: $0.1) }
    }
  }

  /// Changes the durable bytes.
  fileprivate mutating func make(_ change: Disk.Pending, from recording: [UInt8]) {
    version += 1
    switch change {
    case .write(let offset, let data):
      resize(to: max(durable.count, offset + data.count))
      durable.replaceSubrange(offset..<offset + data.count, with: recording[data])
    case .resize(let size): resize(to: size)
    }
  }

  private mutating func resize(to size: Int) {
    if size < durable.count { durable.removeLast(durable.count - size) }
    if size > durable.count {
      durable.append(contentsOf: repeatElement(0, count: size - durable.count))
    }
  }
}
