import SwiftSyntax

/// Writes the routes, actions and reducer of an app from its list of screens.
struct ScreenListWriter {
  /// A line of the list: the name of the case, and the module of the screen.
  private struct Line {
    var name: String
    var module: String
  }

  private let list: String
  private let prefix: String
  private let lines: [Line]
  /// Whether the list declares what its screens show.
  private let hasFrames: Bool
  /// The access level of the list and of the written types.
  let access: AccessLevel

  private var modifier: String { access.modifier }

  /// Returns the lists at the top level of one file.
  static func lists(
    in tree: SourceFileSyntax
  ) throws(ModuleList.Problem) -> [ScreenListWriter] {
    let wording = ModuleList.Wording(
      suffix: "Screens", example: "ShopScreens", item: ("screen", "screens"),
      line: "case timer(TimerScreen)")
    return try ModuleList.lists(of: ProtocolNames.screenList, in: tree, wording)
      .map { ScreenListWriter($0) }
  }

  private init(_ list: ModuleList) {
    (self.list, prefix, access) = (list.name, list.prefix, list.access)
    lines = list.lines.map { Line(name: $0.name, module: $0.module.trimmedDescription) }
    hasFrames = list.alias("Frame") != nil
  }

  // MARK: Text

  /// The files with the written types, and one with what dispatches to the modules.
  var files: [WrittenFile] {
    [
      WrittenFile(
        name: "\(prefix)Route", text: routes + links, signatures: ["RetraceArchitecture"],
        access: access),
      WrittenFile(
        name: "\(prefix)ScreenAction", text: actions,
        conformances: ["RetraceArchitecture", "RetraceAvro"], access: access),
      WrittenFile(
        name: "\(prefix)ScreensReducer", text: reducers, signatures: ["RetraceArchitecture"],
        access: access),
      WrittenFile(name: "\(list)+Dispatch", text: members, access: access),
    ]
  }

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
      "    IfRoute({ $0.\(line.name) }, action: { $0.\(line.name) }) { \(line.module).reducer }\n"
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
