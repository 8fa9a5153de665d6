/// A page of help about words that several verbs read.
struct HelpPage {
  /// The word after `track help`.
  let name: String
  /// What it is about, in one sentence.
  let summary: String
  private let discussion: String

  /// The text of the page, with paragraphs of any width; see `HelpText.page(_:)`.
  var source: String { "OVERVIEW: \(summary)\n\n\(discussion)" }

  /// The pages.
  static let all = [times, filters]

  private static let times = HelpPage(
    name: "times",
    summary: "What is read as a time, a duration or a range.",
    discussion: """
      A text has one meaning or none. One with several, such as 9.30 or 3/4/2026, is asked about \
      on a terminal, but not in the value of --filter and of --as-of; elsewhere it is refused, and \
      the error names what to write. Words after -- are always text. Every command prints the \
      time that it understood.

      TIMES
        now, 9:00, 9:30:15, 9am, noon       today
        24:00                               the end of today
        yesterday 17:30, tomorrow noon      on that day
        monday 9:00, mon 9am                the latest Monday up to today
        last monday 9:00                    the latest Monday before today
        2026-11-21 9:30, 21.11.2026 9:30    on that date
        21.11. 9:30, 21 nov 9:30            the latest 21 November up to today
        2026-11-21T09:30:00Z, 9:30 +02:00   at that offset from UTC
        10min ago, 1h30 ago, half an hour ago, -30m
                                            before now
        1d ago, 2w ago, 1mo ago             the same time on an earlier day

      DURATIONS
        1h30, 1h 30m, 1:30, 1.5h, 90m       one hour and a half
        45s, 2h 5m 10s                      with seconds
        PT1H30M                             as ISO 8601 writes it
      A number alone, such as 15, could be minutes or hours.

      RANGES
      A range contains its start and not its end; a day or a month at its end belongs to it.
        9:00 - 10:30, 9:00 to 10:30         two times of today
        yesterday 22:00 - 1:00              the end is on the next day
        9:00 for 1h30                       a time and a duration
        today, yesterday, monday, :monday, 2026-11-21, 21.11.2026, 21.11., 21 nov
                                            a day
        sow, eow, som, eom, soq, eoq, soy, eoy
                                            the first or the last day of this
                                            week, month, quarter or year
        week, last week, :lastweek, week 47, 2026-W47
                                            a week; a number means the latest one
        month, last month, 2026-11, november, november 2026, month 11
                                            a month; a name means the latest one
        quarter, 2026-Q4, year, 2026        a quarter, a year
        last 7 days, last 2 weeks           up to today
        last 24 hours                       up to now
        2026-11-01 - 2026-11-07, monday - friday, 1.11. - 20.11.
                                            from the first day to the last
        from monday, since 9:00             without an end
      `track add` and `track pause` also read hours, such as 9-10, if the same hours of the \
      afternoon are in the future, and `track add` yesterday 9-17. Reports read 2026-09..2026-10 \
      as a filter does. `track week` and `track month` read last and 47 alone, and `track day` as \
      well reads -1 for the one before.

      WHICH DAY
      A day begins at midnight, or when `track preferences --day-start` says. With 4:00, a day is \
      from 4:00 until 4:00 of the next date, in every command and report. So at 1:00 in the night, \
      today is the day that has not ended, and 16:00 is the afternoon before; yesterday 0:30 is \
      in the night after yesterday. Only a date is what clocks show: 2026-11-21 0:30.

      A time of day alone is of the day in which now is. If it ends a running entry and would be \
      in the future, it is of the day before. In commands that correct an entry, it is on the day \
      of the entry; if the entry goes on after midnight and has the time on the next day only, it \
      is there. Where clocks go back, a time that they show twice is asked about.
      """)

  private static let filters = HelpPage(
    name: "filters",
    summary: "What --filter and the words of `track log` and `track report` can ask.",
    discussion: """
      A filter has terms with `and`, `or`, `not` and brackets; terms side by side must all match. \
      Some terms may also be words of a command without --filter, such as `track log :week @thesis \
      not +focus`; of several projects among these, one must match.

      TERMS
        @thesis, @thesis/writing            the project, or a task of it
        #focus                              the tag; as a word also +focus
        report                              text in the description or a name
        client:ACME, project:thesis         also task, tag, user, workspace
        tag:none                            entries without one
        text:"call back"                    a text; quote a value with blanks
        billable:yes, running:no            yes or no
        rate:none, rate:85.50               without a rate, or of that rate
        duration>1h30, duration<=15m        how long; =, <, <=, > and >= compare
        id:12                               the id
        saved:deep                          see `track config set filters.deep`

      WHEN AN ENTRY BEGAN
      The keys are date, day, week and month; their values are ranges as in `track help times`.
        date:yesterday, date:2026-03, date::lastweek
                                            within a range
        week:2026-03-02, month:2026-03-02   in the week or month of a day
        week:last, month:this               the week before, this month
        date:monday..friday, date:2026-03-02..
                                            from the first to the last, or open
        date>=monday, date>="2026-03-02 13:00"
                                            compared with a time

      A report and a list may exclude a tag that does not exist yet, as in not #billed; a note \
      says so.

      TOGETHER
        (#focus or @thesis) and not duration<15m
        date:yesterday or date:2026-02..2026-03-01
      """)
}
