// A digest is a recorded value, so whatever imports the codec can name it.
@_exported public import RetraceHashing
