import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceSystem

/// The id of a note.
struct NoteID: EntityID { var value: Int64 }

/// A noted text.
struct Note: TableEntity {
  var text: String
}

/// The id of a kept secret.
struct KeptSecretID: EntityID { var value: Int64 }

/// A secret under a label.
struct KeptSecret: TableEntity {
  var label: String
  var secret: Secret
}

/// The state of the tests' app.
struct TestState: RecordedState {
  var notes: EntityTable<NoteID, Note> = EntityTable()
  var secrets: EntityTable<KeptSecretID, KeptSecret> = EntityTable()
  var latestSecret: Secret?
  var attachment: [UInt8] = []
}

/// The actions of the tests' app.
///
/// `trapped` and `sealedThenTrapped` trap when they are reduced, `overran` if its index is out of
/// range. The effect of `askedToTrap` sends `trapped`.
enum TestAction: Recordable, Hashable {
  case noted(String)
  case attached([UInt8])
  case sealed(label: String, Secret)
  case trapped(String)
  case overran(index: Int64)
  case sealedThenTrapped(label: String, Secret)
  case asked(TestLeaf, after: ElapsedTime)
  case askedToTrap(String)
}

/// Stores what the actions hold, and traps for the actions that ask for it.
///
/// With `TESTAPP_MUTANT` in the environment it acts as another build's reducer, which stores a note
/// or a label `mutant` in capitals.
struct TestReducer: Reducer {
  private static let isMutant = ThisProcess.environment("TESTAPP_MUTANT") != nil

  func reduce(
    _ state: inout TestState, _ action: TestAction, at moment: Moment
  ) -> Effect<TestAction, TestDesk> {
    switch action {
    case .noted(let text):
      _ = state.notes.insert(Note(text: kept(text)))
    case .attached(let bytes):
      state.attachment = bytes
    case .sealed(let label, let secret):
      keep(secret, label, in: &state)
    case .trapped:
      fatalError("the reducer was made to trap by \(action)")
    case .overran(let index):
      state.attachment = [state.attachment[Int(index)]]
    case .asked(let leaf, let time):
      return time > .zero ? .run(leaf).delayed(by: time) : .run(leaf)
    case .askedToTrap(let text):
      return .send(.trapped(text))
    case .sealedThenTrapped(let label, let secret):
      keep(secret, label, in: &state)
      fatalError("the reducer was made to trap by \(action) in \(state)")
    }
    return .none
  }

  private func kept(_ text: String) -> String {
    Self.isMutant && text.utf8.elementsEqual("mutant".utf8) ? "MUTANT" : text
  }

  private func keep(_ secret: Secret, _ label: String, in state: inout TestState) {
    _ = state.secrets.insert(KeptSecret(label: kept(label), secret: secret))
    state.latestSecret = secret
  }
}
