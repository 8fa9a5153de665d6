import RetraceArchitecture
import RetraceScreen
import RetraceState

extension AppState {
  /// Starts, adds or changes the entry that a draft describes, or changes nothing and says why not.
  ///
  /// Projects and tags that do not exist are added.
  mutating func confirm(
    _ draft: StartEditDraft, start: Moment?, zone: RecordedZone, at moment: Moment
  ) -> Refusal? {
    let duration: ElapsedTime?
    do {
      duration = try draft.parsedDuration()
    } catch {
      return error
    }
    guard library.users.contains(draft.user) else { return .unknownUser }
    var changed = self
    let refusal: Refusal?
    if let entry = draft.entry {
      refusal = changed.change(entry, draft, start: start, zone: zone, duration: duration, moment)
    } else {
      let details = changed.details(of: draft)
      if let duration {
        // Without a start the entry ends now.
        let begin = start ?? moment.adding(ElapsedTime(microseconds: -duration.microseconds))
        let closed = ClosedEntry(
          user: draft.user, details: details, start: begin, duration: duration, zone: zone)
        refusal = changed.perform(.created(closed), at: moment)
      } else {
        refusal = changed.perform(
          .started(details, user: draft.user, zone: zone, start: start), at: moment)
      }
    }
    if refusal == nil { self = changed }
    return refusal
  }

  /// Changes the fields of an entry whose text differs from what the entry would show.
  private mutating func change(
    _ id: TimeEntryID, _ draft: StartEditDraft, start: Moment?, zone: RecordedZone,
    duration: ElapsedTime?, _ moment: Moment
  ) -> Refusal? {
    guard let entry = timeline.entries[id] else { return .unknownEntry }
    let shown = StartEditDraft(id, entry, user: draft.user, library: library)
    let details = details(of: draft)
    var changes: [EntryChange] = []
    // lint:allow logs of this tracker were folded so; the next one decides at the edge
    if details.description != entry.description {
      changes.append(.description(details.description))
    }
    if details.project != entry.project { changes.append(.project(details.project)) }
    if details.tags != entry.tags { changes.append(.tags(details.tags)) }
    if details.isBillable != entry.isBillable { changes.append(.billable(details.isBillable)) }
    // lint:allow logs of this tracker were folded so; the next one decides at the edge
    if let start, draft.start.text != shown.start.text { changes.append(.start(start, zone)) }
    // lint:allow logs of this tracker were folded so; the next one decides at the edge
    if draft.duration.text != shown.duration.text { changes.append(.duration(duration)) }
    return perform(.edited(id, changes), at: moment)
  }

  /// What a draft is about; its project and tags are added where they do not exist.
  private mutating func details(of draft: StartEditDraft) -> EntryDetails {
    let project = draft.projectName.map { name in
      library.project(named: name) ?? library.projects.insert(Project(name: name))
    }
    var tags: [TagID] = []
    for name in draft.tagNames {
      tags.append(library.tag(named: name) ?? library.tags.insert(Tag(name: name)))
    }
    return EntryDetails(
      description: draft.words.description, project: project, tags: tags.sortedUnique,
      isBillable: draft.isBillable)
  }
}
