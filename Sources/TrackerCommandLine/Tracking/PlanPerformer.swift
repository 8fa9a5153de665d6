import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The request of a verb: commands about time entries, and remarks about its words.
struct EntryRequest {
  /// The commands, in order.
  var commands: [TimeEntryCommand]
  /// The remarks about the words, for the user.
  var remarks: [String] = []
  /// The entry that is already as the words ask; then there are no commands.
  var unchanged: TimeEntryID?
  /// Whether the words ask for an entry in the future, so that it needs no policy.
  var isForFuture = false

  init(_ commands: [TimeEntryCommand], remarks: [String] = []) {
    (self.commands, self.remarks) = (commands, remarks)
  }
}

/// Changes time entries for a verb: plans the commands that its words ask for, asks the user,
/// performs them and prints what they changed.
struct PlanPerformer {
  /// Returns the commands that the words of a verb ask for; it may be called twice.
  typealias Request = (EntryContext) throws(ToolFailure) -> EntryRequest

  let options: TrackerOptions
  let times: EntryTimeOptions
  /// The title of the failure if a command is refused.
  let what: String
  /// Whether the store is created if needed; only for commands that need no entry.
  private let createsStore: Bool
  /// The questions to the user before the commands are performed.
  var asks: EntryPlan.Questions
  /// Whether to ask about a forgotten entry that the commands would end now.
  var asksAboutForgotten = true

  /// Creates the performer of a verb.
  init(
    _ arguments: CommandArguments, in context: VerbContext, what: String,
    createsStore: Bool = false, asks: EntryPlan.Questions = []
  ) {
    options = TrackerOptions(arguments, in: context)
    times = EntryTimeOptions(arguments)
    self.what = what
    self.createsStore = createsStore
    self.asks = arguments.has(EntrySelection.filterOption) ? asks.union(.selected) : asks
  }

  /// The commands of a request, decided on the latest state.
  struct Planned {
    var context: EntryContext
    var plan: EntryPlan
    /// The commands of the request, before they were prepared.
    var given: [TimeEntryCommand]
    var remarks: [String]
    var unchanged: TimeEntryID?
  }

  /// Performs the commands of a request for the user of the options, and prints what they changed.
  func perform(_ request: Request) throws(ToolFailure) {
    if times.isDryRun {
      // The entities read pages of the store, so the text is made before it is closed.
      let told = try options.readEntries(creating: createsStore) { (context) throws(ToolFailure) in
        let planned = try confirmed(plan(request, in: context))
        return tell(planned.plan.changes, by: planned, isDryRun: true)
      }
      return told.forEach(print)
    }
    let opened = try open(request)
    let tracker = opened.0
    var planned = opened.1
    if planned.unchanged != nil {
      let told = tell([], by: planned, isDryRun: false)
      try orFail(try options.context.close(tracker))
      return told.forEach(print)
    }
    do throws(CommandError<TimeTracker>) {
      let changes = try tracker.perform(planned.plan, closing: options.context.closesStore)
      let context = planned.context
      // The commands were decided later than planned, so an entry may begin after the plan.
      planned.context.now = max(context.now, (try? options.currentMoment()) ?? context.now)
      for change in changes {
        options.context.noteForHooks(change, before: context.domain, at: context.now, options)
      }
      tell(changes, by: planned, isDryRun: false).forEach(print)
    } catch {
      try? options.context.close(tracker)
      switch error {
      case .refused(let refusal, _): throw refused(refusal, in: planned.context.domain, planned)
      case .store(let failure): throw ToolFailure(failure)
      }
    }
  }

  /// Opens the store, and plans and confirms a request.
  ///
  /// The store is created only for commands that are not refused.
  private func open(_ request: Request) throws(ToolFailure) -> (TrackerStore, Planned) {
    let name = try options.userName()
    let tracker: TrackerStore
    do throws(ToolFailure) {
      tracker = try options.open(creating: false)
    } catch {
      guard error.isMissingStore else { throw error }
      let context = try options.entryContext(
        of: name, in: DomainState(), try options.zone(), try options.currentMoment())
      let planned = try plan(request, in: context)
      guard createsStore else {
        throw failure("There are no entries yet.", "Start one: `track start DESCRIPTION`.")
      }
      let confirmed = try confirmed(planned)
      return (try options.open(creating: true), confirmed)
    }
    do throws(ToolFailure) {
      // A command of a batch may have another zone than the one that opened the store, and other
      // processes may have changed the store since.
      let isBatch = options.context.isBatch
      if isBatch { try tracker.catchUp() }
      let rules = isBatch ? try options.zone() : tracker.zone
      let planned = try tracker.verified { (domain) throws(ToolFailure) in
        try plan(
          request, in: try options.entryContext(of: name, in: domain, rules, tracker.now()))
      }
      return (tracker, try confirmed(try answered(planned, request, tracker)))
    } catch {
      try? options.context.close(tracker)
      throw error
    }
  }

  /// Prepares and decides the commands of a request, under the policy of the options.
  func plan(
    _ request: Request, in context: EntryContext
  ) throws(ToolFailure) -> Planned {
    let request = try request(context)
    guard request.commands.count <= TimeEntries.commandsMax else {
      throw .usage(
        "One command changes at most \(TimeEntries.commandsMax) entries.",
        advice: "Give fewer ids at once, or a narrower filter.")
    }
    let policy = times.policy(in: context)
    var plan = EntryPlan(
      request.commands.map { $0.with(policy) }, on: context.domain, at: context.now,
      in: options.context.zones, known: context.rules)
    if request.isForFuture, !times.hasPolicy, case .entry(.inFuture)? = plan.refusal {
      plan = plan.with(.allow)
    }
    return Planned(
      context: context, plan: plan, given: request.commands, remarks: request.remarks,
      unchanged: request.unchanged)
  }

  /// Returns the failure of a change that is not made.
  func failure(_ why: String, _ advice: String) -> ToolFailure {
    .refused(why, advice: advice, what: what)
  }

  /// Returns the failure for a refusal of one of the planned commands.
  ///
  /// - Parameter state: The entities before that command.
  func refused(
    _ refusal: DomainRefusal, in state: DomainState, _ planned: Planned
  ) -> ToolFailure {
    .refused(what, refusal, in: state, planned.context.rules, of: planned.plan.commands)
  }
}

extension TrackerStore {
  /// Folds the records that other processes have appended.
  fileprivate func catchUp() throws(ToolFailure) {
    do throws(StoreError) { try store.catchUpBlocking() } catch { throw ToolFailure(error) }
  }
}

extension EntryRequest {
  /// Creates the corrections of entries, without those that change nothing.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - arguments: The arguments, which may give the reason.
  ///   - unchanged: Why the change is refused if no entry changes.
  ///   - correction: Returns the correction of an entry.
  init(
    correcting entries: [IdentifiedEntry], _ arguments: CommandArguments, unchanged: String,
    _ correction: (TimeEntry) throws(ToolFailure) -> TimeEntryCorrection
  ) throws(ToolFailure) {
    self.init([])
    for entry in entries {
      let correction = try correction(entry.entry)
      guard correction != TimeEntryCorrection() else { continue }
      commands.append(
        .correct(
          entry.id, correction, policy: .refuse, reason: arguments[EditVerb.reasonOption]))
    }
    guard !commands.isEmpty else { throw .noEntry(unchanged) }
  }
}
