// What states, reducers, features and screens of an app import, and the modules that store them. A
// program that opens a store also imports RetraceRecording.
@_exported public import CivilTime
@_exported public import RetraceArchitecture
@_exported public import RetraceAvro
@_exported public import RetraceLog
@_exported public import RetraceSchema
@_exported public import RetraceScreen
@_exported public import RetraceState
