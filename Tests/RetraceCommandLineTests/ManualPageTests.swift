import RetraceCommandLine
import Testing

/// The manual page of a syntax.
struct ManualPageTests {
  @Test func `characters that mean something to the formatter are escaped`() {
    let syntax = CommandSyntax(
      "track start", summary: "Start an entry.",
      discussion: """
        .hidden is a `word \\n` and 'another', as in a-b … or ~ ^.

        EXAMPLES
          track start 'x' \\#7
          .x
        """,
      operands: [CommandOperand("words", isOptional: true, repeats: true, "'Quoted' words.")],
      options: [
        CommandOption("at-once", value: "time", repeats: true, choices: ["a", "b"], ".5 is one.")
      ])
    #expect(
      ManualPage.of(syntax, version: "retrace \"1\"") == #"""
        .TH "TRACK\-START" 1 "" "retrace \(dq1\(dq"
        .nh
        .ad l
        .SH NAME
        track\-start \- Start an entry
        .SH SYNOPSIS
        \fBtrack start\fR
        [\fB\-\-at\-once\fR \fItime\fR] ...
        [\fIwords\fR ...]
        .SH DESCRIPTION
        Start an entry.
        .PP
        \&.hidden is a \fBword \en\fR and \(aqanother\(aq, as in a\-b \[u2026] or \(ti \(ha.
        .SH ARGUMENTS
        .TP
        \fIwords\fR
        \(aqQuoted\(aq words.
        .SH OPTIONS
        .TP
        \fB\-\-at\-once\fR \fItime\fR
        \&.5 is one. (values: a, b)
        .TP
        \fB\-h\fR, \fB\-\-help\fR
        Show help information.
        .SH "EXAMPLES"
        .EX
          track start \(aqx\(aq \e#7
          .x
        .EE
        .SH "SEE ALSO"
        .BR track (1)

        """#)
  }
}
