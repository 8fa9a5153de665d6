// Prints a made-up time log with the columns, the size and the malformed rows of the published one.
import RetraceTestSupport

// print gathers lines in the C library's buffer when the output is a pipe or a file.
_ = CesawLookAlike().write { line in print(line) }
