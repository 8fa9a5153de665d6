public import Foundation
public import PokeInjection
import PokeModels

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension CreatureService {
  /// The folder of the files that come with the app, as a server has them.
  public static var bundledFolder: URL {
    (Bundle.module.resourceURL ?? Bundle.module.bundleURL).appending(path: "Data")
  }

  /// Makes a service that reads the files that come with the app.
  public static func bundled() -> CreatureService {
    CreatureService(reading: { path in
      guard let data = try? Data(contentsOf: bundledFolder.appending(path: path)) else {
        throw ServiceError("There is no file \(path).")
      }
      return data
    })
  }

  /// Makes a service that reads from a server, whose address never changes.
  public static func server(at address: URL) -> CreatureService {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 10
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    return CreatureService(reading: { path in
      let (data, response): (Data, URLResponse)
      do {
        (data, response) = try await session.data(from: address.appending(path: path))
      } catch let error as URLError where error.code != .cancelled {
        throw ServiceError("\(address.absoluteString) gives no answer.")
      }
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      guard status == 200 else { throw ServiceError("The server answers \(status) for \(path).") }
      return data
    })
  }

  /// The most bytes of an answer, well below what a record of the log takes.
  private static var answerBytesMax: Int { 1 << 18 }

  /// Makes a service of files in JSON.
  private init(reading read: @escaping @Sendable (_ path: String) async throws -> Data) {
    @Sendable func value<Value: Decodable & SendableMetatype>(at path: String) async throws -> Value
    {
      let data = try await read(path)
      guard data.count <= Self.answerBytesMax else { throw ServiceError("\(path) is too long.") }
      do {
        return try JSONDecoder().decode(Value.self, from: data)
      } catch {
        throw ServiceError("\(path) is not understood.")
      }
    }
    self.init { number in
      try await value(at: "pages/\(number).json")
    } details: { number in
      try await value(at: "creatures/\(number).json")
    }
  }
}
