import SwiftSyntax

/// Writes the routes, actions and reducer of an app from its list of screens.
struct ScreenListWriter {
  /// A line of the list: the name of the case, and the module of the screen.
  private struct Line {
    var name: String
    var module: String
  }

  private let list: String
  private let lines: [Line]
  /// Whether the list declares what its screens show.
  private let hasFrames: Bool
  /// The access level of the list and of the written types.
  let access: AccessLevel

  private var modifier: String { access.modifier }

  /// The name of the list without `Screens`, with which the names of the written types begin.
  private var prefix: String { String(list.dropLast("Screens".count)) }

  /// Returns the lists at the top level of one file.
  static func lists(
    in tree: SourceFileSyntax
  ) throws(EntityListWriter.Problem) -> [ScreenListWriter] {
    var lists: [ScreenListWriter] = []
    for statement in tree.statements {
      guard let node = statement.item.as(EnumDeclSyntax.self),
        ProtocolNames.names(in: node.inheritanceClause).contains(ProtocolNames.screenList)
      else { continue }
      lists.append(try ScreenListWriter(node))
    }
    return lists
  }

  private init(_ node: EnumDeclSyntax) throws(EntityListWriter.Problem) {
    list = node.name.text
    guard list.hasSuffix("Screens"), list != "Screens" else {
      throw EntityListWriter.Problem(
        node: Syntax(node.name),
        message: "`\(list)` names the written types; let the name end with `Screens`, as in "
          + "`ShopScreens`")
    }
    access = AccessLevel(node.modifiers) ?? .module
    var lines: [Line] = []
    var hasFrames = false
    for member in node.memberBlock.members {
      if member.decl.as(TypeAliasDeclSyntax.self)?.name.text == "Frame" { hasFrames = true }
      for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
        let payloads = element.parameterClause.map { Array($0.parameters) } ?? []
        guard payloads.count == 1, payloads[0].firstName == nil else {
          throw EntityListWriter.Problem(
            node: Syntax(element),
            message: "`\(element.name.text)` needs the module of its screen, as in "
              + "`case timer(TimerScreen)`")
        }
        lines.append(Line(name: element.name.text, module: payloads[0].type.trimmedDescription))
      }
    }
    guard !lines.isEmpty else {
      throw EntityListWriter.Problem(
        node: Syntax(node.name),
        message: "`\(list)` has no screens; add a case for each, as in "
          + "`case timer(TimerScreen)`")
    }
    self.lines = lines
    self.hasFrames = hasFrames
  }

  // MARK: Text

  /// The written types.
  var text: String { routes + actions + reducers + links + members }

  private func joined(_ text: (Line) -> String) -> String { lines.map(text).joined() }

  private var routes: String {
    let cases = joined { line in
      "  /// The screen of ``\(line.module)``.\n  case \(line.name)(\(line.module).Route)\n"
    }
    return """

      /// Where a scene is: one of ``\(list)``, with all that restores it.
      \(modifier)enum \(prefix)Route: NavigationRoute, Composed {
      \(cases)}

      """
  }

  private var actions: String {
    let cases = joined { line in
      "  /// An action of ``\(line.module)``.\n  case \(line.name)(\(line.module).Action)\n"
    }
    return """

      /// What happened on one of ``\(list)``.
      \(modifier)enum \(prefix)ScreenAction: Recordable, Equatable, Composed {
      \(cases)}

      """
  }

  private var reducers: String {
    let name = "\(prefix)ScreensReducer"
    let parts = joined { line in
      "    IfRoute(\\.\(line.name), action: \\.\(line.name)) { \(line.module).reducer }\n"
    }
    let types = "\(prefix)Route, \(prefix)ScreenAction, \(list).Environment"
    return """

      /// The reducers of ``\(list)``.
      \(modifier)struct \(name): RouteReducer {
        /// Makes the reducer.
        \(modifier)init() {}

        /// The reducer of each screen.
        \(modifier)var body: some RouteReducer<\(types)> {
      \(parts)  }
      }

      """
  }

  private var links: String {
    let prints = joined { line in
      "    case .\(line.name)(let route): \(line.module).link(of: route)\n"
    }
    let reads = joined { line in
      """
          if let route = try reader.attempt(\(line.module).route) {
            self = .\(line.name)(route)
            return
          }

      """
    }
    return """

      extension \(prefix)Route: LinkedRoute {
        /// The deep link of the screen.
        \(modifier)var link: DeepLink {
          switch self {
      \(prints)    }
        }

        /// Reads the deep link of a screen.
        ///
        /// - Throws: `DeepLinkError` if no screen has the link, or if a value in it is invalid.
        \(modifier)init(reading reader: inout DeepLinkReader) throws(DeepLinkError) {
      \(reads)    throw reader.unknownComponent
        }
      }

      """
  }

  private var members: String {
    let arms = joined { line in
      "    case .\(line.name)(let route): \(line.module).frame(of: route, in: context)\n"
    }
    let function = """

        /// Returns what the screen of a route shows.
        static func frame(of route: \(prefix)Route, in context: Context) -> Frame {
          switch route {
      \(arms)    }
        }

      """
    return """

      extension \(list) {
        /// The routes.
        \(modifier)typealias Route = \(prefix)Route
      \(hasFrames ? function : "")}

      """
  }
}
