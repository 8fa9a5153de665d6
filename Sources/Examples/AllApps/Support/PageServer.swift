import Foundation
import Testing
import ToolTestSupport

/// Python's HTTP server on a folder of pages, as a child process that ends with this value.
public final class PageServer {
  /// The address of the folder.
  public let address: URL
  private var tool: RunningTool?

  /// The folder of the server, with its pages of users.
  private static let users = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "CoachTimer/Server")

  /// Starts the server on a free port.
  ///
  /// - Parameter folder: The pages; by default those of the users of CoachTimer.
  public init(serving folder: URL? = nil) throws {
    let tool = try RunningTool(
      Self.users.appending(path: "serve").path, [(folder ?? Self.users).path])
    let port = try #require(tool.readLine().flatMap { Int($0) })
    address = try #require(URL(string: "http://127.0.0.1:\(port)"))
    self.tool = tool
  }

  /// Ends the server, so that its address gives no answer.
  public func stop() {
    _ = tool?.finish()
    tool = nil
  }

  deinit { stop() }
}
