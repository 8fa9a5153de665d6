public import RetraceAvro

extension TabStacks: Recordable {
  /// `TabStacks`, joined with the names of the types of the tabs and the routes.
  public static var recordedName: String {
    "TabStacks__\(Tab.recordedName)__\(Route.recordedName)"
  }

  /// `TabStacks`, joined with the former names of the types of the tabs and the routes.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(
      of: "TabStacks", formerly: [], with: [Tab._recordedNames, Route._recordedNames])
  }

  /// Returns a record of `selected` and the array `stacks`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let selected = composer.schema(of: Tab.self)
      let stacks = composer.schema(of: [BackStack<Route>].self)
      return .record(
        name: recordedName, aliases: recordedAliases,
        fields: [Schema.Field("selected", selected), Schema.Field("stacks", stacks)])
    }
  }

  /// Writes the selected tab, then the stacks in the order of the tabs.
  public func encode(into writer: inout AvroWriter) {
    selected.encode(into: &writer)
    stacks.encode(into: &writer)
  }

  /// Reads the selected tab, then the stacks.
  ///
  /// - Throws: `outOfRange` if there is not one stack for each tab, or if two entries have one id;
  ///   the errors of the parts.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let selected = try Tab(decoding: &reader)
    let start = reader.offset
    let stacks = try [BackStack<Route>](decoding: &reader)
    guard stacks.count == Tab.allCases.count else {
      throw AvroError(.outOfRange, at: start, "count of tabs")
    }
    var ids: Set<RouteID> = []
    for stack in stacks {
      for entry in stack.entries where !ids.insert(entry.id).inserted {
        throw AvroError(.outOfRange, at: start, "route id in two tabs")
      }
    }
    self.init(selected: selected, stacks: stacks)
  }
}
