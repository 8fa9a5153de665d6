import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// The fields that the words and options of `edit` change.
extension EditVerb {
  /// Returns the correction that words and options ask for.
  func correction(
    of entry: TimeEntry, by words: EntryWords, in context: EntryContext
  ) throws(ToolFailure) -> TimeEntryCorrection {
    var correction = TimeEntryCorrection()
    let domain = context.domain
    if let workspace = try EntityVerbOptions(arguments, in: performer.options.context).workspace(
      in: domain),
      workspace != entry.workspace
    {
      correction.changes.workspace = Change(from: entry.workspace, to: workspace)
    }
    let text = words.description.isEmpty ? arguments[Self.descriptionOption] : words.description
    if let text, text != entry.description {
      correction.changes.description = Change(from: entry.description, to: text)
    }
    if let project = words.project ?? arguments[Self.projectOption] {
      try changeProject(of: entry, to: project, by: &correction, in: domain)
    }
    if let name = words.task ?? arguments[Self.taskOption] {
      let project = correction.project(of: entry)
      let task = try name.isEmpty ? nil : context.domain.task(named: name, of: project)
      if task != entry.task { correction.changes.task = Change(from: entry.task, to: task) }
    }
    let notes = arguments.all(DraftOptions.noteOption)
    guard !notes.contains("") else {
      throw .usage(
        "The annotation of --note is empty.",
        advice: "Give a text, or remove annotations with `track annotate --replace`.")
    }
    if !notes.isEmpty {
      correction.changes.annotations = Change(
        from: entry.annotations, to: entry.annotations + notes)
    }
    correction.addTags(
      (words.tags + arguments.all(DraftOptions.tagOption).flatMap(domain.tagNames)).map {
        Name($0, in: domain.tags)
      }, to: entry, in: domain)
    let removed = try entry.tagIDs(
      named: arguments.all(Self.untagOption).flatMap(domain.tagNames), in: domain)
    if !removed.isEmpty {
      let rest = correction.changes.tags?.after ?? entry.tags
      correction.changes.tags = Change(
        from: entry.tags, to: rest.filter { !removed.contains($0) })
    }
    try setTimes(of: entry, by: &correction, in: context)
    let (yes, no) = (
      arguments.has(DraftOptions.billableOption), arguments.has(Self.notBillableOption)
    )
    if yes, no {
      throw .usage("The entry cannot be both billable and not.", advice: "Leave one out.")
    }
    if yes || no, entry.isBillable != yes {
      correction.changes.isBillable = Change(from: entry.isBillable, to: yes)
    } else if !yes, !no {
      correction.followProject(of: entry, in: context.domain)
    }
    try setRate(of: entry, by: &correction, in: context.domain)
    return correction
  }

  /// Sets the times that the options give.
  private func setTimes(
    of entry: TimeEntry, by correction: inout TimeEntryCorrection, in context: EntryContext
  ) throws(ToolFailure) {
    var start = try arguments[Self.startOption].map { (start) throws(ToolFailure) in
      try context.time(start, on: entry, option: "--start")
    }
    // As in the app and in the editor, an entry without an end runs.
    var end = entry.end
    if let text = arguments[Self.endOption] {
      end =
        try text.isEmpty
        ? nil : Self.end(text, of: entry, from: start ?? entry.start, in: context)
    }
    if let duration = try arguments.entryDuration() {
      let time = try context.duration(duration.text, option: duration.option)
      guard start == nil || !arguments.has(Self.endOption) else {
        throw .usage(
          "There are a start, an end and a duration.", advice: "Leave out one of them.")
      }
      if arguments.has(Self.endOption) {
        guard let end else {
          throw .usage(
            "An entry that runs has no duration.", advice: "Leave out --end or \(duration.option).")
        }
        start = end.adding(ElapsedTime(microseconds: -time.microseconds))
      } else {
        end = (start ?? entry.start).adding(time)
      }
    }
    if let start, start != entry.start {
      correction.changes.start = Change(from: entry.start, to: start)
    }
    if end != entry.end { correction.changes.end = Change(from: entry.end, to: end) }
  }

  /// Changes the project to the one with a name, or removes it if the name is empty.
  private func changeProject(
    of entry: TimeEntry, to project: String, by correction: inout TimeEntryCorrection,
    in domain: DomainState
  ) throws(ToolFailure) {
    let present = entry.project.flatMap { domain.projects.resolve($0) }
      .flatMap { domain.projects.read($0) { $0.name } }
    if Name(project).isEmpty {
      guard entry.project != nil else { return }
      correction.changes.project = Change(from: entry.project, to: nil)
    } else if correction.changes.workspace != nil || present != Name(project, in: domain.projects) {
      try correction.setProject(project, of: entry, in: domain)
    }
  }

  /// Sets the rate that the option gives.
  private func setRate(
    of entry: TimeEntry, by correction: inout TimeEntryCorrection, in domain: DomainState
  ) throws(ToolFailure) {
    guard let text = arguments[Self.rateOption] else { return }
    let changes = correction.changes
    var currencies = RateCurrencies(domain)
    let amount: Int64? =
      text.isEmpty || text == Self.presentRate
      ? nil
      : try EntityVerbOptions.rate(
        text, or: ", or the word project", in: currencies.currency(of: entry))
    // The decider refuses an amount for such an entry. The present rate may equal the old one,
    // which makes no field of the correction, so it is refused here.
    guard text != Self.presentRate || changes.isBillable?.after ?? entry.isBillable else {
      throw .refused(
        performer.what, .entry(.notBillable), in: domain, performer.options.shownZone(in: domain))
    }
    // The domain gives the present rate to an entry that changes so.
    let getsPresentRate =
      correction.project != nil || changes.project != nil || changes.isBillable != nil
      || changes.workspace != nil
    var rate = amount
    if text == Self.presentRate {
      if getsPresentRate { return }
      rate = domain.presentRate(of: entry)
      guard rate != nil else {
        throw .refused(
          "Neither the project, the user nor the workspace has a rate.",
          advice: "Give an amount, as in --rate 85, or set one: "
            + "`track projects set NAME --rate 85`.", what: performer.what)
      }
    }
    if rate != entry.rate || getsPresentRate {
      correction.changes.rate = Change(from: entry.rate, to: rate)
    }
  }
}
