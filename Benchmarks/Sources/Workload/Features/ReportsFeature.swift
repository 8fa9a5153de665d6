public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Reports.
public enum ReportsAction: Recordable, Codable {
  /// Another range of time.
  case ranged(from: Moment, to: Moment)
  /// Another grouping.
  case grouped(by: Grouping)
  /// One project only, or all.
  case projectChosen(ProjectID?)
  /// One tag only, or all.
  case tagChosen(TagID?)
  /// Durations are rounded to this.
  case rounded(to: ElapsedTime)
  /// Written to a file.
  case exported(as: String)
  /// Without a project, a tag and rounding.
  case cleared
}

/// What a report is grouped by.
public enum Grouping: Recordable, Codable {
  /// By day.
  case day
  /// By project.
  case project
  /// By client.
  case client
  /// By tag.
  case tag
}

/// What the report shows.
public struct Reports: Recordable, Equatable {
  /// The first moment.
  public var from: Moment = Moment(microseconds: 0)
  /// The last moment.
  public var to: Moment = Moment(microseconds: 0)
  /// What it is grouped by.
  public var grouping: Grouping = .day
  /// The only project.
  public var project: ProjectID?
  /// The only tag.
  public var tag: TagID?
  /// What durations are rounded to.
  public var rounding: ElapsedTime = .zero
  /// The file it was written to last.
  public var file: String = ""
  /// How often it was written.
  public var exports: Int64 = 0

  /// Makes the initial report.
  public init() {}
}

extension Reports {
  mutating func range(_ from: Moment, _ to: Moment) {
    self.from = from
    self.to = to
  }

  mutating func export(_ file: String) {
    self.file = file
    exports &+= 1
  }

  mutating func clear() {
    project = nil
    tag = nil
    rounding = .zero
  }
}

/// Reduces ``ReportsAction``.
public struct ReportsReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes what is shown.
  public func reduce(
    _ state: inout Reports, _ action: ReportsAction, at moment: Moment
  ) -> Effect<ReportsAction, Never> {
    switch action {
    case .ranged(let from, let to): state.range(from, to)
    case .grouped(let grouping): state.grouping = grouping
    case .projectChosen(let project): state.project = project
    case .tagChosen(let tag): state.tag = tag
    case .rounded(let time): state.rounding = time
    case .exported(let file): state.export(file)
    case .cleared: state.clear()
    }
    return .none
  }
}
