/// The protocols of Retrace whose witnesses a fold calls.
enum FoldRoots {
  /// Every requirement of these protocols is folded.
  private static let folded: Set<String> = Set(
    [
      "RetraceArchitecture.": [
        "Reducer", "UpdatingReducer", "ReducerHook", "Decider", "ReportsMissingTarget",
        "StatePart", "EnumCase", "IdentifiedCase", "RouteScope",
        "ScreenScope", "ActionEmbedding", "Composed", "UndoableEdit", "EntityModule",
        "EntityList",
      ],
      "RetraceState.": ["RecordedState", "TableEntity", "EntityID", "EntityChanges"],
      "RetraceAvro.": ["Recordable"],
    ]
    .flatMap { module, names in names.map { module + $0 } })

  /// Protocols whose conforming types can be compared, for tests and screens; a fold does not.
  private static let notCompared: Set<String> = [
    "RetraceArchitecture.EffectLeaf", "RetraceArchitecture.StreamingLeaf",
    "RetraceArchitecture.ActionEmbedding", "RetraceArchitecture.UndoableEdit",
    "RetraceArchitecture.CancellationKey", "RetraceArchitecture.NavigationRoute",
    "RetraceArchitecture.EntityModule", "RetraceArchitecture.EntityList",
    "RetraceState.RecordedState", "RetraceState.TableEntity", "RetraceState.EntityID",
    "RetraceState.EntityChanges",
  ]

  static let comparisons: Set<String> = [
    "Swift.Equatable", "Swift.Hashable", "Swift.Comparable",
  ]

  /// Requirements that are called before a fold, when its schemas are made, or at the edge.
  private static let notFolded = [
    "RetraceAvro.Recordable.schema(", "RetraceState.RecordedState.stateSchema(",
    "RetraceArchitecture.EffectLeaf.run(", "RetraceArchitecture.StreamingLeaf.run(",
    "Swift.RawRepresentable.init(rawValue:", "RetraceArchitecture.LinkedRoute.init(reading:",
  ]

  /// The protocols of apps: a fold starts with the first state, and upcasters change old actions.
  private static let apps: Set<String> = [
    "RetraceArchitecture.ReplayableApp", "RetraceArchitecture.UndoableApp",
  ]
  private static let foldedByApp = [
    "ReplayableApp.initialState.getter", "ReplayableApp.upcasters.getter",
  ]

  /// Returns whether a symbol is the witness table of a conformance that a fold uses.
  static func contains(_ name: SymbolName) -> Bool {
    guard case .conformance(_, let conformed) = name.kind,
      folded.contains(conformed) || apps.contains(conformed)
    else { return false }
    return name.text.hasPrefix("protocol witness table for ")
      || name.text.hasPrefix("protocol witness table pattern for ")
  }

  /// Returns whether a symbol is a function of a module or type, for `--all`.
  ///
  /// How a type is compared, hashed or described counts only where a fold does so.
  static func isFunction(_ name: SymbolName, of owner: String) -> Bool {
    guard case .code = name.kind else { return false }
    var text = name.text[...]
    if text.hasPrefix("static ") { text = text.dropFirst(7) }
    if text.hasPrefix("(extension in "), let end = text.range(of: "):") {
      text = text[end.upperBound...]
    }
    return text.hasPrefix(owner + ".")
      && ![
        "== infix", "inout RetraceAvro.SchemaComposer", "__derived_", ".hash(", ".hashValue",
        "escription.getter", "ustomMirror",
      ]
      .contains { text.contains($0) }
  }

  /// Returns whether the reference from a symbol of a conformance to another symbol is one that a
  /// fold takes.
  static func follows(from conformed: String?, to target: SymbolName) -> Bool {
    switch target.kind {
    case .conformance(_, let other):
      guard let conformed else { return true }
      return !(notCompared.contains(conformed) && comparisons.contains(other))
    case .code where conformed.map(apps.contains) == true:
      return foldedByApp.contains { target.text.contains($0) }
    case .code: return conformed == nil || !notFolded.contains { target.text.contains($0) }
    case .pointer: return true
    case .metadata, .description: return false
    }
  }

  /// Returns whether a function does not use the comparison that its signature asks for: only tests
  /// compare the effects that it makes.
  static func ignoresComparison(_ callee: SymbolName) -> Bool {
    callee.text.contains("RetraceArchitecture.Effect<") && callee.text.contains(">.send(")
  }
}
