public import PokeModels

/// What loads creatures: functions, so that a test replaces any of them.
public struct CreatureService: Sendable {
  /// Loads a page, from 1.
  public var page: @Sendable (_ number: Int64) async throws -> CreaturePage
  /// Loads the details of the creature with a number.
  public var details: @Sendable (_ number: Int64) async throws -> CreatureDetails

  /// Makes a service.
  public init(
    page: @escaping @Sendable (_ number: Int64) async throws -> CreaturePage,
    details: @escaping @Sendable (_ number: Int64) async throws -> CreatureDetails
  ) {
    self.page = page
    self.details = details
  }

  /// Makes a service that fails with a reason, for tests and for a source that is not there.
  public static func failing(_ reason: String) -> CreatureService {
    CreatureService(
      page: { _ in throw ServiceError(reason) }, details: { _ in throw ServiceError(reason) })
  }
}

/// The reason why a service did not load something, as a sentence for the user.
public struct ServiceError: Error, CustomStringConvertible {
  /// The reason.
  public let description: String

  /// Makes an error.
  public init(_ reason: String) { description = reason }
}

/// The environment of the app's effects: a service for each source.
public struct PokeEnvironment: Sendable {
  private let bundle: CreatureService
  private let server: CreatureService

  /// Makes an environment.
  ///
  /// - Parameters:
  ///   - bundle: The service of the files that come with the app.
  ///   - server: The service of the server.
  public init(bundle: CreatureService, server: CreatureService) {
    (self.bundle, self.server) = (bundle, server)
  }

  /// Returns the service of a source.
  public subscript(source: CreatureSource) -> CreatureService {
    switch source {
    case .bundle: bundle
    case .server: server
    }
  }
}
