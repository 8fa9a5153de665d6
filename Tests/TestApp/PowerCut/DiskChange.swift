/// A change of files or names, a sync, or an output.
struct DiskChange {
  /// The number of a file or a directory, which stays the same when it is renamed.
  typealias Node = Int

  /// A name in a directory that is set to a node, or removed.
  struct Name {
    let directory: Node
    let name: String
    let node: Node?
  }

  enum Action {
    /// Names that change together, such as both of a rename.
    case names([Name])
    /// A write of bytes of the recording; whether it is durable when the call returns.
    case write(Node, at: Int, data: Range<Int>, isDurable: Bool)
    case resize(Node, to: Int)
    /// A sync of a file or of a directory.
    case sync(Node)
    /// Text on the standard output of a program.
    case output(step: Int, text: String)
  }

  var action: Action
  /// The path, relative to the root; of a rename the new one.
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
