import Retrace
import RetraceCommandLine
import RetraceFilter
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

extension EntityVerb {
  var givenPlace: CommandOption? { Self.placeOption.flatMap { options.given([$0]).first } }

  /// Returns the entity that a text names, in the place that the options name.
  ///
  /// - Throws: A refusal if there is no such entity, or more than one.
  func id(of text: String, in domain: DomainState) throws(ToolFailure) -> ID {
    let name = Name(text, in: table(in: domain))
    var found: [ID] = []
    var names: [String] = []
    var isElsewhere = false
    var merged: ID?
    let isIn = try place(in: domain)
    table(in: domain).forEach { id, entity in
      guard entity.deleted == nil else { return }
      // The name of a merged entity would mean its target, which has another name.
      if entity.name == name, let target = target(of: id, in: domain) {
        merged = target
        return
      }
      guard isIn(entity) else {
        if entity.name == name { isElsewhere = true }
        return
      }
      names.append(entity.name.text)
      if entity.name == name { found.append(id) }
    }
    if found.isEmpty && merged == nil {
      found = others(named: text, in: domain).filter { table(in: domain)[$0].map(isIn) == true }
    }
    if let first = found.first {
      guard found.count == 1 else { throw ambiguous(found, text, in: domain) }
      return first
    }
    if let other = merged.flatMap({ table(in: domain)[$0] }) {
      let isOne = names.count { Name($0) == other.name } < 2
      let name = isOne ? other.name.text : qualifiedName(of: other, in: domain) ?? other.name.text
      throw .refused(
        "The \(Self.noun) \(text) was merged into \(name).",
        advice: "Use the name \(commandWord(name)).")
    }
    if let option = givenPlace, isElsewhere {
      throw .refused(
        "There is no \(Self.noun) \(text) of the \(option.name) that is given.",
        advice: "Leave it out, or give another one: \(placeAdvice(text))")
    }
    let similar = Spelling.hint(text, in: names)
    throw .refused(
      "There is no \(Self.noun) \(text).",
      advice:
        "\(similar)`track \(Self.noun)s` lists them, and `track \(Self.noun)s create` makes one.")
  }

  /// Returns the sentences that say what the option of the place does, and how entries get into
  /// another place.
  func placeAdvice(_ name: String) -> String {
    let option = givenPlace?.name ?? ""
    let advice = "--\(option) says where it is, and moves nothing."
    guard option == EntityVerbOptions.workspaceOption.name, Self.noun == "project",
      let place = options.arguments[EntityVerbOptions.workspaceOption], !place.isEmpty
    else { return advice }
    let (word, workspace) = (commandWord(name), commandWord(place))
    let filter = commandWord("\(FilterTerm.project(name)) and workspace:none")
    return advice + " Its entries keep their workspace and their currency. To bill them in another "
      + "one, create a project there, "
      + "`track projects create \(word) --workspace \(workspace)`, and "
      + "move them: `track edit --filter \(filter) --workspace \(workspace) --project \(word)`."
  }

  /// Returns the refusal of a name that several entities have.
  private func ambiguous(_ ids: [ID], _ text: String, in domain: DomainState) -> ToolFailure {
    let names = ids.compactMap { id in
      table(in: domain)[id].flatMap { qualifiedName(of: $0, in: domain) }
    }
    let areDistinct = names.count == ids.count && Set(names.map(Name.init)).count == ids.count
    return .refused(
      "There are \(ids.count) \(Self.noun)s \(text).",
      advice: areDistinct
        ? "Name one with its client: \(names.map(commandWord).joined(separator: ", "))."
        : "Say which one with --\(Self.choosingOption.name) NAME.")
  }

  /// Refuses to merge an entity into itself, or into one of another place.
  func checkPlaces(
    of id: ID, _ other: ID, in domain: DomainState
  ) throws(ToolFailure) {
    guard id != other, let entity = table(in: domain)[id], let target = table(in: domain)[other]
    else {
      throw .refused(
        "Both names belong to one \(Self.noun).", advice: "`track \(Self.noun)s` lists them.")
    }
    let (own, others) = (
      details(of: entity, in: domain, [:]), details(of: target, in: domain, [:])
    )
    for place in ["workspace", "project", "client"] {
      let (first, second) = (
        own.first { $0.name == place }?.value, others.first { $0.name == place }?.value
      )
      guard first != second else { continue }
      func text(_ name: String?) -> String { name.map { "the \(place) \($0)" } ?? "no \(place)" }
      let isTaken = entity.name == target.name
      let name = commandWord(qualifiedName(of: entity, in: domain) ?? entity.name.text)
      let rename = isTaken ? "`track \(Self.noun)s rename \(name) NEW`, then " : ""
      let renamed = isTaken ? "NEW" : name
      throw .refused(
        "\(entity.name.text) is of \(text(first)), and \(target.name.text) of "
          + "\(text(second)).",
        advice: place == "client"
          ? "Set the client first: \(rename)`track \(Self.noun)s set \(renamed) --client "
            + "\(commandWord(second ?? ""))`."
          : "Only two \(Self.noun)s of one \(place) can be merged; `track edit --filter FILTER` "
            + "changes entries.")
    }
  }
}
