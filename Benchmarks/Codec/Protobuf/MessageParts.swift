import RetraceArchitecture
import RetraceState
import Workload

extension PBPair {
  init(_ first: Int64, _ second: Int64) {
    self.init()
    self.first = first
    self.second = second
  }
}

extension PBTexted {
  init(_ number: Int64, _ text: String) {
    self.init()
    self.number = number
    self.text = text
  }
}

extension PBChoice {
  init(_ id: Int64, _ chosen: Int64?) {
    self.init()
    self.id = id
    if let chosen { self.chosen = chosen }
  }

  var optional: Int64? { hasChosen ? chosen : nil }
}

extension PBTagged {
  init(_ id: Int64, _ tags: [TagID]) {
    self.init()
    self.id = id
    self.tags = tags.map(\.value)
  }
}

extension PBImported {
  init(_ text: String, _ start: Int64, _ duration: Int64) {
    self.init()
    self.text = text
    self.start = start
    self.duration = duration
  }
}

extension PBDraft {
  init(_ draft: EntryDraft) {
    self.init()
    description_p = draft.description
    if let project = draft.project { self.project = project.value }
    if let task = draft.task { self.task = task }
    tags = draft.tags.map(\.value)
    if let start = draft.start { self.start = start.microseconds }
    isBillable = draft.isBillable
  }

  var draft: EntryDraft {
    EntryDraft(
      of: description_p, project: hasProject ? ProjectID(value: project) : nil,
      task: hasTask ? task : nil, tags: tags.map { TagID(value: $0) },
      start: hasStart ? Moment(microseconds: start) : nil, isBillable: isBillable)
  }
}

extension PBPatch {
  init(_ id: Int64, _ patch: EntryPatch) {
    self.init()
    self.id = id
    if let description = patch.description { description_p = description }
    if let project = patch.project { self.project = project.value }
    if let tags = patch.tags { self.tags = PBTagged(0, tags) }
    if let start = patch.start { self.start = start.microseconds }
    if let duration = patch.duration { self.duration = duration.microseconds }
    if let isBillable = patch.isBillable { self.isBillable = isBillable }
  }

  var patch: EntryPatch {
    EntryPatch(
      to: hasDescription_p ? description_p : nil,
      project: hasProject ? ProjectID(value: project) : nil,
      tags: hasTags ? tags.tags.map { TagID(value: $0) } : nil,
      start: hasStart ? Moment(microseconds: start) : nil,
      duration: hasDuration ? ElapsedTime(microseconds: duration) : nil,
      isBillable: hasIsBillable ? isBillable : nil)
  }
}

extension PBPlace {
  init(_ place: Place) {
    self.init()
    kind =
      switch place {
      case .log: .log(true)
      case .entry(let id): .entry(id.value)
      case .project(let id): .project(id.value)
      case .search(let text): .search(text)
      }
  }

  var place: Place? {
    switch kind {
    case .log: .log
    case .entry(let id): .entry(EntryID(value: id))
    case .project(let id): .project(ProjectID(value: id))
    case .search(let text): .search(text)
    case nil: nil
    }
  }
}
