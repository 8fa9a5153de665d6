import Retrace
import TimeTracking

/// The command that gives a setting another value.
struct SettingsCommand {
  /// A new value.
  enum Value {
    /// What was typed.
    case text(String)
    /// The place of a choice; of a switch, 0 is yes.
    case index(Int)
  }

  let user: UserID
  let domain: DomainState
  /// Whether rates of entries may get another currency.
  var changesCurrency = false

  /// Returns the command; `nil` if the value is the present one.
  ///
  /// - Throws: The obstacle of a text that is no value.
  func command(setting row: SettingsRow, to value: Value) throws(KeyObstacle) -> DomainCommand? {
    switch (row, value) {
    case (.name, .text(let text)): changed { $0.name = Name(text) }
    case (.email, .text(let text)): changed { $0.email = text.isEmpty ? nil : text }
    case (.workspace, .index(let index)):
      changed { $0.workspace = SettingsWorkspaces(in: domain).id(at: index) }
    case (.preference(let preference), let value): try changed(preference, value)
    default: nil
    }
  }

  /// Returns why a typed value cannot be set; `nil` if it can, as far as a command without the
  /// rules of time zones tells.
  ///
  /// - Complexity: O(users) for a name, else O(bytes of the text).
  func problem(setting row: SettingsRow, to text: String, at moment: Moment) -> String? {
    let command: DomainCommand?
    do throws(KeyObstacle) {
      command = try self.command(setting: row, to: .text(text))
    } catch {
      return error.text(in: domain)
    }
    // The currency of all rates is looked at when the value is saved.
    guard let command, row == .name || row == .email else { return nil }
    return refusal(of: command, at: moment)?.text(in: domain).line
  }

  /// Returns the refusal of a command; `nil` if it is accepted.
  func refusal(of command: DomainCommand, at moment: Moment) -> DomainRefusal? {
    do throws(DomainRefusal) {
      _ = try DomainDecider().decide(command, on: domain, at: moment)
      return nil
    } catch {
      return error
    }
  }

  private func changed(_ edit: (inout User) -> Void) -> DomainCommand? {
    guard let before = domain.users[user] else { return nil }
    var after = before
    edit(&after)
    let changes = UserChanges(from: before, to: after)
    guard !changes.isEmpty else { return nil }
    return .user(.change(user, changes, changesCurrency: changesCurrency, reason: nil))
  }

  private func changed(
    _ preference: Preference, _ value: Value
  ) throws(KeyObstacle) -> DomainCommand? {
    let (rule, known) = (preference.rule, domain.preferences(of: user))
    let before = known?.set ?? PreferenceSet(user: user)
    var after = before
    do throws(PreferenceProblem) {
      switch value {
      case .text(let text): try rule.set(text, in: &after)
      case .index(let index):
        guard rule.choices.indices.contains(index) else { return nil }
        try rule.set(rule.choices[index], in: &after)
      }
    } catch {
      guard case .text(let text) = value else { return nil }
      throw .noPreference(preference, text)
    }
    guard !PreferenceSetChanges(from: before, to: after).isEmpty else { return nil }
    return .preferences(
      DomainState.command(setting: after, from: known, changesCurrency: changesCurrency))
  }
}

extension Preference {
  /// Returns the text for a user who typed a text that is no value.
  func text(ofProblemWith text: String) -> String {
    var set = PreferenceSet(user: UserID(value: 0))
    let shown = SafeText.line(text, bytesMax: 100)
    var problem = PreferenceProblem.unknownZone(shown)
    do throws(PreferenceProblem) {
      try rule.set(shown, in: &set)
    } catch {
      problem = error
    }
    return problem.text(naming: rule.word).line
  }
}

extension DomainRefusal {
  /// Whether it says that rates of entries would get another currency.
  var isAboutCurrency: Bool {
    switch self {
    case .user(.changesCurrency), .preferences(.changesCurrency): true
    default: false
    }
  }
}
