import Foundation
import Testing
import ToolTestSupport

/// Wrong input gives one clear error, and the log stays as it is.
@Suite struct WrongInputTests {
  /// Commands with the exit code and what the error mentions.
  private static let commands: [(words: String, exit: Int32, mentions: [String])] = [
    ("report --project thesys", 1, ["no project thesys", "Did you mean thesis?"]),
    ("log --filter @thesys", 1, ["no project thesys", "Did you mean thesis?"]),
    ("log @thesys", 1, ["No entries were listed", "no project thesys", "Did you mean thesis?"]),
    ("report client:q", 1, ["no client q"]), ("day '#q'", 1, ["no tag q"]),
    ("log --filter task:q", 1, ["no task q"]), ("log user:q", 1, ["no user q"]),
    ("log workspace:q", 1, ["no workspace q"]), ("tag --filter @q x", 1, ["no project q"]),
    ("week --tag fokus", 1, ["no tag fokus", "Did you mean focus?"]),
    ("report --by projekt", 64, ["projekt"]),
    ("report :lastyeer", 64, [":lastyeer"]),
    ("log --filter '#focus and'", 64, ["--filter"]),
    ("log --filter 'duration>soon'", 64, ["filter", "soon"]),
    ("add 10:00 - 9:00 x", 1, ["future"]),
    ("add --from 'next monday 9:00' --for 1h x", 64, ["--from: `next monday 9:00` is not a time"]),
    ("add --from '5pm yesterday' --for 1h x", 64, ["--from: ", "'yesterday 5pm'"]),
    ("stop 5pm yesterday", 64, ["'yesterday 5pm'"]),
    ("add --from 9:00 --after-last --for 1h x", 64, ["twice"]),
    ("add --from 9:00 --at 9:00 --for 1h x", 64, ["twice"]),
    ("split 0 8:30 --at 8:30", 64, ["twice"]), ("split 0 --at 25:00", 64, ["--at: "]),
    ("add --from '2026-03-01 10:00' --to '2026-03-01 9:00' x", 64, ["not later"]),
    ("add --from '2026-02-30 10:00' --to '2026-03-01 9:00' x", 64, ["2026-02-30"]),
    ("edit 0 --end 6:00", 1, ["end before it begins"]), ("edit 0 --start 25:00", 64, ["25:00"]),
    ("edit 77 x", 1, ["no entry 77"]), ("delete x", 64, ["no id"]),
    ("delete -9223372036854775808", 1, ["There are only 2 entries."]),
    ("stop 7:00 --at 8:00", 64, ["twice"]), ("start --project", 64, ["value", "--project"]),
    ("delete 0 --reason --dry-run", 64, ["--reason=--dry-run"]),
    ("start --project --billable", 64, ["--project=--billable"]),
    ("log --filter --wide", 64, ["--filter=--wide"]),
    ("report march 23", 64, ["`march 23` is not a range"]),
    ("day 11-24", 64, ["`11-24` could", "`11:00 - 24:00` or `2025-11-24`"]),
    ("log 9-10", 64, ["`9:00 - 10:00` or `2025-09-10`"]), ("log 30-40", 64, ["`30-40` is not"]),
    ("log 2026-328", 64, ["`2026-328` is not a range"]),
    ("month 13", 64, ["no month `13`"]), ("month 2026-13", 64, ["no month `2026-13`"]),
    ("report 2026-13", 64, ["no month"]), ("week 60", 64, ["no week `60`"]),
    ("log 2026-W60", 64, ["no week"]), ("report 2026-Q7", 64, ["no quarter"]),
    ("pause 20 minutes", 64, ["duration", "\"20 minutes ago\""]),
    ("log -2", 64, ["`-2h`", "--limit 2"]), ("add 10:00 -10:30 x", 64, ["`10:00 - 10:30`"]),
    ("ls", 64, ["track log"]), ("today", 64, ["track day"]), ("rm 0", 64, ["track delete"]),
    ("invoice", 64, ["`track report :lastmonth --by client,project`"]),
    ("current", 64, ["`track status`"]), ("now", 64, ["`track status`"]),
    ("timer", 64, ["`track status`"]),
    ("export", 64, ["`track log :all --csv`", "`track log :all --json`"]),
    ("yesterday", 64, ["track day yesterday"]), ("stat", 64, ["Did you mean status?"]),
    ("start 9am yesterday x", 64, ["yesterday", "`track start yesterday 9am x`", "--"]),
    ("add --from '' --to 9:05 x", 64, ["empty"]), ("add --at 10:00 --to '' x", 64, ["empty"]),
    ("add --at 10:00 9:00 - 10:00 x", 64, ["given twice"]),
    ("add --at 10:00 --for 45m 9:00 - 10:00 x", 64, ["given twice", "--"]),
    ("log --from 2026-10-01", 64, ["`track log from 2026-03-01`"]),
    ("report --since 2026-10-01", 64, ["`track report from 2026-03-01`"]),
    ("week --until 2026-10-01", 64, ["`track week 2026-03-01 - 2026-03-05`"]),
    ("log --week", 64, ["`track log :week`"]), ("report --today", 64, ["`track report today`"]),
    ("start foo --start 8:00", 64, ["--at"]), ("add 1h x --start 8:00", 64, ["--from"]),
    ("edit --billable=no", 64, ["takes no value", "--not-billable"]),
    ("start x --billable=yes", 64, ["Write --billable alone."]),
    ("start -p Website foo", 64, ["@NAME or --project"]), ("log -t x", 64, ["+NAME or --tag"]),
    ("goals create x -p y", 64, ["Write --project NAME."]),
    ("start -d foo", 64, ["description as words"]), ("report --group day", 64, ["Write --by."]),
    ("start a --projct b", 64, ["--projct", "Did you mean --project?"]),
    ("status --format '{porject}'", 64, ["porject"]), ("undo many", 64, ["many"]),
    ("undo 1001", 64, ["more than 1000"]), ("redo 1001", 64, ["more than 1000"]),
    ("edit 0 --start ''", 64, ["--start: The text is empty"]), ("move 0 ''", 64, ["is empty"]),
    ("log --limit -1", 64, ["--limit"]), ("split 0 23:00", 1, ["not within"]),
    ("lengthen 0 soon", 64, ["soon"]), ("join 0 0", 1, ["joined"]),
    ("projects rename none other", 1, ["no project none"]),
    ("start 'a' --at 2026-03-29T02:30", 64, ["2026-03-29"]), ("start x --tz Nowhere", 64, ["--tz"]),
  ]

  @Test func `each wrong command says what is wrong and writes nothing`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 mail @thesis +focus", "9:00")
      try desk.fine("start 9:30 work", "9:30")
      func records() throws -> String {
        try expectFine(["audit", "list", "--store", desk.store])
      }
      let before = try records()
      for command in Self.commands {
        try expectFailure(
          desk.command(command.words, "12:00"), exit: command.exit, mentions: command.mentions,
          environment: desk.environment)
        #expect(try records() == before, "\(command.words)")
      }
    }
  }
}
