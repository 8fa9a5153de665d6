package import RetraceSystem

/// The standard streams that a command reads and writes.
package struct StandardStreams: Sendable {
  package enum Stream: Int32, Hashable, Sendable {
    case output = 1
    case error = 2
  }

  package var input: Int32 = 0
  /// Receives what is written to a stream.
  package typealias Write = @Sendable ([UInt8], Stream) throws(Failure) -> Void
  package typealias Failure = SystemError
  let write: Write
  private let areOfProcess: Bool

  package static let process = StandardStreams(areOfProcess: true) {
    (bytes, stream) throws(SystemError) in
    try Console.write(bytes, to: stream == .output ? .standardOutput : .standardError)
  }

  /// Creates streams that are no terminals.
  ///
  /// - Parameters:
  ///   - input: The descriptor to read from.
  ///   - write: Receives what is written.
  package init(
    input: Int32, write: @escaping Write
  ) {
    self.init(areOfProcess: false, write)
    self.input = input
  }

  private init(
    areOfProcess: Bool,
    _ write: @escaping Write
  ) {
    self.areOfProcess = areOfProcess
    self.write = write
  }

  package var isInputTerminal: Bool { areOfProcess && Terminal.isTerminal(0) }

  package func isTerminal(_ stream: Stream) -> Bool {
    areOfProcess && Terminal.isTerminal(stream.rawValue)
  }

  /// Returns the size of a terminal in characters; `nil` if it is unknown, or if the stream is no
  /// terminal.
  package func size(of stream: Stream) -> (columns: Int, rows: Int)? {
    isTerminal(stream) ? Terminal.size(stream.rawValue) : nil
  }

  /// Whether a question can be asked: the input and the stream of messages are terminals.
  package var canAsk: Bool { isInputTerminal && isTerminal(.error) }

  /// Reads the answer to a question from the terminal; `nil` at the end of the input.
  ///
  /// - Parameter bytesMax: The most bytes of an answer.
  package func readAnswer(bytesMax: Int = 100) -> String? {
    (try? Console.readLine(limitBytes: bytesMax)).flatMap { $0 }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
