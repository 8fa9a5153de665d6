/// A route that has a deep link.
///
/// The components of the link name the place; its items are parameters that a link may carry. A
/// route in a case of another route prints and reads its own part.
///
/// ```swift
/// enum SettingsRoute: NavigationRoute, LinkedRoute {
///   case list, about
///
///   var link: DeepLink { self == .list ? DeepLink() : DeepLink("about") }
///
///   init(reading reader: inout DeepLinkReader) throws(DeepLinkError) {
///     if reader.isAtEnd {
///       self = .list
///     } else if reader.take("about") {
///       self = .about
///     } else {
///       throw reader.unknownComponent
///     }
///   }
/// }
/// ```
///
/// Law: `Self(route.link)` has the link of `route`, if all numbers in it are finite.
public protocol LinkedRoute: NavigationRoute {
  /// The deep link of the route.
  var link: DeepLink { get }

  /// Reads a route; parameters that the link does not carry have their initial values.
  ///
  /// - Throws: ``DeepLinkError`` if the link has no such component or an invalid value.
  init(reading reader: inout DeepLinkReader) throws(DeepLinkError)
}

extension LinkedRoute {
  /// Creates the route of a deep link.
  ///
  /// - Throws: ``DeepLinkError`` if no route has the link, or if a part of it is left over.
  public init(_ link: DeepLink) throws(DeepLinkError) {
    var reader = DeepLinkReader(link)
    self = try Self(reading: &reader)
    try reader.finish()
  }

  /// The components of the link, without its items.
  public var path: String { DeepLink(components: link.components).text() }

  /// Creates the route of a path; `nil` where ``init(_:)`` throws, and for a link with items.
  public init?(path: String) {
    guard let link = try? DeepLink(parsing: path), link.items.isEmpty,
      let route = try? Self(link)
    else { return nil }
    self = route
  }
}
