public import Retrace
public import TimeTracking

/// The reason why the app has no screen with a deep link.
public enum LinkProblem: Error, Hashable {
  /// The text is not the link of a screen; the error says where.
  case malformed(DeepLinkError)
  /// There is no such user, or the user is archived.
  case noUser(UserID)
  /// An entry, or another thing that the link names, is not there.
  case nothingThere

  /// Returns the route of a deep link, whatever the state.
  ///
  /// - Throws: ``malformed(_:)``.
  public static func route(of link: String) throws(LinkProblem) -> TrackerRoute {
    do throws(DeepLinkError) {
      return try TrackerRoute(DeepLink(parsing: link))
    } catch {
      throw .malformed(error)
    }
  }
}

extension LinkProblem: CustomStringConvertible {
  /// A sentence for a person.
  public var description: String {
    switch self {
    case .malformed(let error): error.description
    case .noUser(let user): "There is no user \(user.value)."
    case .nothingThere: "What the link names does not exist, or is deleted."
    }
  }
}
