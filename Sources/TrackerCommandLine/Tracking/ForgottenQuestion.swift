import Retrace
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The question about a running entry that may have been forgotten: the machine slept, or the entry
/// runs for longer than the preferences say.
struct ForgottenQuestion {
  /// What the user answers.
  enum Answer {
    /// All of the time was worked.
    case keep
    /// Nothing yet.
    case later
    /// The entry ended at a moment.
    case end(Moment)
  }

  let time: ForgottenTime
  /// The entry in a text.
  let mention: String
  private let since: String
  private let expressions: ExpressionContext
  private let readings: ChosenReadings
  /// Why the user is asked; `nil` if nothing is to be asked.
  private var cause: ForgottenTime.Cause?

  /// Prepares the question about the running entry of a user; `nil` if nothing runs.
  init?(of user: UserID, in context: EntryContext) {
    guard let time = ForgottenTime(of: user, in: context.domain, at: context.now) else {
      return nil
    }
    self.time = time
    mention = "#\(time.id.value) \(context.domain.mention(of: [time.id], zone: nil))"
    since = "since \(context.rules.local(at: time.entry.start))"
    (expressions, readings) = (context.stopExpressions, context.readings)
  }

  /// Returns whether something is to be asked.
  ///
  /// - Parameter slept: As for ``ForgottenTime/cause(by:slept:)``.
  mutating func isNeeded(
    slept: (_ since: Moment, SleepClock) throws(StoreError) -> ElapsedTime
  ) throws(ToolFailure) -> Bool {
    let (clock, time) = (SleepClock.now(), time)
    cause = try orFail(
      try time.cause(by: clock) { (moment) throws(StoreError) in try slept(moment, clock) })
    return cause != nil
  }

  /// Why the user is asked, as a sentence.
  var reason: String {
    switch cause {
    case .slept(let time):
      "The machine slept for \(time.hoursAndMinutes) while \(mention) ran, \(since)."
    case .long(let longest):
      "\(mention) runs \(since), for \(duration), which is longer than "
        + "\(longest.hoursAndMinutes)."
    case nil: ""
    }
  }

  private var duration: String {
    time.now.elapsed(since: time.entry.start).hoursAndMinutes
  }

  /// The line for a command that cannot ask.
  var note: String {
    "\(reason) `track status` asks about it on a terminal; `track stop TIME` ends it earlier."
  }

  private var prompt: String {
    switch cause {
    case .slept(let time):
      "Keep the time (k), take \(time.hoursAndMinutes) off its end (t), or type when it ended: "
    case .long, nil: "Still working? Keep the time (k), or type when it ended: "
    }
  }

  /// Asks the user on the terminal.
  ///
  /// - Parameters:
  ///   - what: The title of the failure.
  ///   - output: The output.
  /// - Throws: A failure if the answer is neither an offered one nor a time within the entry.
  func ask(_ what: String, _ output: Output) throws(ToolFailure) -> Answer {
    output.printErrorWrapped(reason)
    output.promptError(prompt)
    let answer = (output.streams.readAnswer() ?? "").split(separator: " ").map(String.init)
    switch answer.joinedByBlanks.lowercased() {
    case "": return .later
    case "k", "keep": return .keep
    case "t", "take":
      if case .slept(let slept) = cause {
        return .end(time.now.adding(ElapsedTime(microseconds: -slept.microseconds)).wholeSecond)
      }
    default: break
    }
    let end: Moment
    do throws(ExpressionError) {
      end = try readings.time(answer.joinedByBlanks, in: expressions).moment
    } catch {
      throw .ambiguousTime(error, option: nil)
    }
    guard time.entry.start < end, end <= time.now else {
      throw .refused(
        "The entry did not run at that time.", advice: "Give a time after its start, until now.",
        what: what)
    }
    return .end(end)
  }
}

extension TrackerOptions {
  /// Whether a question about a forgotten entry can be asked.
  var mayAsk: Bool { !json && !context.isBatch && output.streams.canAsk }
}

extension PlanPerformer {
  /// Returns the plan after the user has said when a forgotten entry ended, which the request would
  /// end now.
  ///
  /// Without a terminal, a note says what would be asked. The new end and the request are one
  /// change. Nothing is asked if an option answers questions.
  func answered(
    _ planned: Planned, _ request: Request, _ tracker: TrackerStore
  ) throws(ToolFailure) -> Planned {
    let context = planned.context
    guard asksAboutForgotten, let user = context.user,
      planned.given.contains(where: { $0.endsRunningNow(of: user, in: context.domain) })
    else { return planned }
    guard var question = ForgottenQuestion(of: user, in: context) else { return planned }
    let isNeeded = try question.isNeeded { (moment, clock) throws(StoreError) in
      try tracker.store.slept(since: moment, by: clock)
    }
    guard isNeeded else { return planned }
    guard options.mayAsk, !times.isYes else {
      options.context.note(question.note)
      return planned
    }
    guard case .end(let end) = try question.ask(what, options.output) else {
      return planned
    }
    return try plan(
      { (context) throws(ToolFailure) in
        var request = try request(context)
        request.commands = request.commands.flatMap {
          $0.endingRunning(of: user, at: end, in: context.domain)
        }
        return request
      }, in: context)
  }
}

extension TimeEntryCommand {
  /// Whether it ends the running entry of a user now.
  fileprivate func endsRunningNow(of user: UserID, in domain: DomainState) -> Bool {
    switch self {
    case .stop(let other, at: nil, policy: _): other == user
    case .start(let draft, at: nil, policy: _, rules: _): draft.user == .id(user)
    case .resume(let id, at: nil, zone: _, policy: _, rules: _):
      domain.timeEntries.read(id) { $0.user } == user
    case .start, .stop, .resume, .add, .correct, .delete, .split, .join, .several: false
    }
  }

  /// Returns the commands that do the same, after the running entry of a user ended at a moment.
  fileprivate func endingRunning(
    of user: UserID, at end: Moment, in domain: DomainState
  ) -> [TimeEntryCommand] {
    guard endsRunningNow(of: user, in: domain) else { return [self] }
    if case .stop(_, at: _, let policy) = self { return [.stop(user, at: end, policy: policy)] }
    return [.stop(user, at: end, policy: .refuse), self]
  }
}
