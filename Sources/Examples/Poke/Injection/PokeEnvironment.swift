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

/// The environment of the app's effects: a service for each source, which can be replaced.
public struct PokeEnvironment: Sendable {
  /// The service of the files that come with the app.
  public let bundle: Injected<CreatureService>
  /// The service of the server.
  public let server: Injected<CreatureService>

  /// Makes an environment.
  public init(bundle: CreatureService, server: CreatureService) {
    self.bundle = Injected(bundle)
    self.server = Injected(server)
  }

  /// Returns the service of a source, as it is now.
  public subscript(source: CreatureSource) -> CreatureService {
    switch source {
    case .bundle: bundle.value
    case .server: server.value
    }
  }
}
