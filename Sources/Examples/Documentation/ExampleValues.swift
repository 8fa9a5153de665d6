// The values that examples name. The examples are compiled and not run.

import Retrace
import RetraceRecording
import RetraceStorage

/// Stands for the value that the plugin makes of the sources of a reducer.
enum ReducerFingerprint { static let digest = Digest.zero }

func value<Value>() -> Value { fatalError("examples are not run") }

var path: String { value() }
var json: String { value() }
var bytes: [UInt8] { value() }
var moment: Moment { value() }
var now: Moment { value() }
var sequence: UInt64 { value() }
var query: String { value() }
var title: String { value() }
var store: Store<CounterApp> { value() }
var heater: Store<HeaterApp> { value() }
var notes: Store<NotesApp> { value() }
var shelf: Store<ShelfApp> { value() }
var storage: LogStorage { value() }
