import CivilTime
import RetraceLog
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import TimeTracking
import TrackerFeatures

/// `keys PATH COUNT IS-SCENE`: makes a store and types COUNT keys into the form of a new entry.
///
/// The keys are a second apart, and each is committed by itself. With 1 the session has a scene. It
/// prints the milliseconds that the keys took, and the bytes of their records.
func typeKeys(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let (count, isInScene) = (numbers[0], numbers[1] == 1)
  let seconds = Lock(Stores.begin.microseconds / 1_000_000)
  let now: @Sendable () -> Moment = {
    Moment(microseconds: seconds.withLock { $0 } * 1_000_000)
  }
  let store = try Store<TimeTracker>.openBlocking(
    at: path, configuration: StoreConfiguration(clock: now))
  try Stores.perform([.user(.create(User(name: Name("anna"))))], on: store)
  let scene = SceneID(value: 0)
  try store.sendBlocking([.opened(scene)])
  if isInScene { _ = try store.attach(to: scene) }
  func press(_ name: String) throws(StoreError) {
    guard let key = Key(name: name),
      let frame = SceneFrame(
        of: scene, in: store.state, at: now(), by: .utc, size: Screen.Size(columns: 80, rows: 24)),
      case .intents(let intents) = frame.interpret(key, at: now()), !intents.isEmpty,
      try store.carryOutBlocking(intents) == nil
    else { fatalError("the key \(name) does nothing") }
    seconds.withLock { $0 += 1 }
  }
  for name in ["enter", "text:n"] { try press(name) }
  let first = store.sequence
  let start = milliseconds()
  // Twenty letters are typed and removed again.
  for number in 0..<count {
    let letter = Unicode.Scalar(UInt8(97 + number % 20))
    try press(number / 20 % 2 == 0 ? "text:\(letter)" : "backspace")
  }
  let time = milliseconds() - start
  let last = store.sequence
  try store.closeBlocking()
  let storage = try LogStorage.open(at: path, access: .read)
  defer { storage.close() }
  var bytes = 0
  try storage.withReadView { view throws(StoreError) in
    try view.scan(from: first + 1, through: last) { record in
      bytes += record.recordEnd - record.recordStart
    }
  }
  Main.printResult(Int(last - first), Checksum(), time, Double(bytes))
}
