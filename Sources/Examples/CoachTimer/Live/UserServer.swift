package import CoachTimer
package import Foundation
import FoundationNetworking

/// The server of users: `users-1.json` and the pages after it, each an array.
package struct UserServer: Sendable {
  /// Why a page was not fetched.
  package enum Problem: Error, Equatable, CustomStringConvertible {
    /// The server answered with this status.
    case status(Int)
    /// The page has more bytes than are read.
    case tooLarge
    /// The page is not an array of users.
    case notUsers
    /// There was no answer; the code is a code of `URLError`.
    case noAnswer(code: Int)

    /// The problem as a sentence.
    package var description: String {
      switch self {
      case .status(let status): "The server answered with status \(status)."
      case .tooLarge: "The page has more than \(UserServer.bytesMax) bytes."
      case .notUsers: "The page has no users."
      case .noAnswer(let code): "The server did not answer (\(code))."
      }
    }
  }

  // An action has at most 1 MiB, and a state one page after the other.
  static let bytesMax = 1 << 18

  private let address: URL
  private let session: URLSession

  /// Names the server by the address of the folder of its pages.
  package init(at address: URL) {
    self.address = address
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 10
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
  }

  /// Returns the users of a page, counted from 1; none if there is no such page.
  package func users(onPage page: Int64) async throws(Problem) -> [User] {
    let (data, status) = try await answer(to: address.appending(path: "users-\(page).json"))
    if status == 404 { return [] }
    guard status == 200 else { throw .status(status) }
    guard data.count <= Self.bytesMax else { throw .tooLarge }
    guard let users = try? JSONDecoder().decode([User].self, from: data) else { throw .notUsers }
    return users
  }

  private func answer(to address: URL) async throws(Problem) -> (Data, Int) {
    do {
      let (data, response) = try await session.data(from: address)
      return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    } catch {
      // Its text has the milliseconds that passed.
      throw .noAnswer(code: (error as? URLError)?.errorCode ?? 0)
    }
  }
}
