import RetraceBundle
package import RetraceStorage

extension Output {
  /// Prints what the user who made a bundle says of it; nothing for a store, or without a message.
  package func printMessage(of storage: LogStorage) {
    guard let message = storage.bundle?.header.message, !message.isEmpty else { return }
    var label = "message         "
    for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
      printWrapped("\(label)\(line)", indent: label.utf8.count)
      label = String(repeating: " ", count: label.utf8.count)
    }
  }
}
