package import Foundation
package import TrackerFeatures

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The accounts of a server, which the tracker can use instead of those on the machine.
///
///     GET  me                 with the address and the password as basic credentials
///     POST signup             {"email": …, "password": …}
///     POST me/lost_passwords  {"email": …}
///
/// An account is `{"email": …, "fullname": …, "api_token": …}`. A refused login has the status 403
/// and the number of tries that are left, in the header `X-Remaining-Login-Attempts`.
package struct AccountServer: Sendable {
  /// The header of the number of tries that are left.
  static let attemptsHeader = "X-Remaining-Login-Attempts"
  /// The most bytes of an answer; a longer one is a failure.
  static let bytesMax = 1 << 16

  private let address: URL
  private let session: URLSession

  /// Names the server by the address that the paths are relative to.
  package init(at address: URL) {
    self.address = address
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 10
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
  }

  /// The accounts, for the environment of the tracker.
  package var users: UserAPI {
    UserAPI(
      needsPassword: true,
      logIn: { (credentials) throws(AccountProblem) in try await logIn(credentials) },
      signUp: { (credentials) throws(AccountProblem) in try await signUp(credentials) },
      resetPassword: { (email) throws(AccountProblem) in try await resetPassword(email) })
  }

  private func logIn(
    _ credentials: AccountCredentials
  ) async throws(AccountProblem) -> Account {
    var request = URLRequest(url: address.appending(path: "me"))
    let pair = Data(Array("\(credentials.email):".utf8) + (credentials.password ?? []))
    request.setValue("Basic \(pair.base64EncodedString())", forHTTPHeaderField: "Authorization")
    let (data, response) = try await answer(to: request)
    switch response.statusCode {
    case 200: return try account(in: data)
    case 403:
      switch response.value(forHTTPHeaderField: Self.attemptsHeader) {
      case "0": throw .locked
      case "1": throw .oneMoreTry
      default: throw .wrongCredentials
      }
    default: throw .unknown
    }
  }

  private func signUp(
    _ credentials: AccountCredentials
  ) async throws(AccountProblem) -> Account {
    let password = String(decoding: credentials.password ?? [], as: UTF8.self)
    let (data, response) = try await post(
      ["email": credentials.email, "password": password], to: "signup")
    switch response.statusCode {
    case 200: return try account(in: data)
    case 400, 409: throw .emailUsed
    default: throw .unknown
    }
  }

  private func resetPassword(_ email: String) async throws(AccountProblem) {
    let (data, response) = try await post(["email": email], to: "me/lost_passwords")
    switch response.statusCode {
    case 200: return
    case 400: throw .unknownEmail
    default:
      let text = String(decoding: data.prefix(AccountProblem.textBytesMax), as: UTF8.self)
      if text.isEmpty { throw .unknown }
      throw .told(text)
    }
  }

  private func post(
    _ fields: [String: String], to path: String
  ) async throws(AccountProblem) -> (Data, HTTPURLResponse) {
    var request = URLRequest(url: address.appending(path: path))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    do { request.httpBody = try JSONEncoder().encode(fields) } catch { throw .unknown }
    return try await answer(to: request)
  }

  private func answer(
    to request: URLRequest
  ) async throws(AccountProblem) -> (Data, HTTPURLResponse) {
    do {
      let (data, response) = try await session.data(for: request)
      guard let response = response as? HTTPURLResponse, data.count <= Self.bytesMax else {
        throw AccountProblem.unknown
      }
      return (data, response)
    } catch let problem as AccountProblem {
      throw problem
    } catch {
      throw .offline
    }
  }

  /// The account of an answer.
  private struct Answer: Decodable {
    var email: String
    var fullname: String?
    var api_token: String
  }

  private func account(in data: Data) throws(AccountProblem) -> Account {
    guard let answer = try? JSONDecoder().decode(Answer.self, from: data) else { throw .unknown }
    return Account(
      email: answer.email, name: answer.fullname, token: answer.api_token)
  }
}
