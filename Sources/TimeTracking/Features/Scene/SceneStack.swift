public import RetraceAvro

/// The routes of a scene from the root to the top, as stores of the tracker record them: without
/// ids.
///
/// The state hashes of these stores cover this encoding, so it stays as it is.
public struct SceneStack: Hashable, Sendable {
  /// The route at the bottom.
  public private(set) var root: Route
  /// The routes above the root, topmost last.
  public private(set) var pushed: [Route]

  /// Makes a stack of one route.
  public init(root: Route) {
    self.root = root
    pushed = []
  }

  /// The route that is shown.
  public var top: Route {
    get { pushed.last ?? root }
    set {
      if pushed.isEmpty { root = newValue } else { pushed[pushed.count - 1] = newValue }
    }
  }

  /// The routes from the root to the top.
  public var routes: [Route] { [root] + pushed }

  /// Pushes a route.
  public mutating func push(_ route: Route) { pushed.append(route) }

  /// Removes the topmost route and returns it, or returns `nil` if only the root is left.
  @discardableResult
  public mutating func pop() -> Route? { pushed.popLast() }

  /// Replaces all routes with one root.
  public mutating func replaceAll(with root: Route) {
    self.root = root
    pushed = []
  }
}

extension SceneStack: Recordable {
  /// `BackStack`, joined with the name of the route's type.
  public static var recordedName: String { "BackStack__" + Route.recordedName }

  /// Returns a record of `root` and the array `pushed`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let root = composer.schema(of: Route.self)
      let pushed = composer.schema(of: [Route].self)
      return .record(
        name: recordedName,
        fields: [Schema.Field("root", root), Schema.Field("pushed", pushed)])
    }
  }

  /// Writes the root, then the routes above it.
  public func encode(into writer: inout AvroWriter) {
    root.encode(into: &writer)
    pushed.encode(into: &writer)
  }

  /// Reads the root, then the routes above it.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    root = try Route(decoding: &reader)
    pushed = try [Route](decoding: &reader)
  }
}
