/// A change of what a disk holds, or a barrier between changes.
struct DiskChange {
  /// The number of a file or a directory, whatever its name.
  typealias Node = Int

  /// A name in a directory that now stands for a node, or for nothing.
  struct Name {
    let directory: Node
    let name: String
    let node: Node?
  }

  enum Action {
    /// Names change together: both of a rename, or none.
    case names([Name])
    /// Bytes of the recording go to a position; durable when the call returns, or after a barrier.
    case write(Node, at: Int, data: Range<Int>, isDurable: Bool)
    case resize(Node, to: Int)
    /// What was changed in the file, or in the directory, is durable.
    case sync(Node)
    /// A program printed something, by which it acknowledges.
    case output(step: Int, text: String)
  }

  var action: Action
  /// The path that was changed, without the root, for which it is empty; where a rename leads to.
  var path: String
}

extension DiskChange: CustomStringConvertible {
  var description: String {
    switch action {
    case .names(let names): "\(names.count) names, \(path)"
    case .write(_, let offset, let data, let isDurable):
      "write of \(data.count) at \(offset)\(isDurable ? " and sync" : ""), \(path)"
    case .resize(_, let size): "resize to \(size), \(path)"
    case .sync: "sync, \(path)"
    case .output(_, let text): "output \(text.split(separator: "\n").joined(separator: ", "))"
    }
  }
}
