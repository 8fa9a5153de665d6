import CivilTime
import RetraceState
import RetraceTesting
import Testing

@Suite
struct DurationExpressionTests {
  @Test(
    arguments: [
      ("1h30", 5_400), ("1h30m", 5_400), ("1.5h", 5_400), ("1,5h", 5_400), ("90m", 5_400),
      ("90min", 5_400), ("1:30", 5_400), ("1:30:00", 5_400), ("1.5", 5_400), ("1,5", 5_400),
      ("2h 5m 10s", 7_510), ("45s", 45), ("30M", 1_800), ("  1H  30  ", 5_400), ("1h5", 3_900),
      ("0m", 0), ("999h", 3_596_400), ("999:00:00", 3_596_400), ("1.250h", 4_500),
      ("1.333", 4_798), ("0.000001h", 0),
      // From Toggl's desktop app.
      ("00:00:15", 15), ("00:23:15", 1_395), ("12:34:56", 45_296), ("05:22 min", 322),
      ("00:22 min", 22), ("0 hours", 0), ("0.5 hours", 1_800), ("0,5 hours", 1_800),
      ("1 hour", 3_600), ("1 hr", 3_600), ("1,5 hours", 5_400), ("1.5 hours", 5_400),
      ("24 hours", 86_400), ("0 minutes", 0), ("0 min", 0), ("5 minutes", 300), ("5minutes", 300),
      ("0,5 minutes", 30), ("1 minute", 60), ("1,5 minutes", 90), ("1.5 minutes", 90),
      ("0 seconds", 0), ("1 second", 1), ("1.5 h", 5_400), ("3h", 10_800), ("3 h", 10_800),
      ("15m", 900), ("15 m", 900), ("25s", 25), ("25 s", 25), ("0.25", 900), ("0.025", 90),
      ("2h45", 9_900), ("2h", 7_200), ("2h 18m", 8_280), ("2h 18m 50s", 8_330),
      ("1hr 25min 30sec", 5_130), ("1 hours 25 minutes 30 seconds", 5_130),
      ("1 hour 1 minute 1 second", 3_661), ("90:10:00", 324_600),
      // From Kimai.
      ("8.20", 29_520), ("8,20", 29_520), ("2h38m17s", 9_497), ("0.5h", 1_800),
      // From klog.
      ("4h12m", 15_120),
      // As ISO 8601 writes it.
      ("PT5M", 300), ("PT1H30M", 5_400), ("pt45s", 45),
    ] as [(String, Int64)])
  func `A duration is read`(text: String, seconds: Int64) throws {
    #expect(try DurationExpression(text).time.seconds == seconds)
  }

  @Test(
    arguments: [
      ("8.20", 29_520_000_000), ("0.1h", 360_000_000), ("1.333", 4_798_800_000),
      ("0.000001", 3_600), ("0.000001m", 60), ("0,125m", 7_500_000), ("0.000001s", 1),
      ("998.999999h", 3_596_399_996_400),
    ] as [(String, Int64)])
  func `Decimals are exact`(text: String, microseconds: Int64) throws {
    #expect(try DurationExpression(text).time.microseconds == microseconds)
  }

  @Test(
    arguments: [
      ("", .empty), ("   ", .empty), ("x", .unreadable("x", .duration)),
      ("-1h", .negative), ("-1:30", .negative), ("-x", .unreadable("-x", .duration)),
      ("1h90", .over59("1h90")), ("1:60", .over59("1:60")), ("1:00:99", .over59("1:00:99")),
      ("1h 90s", .over59("1h 90s")), ("1h 60m", .over59("1h 60m")), ("1000h", .durationTooLong),
      ("999h 1s", .durationTooLong),
      ("999.000001", .durationTooLong), ("99999999999999999999h", .durationTooLong),
      ("1000:00", .durationTooLong), ("99999999999999999999:00", .durationTooLong),
      ("1d", .notFixed("1d")), ("2 weeks", .notFixed("2 weeks")), ("3mo", .notFixed("3mo")),
      ("1.", .unreadable("1.", .duration)), (".5", .unreadable(".5", .duration)),
      ("1.5h30m", .unreadable("1.5h30m", .duration)), ("1m30", .unreadable("1m30", .duration)),
      ("30m 1h", .unreadable("30m 1h", .duration)), ("1h 1h", .unreadable("1h 1h", .duration)),
      ("1 30", .unreadable("1 30", .duration)), ("1.2.3", .unreadable("1.2.3", .duration)),
      ("1e3", .unreadable("1e3", .duration)), ("1h m", .unreadable("1h m", .duration)),
      ("0.0000001h", .unreadable("0.0000001h", .duration)),
      ("1:30:00:00", .unreadable("1:30:00:00", .duration)),
      ("١h", .unreadable("١h", .duration)), ("1ĥ", .unreadable("1ĥ", .duration)),
      // Two readings. Toggl reads 15 as minutes, Kimai 1 as an hour: refused on purpose.
      ("15", .ambiguous("15", instead: ["15m", "15h"])),
      ("1", .ambiguous("1", instead: ["1m", "1h"])),
      ("13", .ambiguous("13", instead: ["13m", "13h"])),
      ("1,250m", .ambiguous("1,250m", instead: ["1250m", "1.25m"])),
      // Toggl reads 1:2 as 1:02: refused on purpose.
      ("1:2", .ambiguous("1:2", instead: ["1:02", "1:20"])),
      ("0:1", .ambiguous("0:1", instead: ["0:01", "0:10"])),
      ("1:6", .ambiguous("1:6", instead: ["1:06"])),
      // Kimai accepts these: refused on purpose.
      ("1h96m137s", .over59("1h96m137s")), ("12:87:54", .over59("12:87:54")),
      ("3127:00", .durationTooLong), ("-1.5", .negative),
      // Kimai refuses these too.
      ("3127::00", .unreadable("3127::00", .duration)),
      ("3127:-01", .unreadable("3127:-01", .duration)),
      // klog's sign: refused on purpose.
      ("+1h", .unreadable("+1h", .duration)), ("-8h30m", .negative),
    ] as [(String, ExpressionError)])
  func `A text that is not one duration is refused`(text: String, error: ExpressionError) {
    #expect(throws: error) { try DurationExpression(text) }
  }

  @Test
  func `A duration in hours without a unit is no longer read as minutes`() throws {
    // Once 90 seconds, because decimals were minutes.
    #expect(try DurationExpression("1.5").description == "1h 30m")
    #expect(try DurationExpression("30m").description == "30m")
  }

  @Test
  func `The echo of a duration is read as the same duration`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(20_000) {
        let scale: Int64 = [1, 1_000, 1_000_000, 60_000_000].randomElement(using: &random) ?? 1
        let limit = DurationExpression.longest.microseconds / scale
        let time = ElapsedTime(microseconds: Int64.random(in: 0...limit, using: &random) * scale)
        let text = DurationStyle.improved.text(time)
        #expect(try DurationExpression(text).time.seconds == time.seconds, "\(text)")
        let hours = time.microseconds / 3_600 / 1_000_000
        let decimals = padded6(time.microseconds / 3_600 % 1_000_000)
        let read = try DurationExpression("\(hours).\(decimals)")
        #expect(read.time.microseconds == time.microseconds / 3_600 * 3_600)
        #expect(try DurationExpression(read.description) == read, "\(read)")
      }
    }
  }

  @Test
  func `Garbage neither traps nor passes for a duration out of its limits`() {
    withSeed { random in
      for _ in 0..<repetitions(50_000) {
        let text = Garbage.text(from: Garbage.durations, using: &random)
        guard let read = try? DurationExpression(text) else { continue }
        #expect((ElapsedTime.zero...DurationExpression.longest).contains(read.time), "\(text)")
        #expect((try? DurationExpression(read.description)) == read, "\(text)")
      }
    }
    let long = String(repeating: "1", count: 1_000_000)
    #expect(throws: ExpressionError.textTooLong) { try DurationExpression(long) }
  }

  private func padded6(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }
}

@Suite
struct DurationStyleTests {
  @Test(
    arguments: [
      (0, "0 sec", "0:00:00", "0.00 h"), (1, "1 sec", "0:00:01", "0.01 h"),
      (30, "30 sec", "0:00:30", "0.01 h"), (59, "59 sec", "0:00:59", "0.02 h"),
      (60, "01:00 min", "0:01:00", "0.02 h"), (72, "01:12 min", "0:01:12", "0.02 h"),
      (120, "02:00 min", "0:02:00", "0.04 h"), (2_826, "47:06 min", "0:47:06", "0.79 h"),
      (3_564, "59:24 min", "0:59:24", "0.99 h"), (3_565, "59:25 min", "0:59:25", "1.00 h"),
      (3_599, "59:59 min", "0:59:59", "1.00 h"), (3_600, "1:00:00 h", "1:00:00", "1.00 h"),
      (3_601, "1:00:01 h", "1:00:01", "1.01 h"), (5_400, "1:30:00 h", "1:30:00", "1.50 h"),
      (29_520, "8:12:00 h", "8:12:00", "8.20 h"), (360_000, "100:00:00 h", "100:00:00", "100.00 h"),
      (-90, "-01:30 min", "-0:01:30", "-0.03 h"),
      (10_000_000_000, "2777777:46:40 h", "2777777:46:40", "2777777.78 h"),
    ] as [(Int64, String, String, String)])
  func `A duration is printed in three styles [M19]`(
    seconds: Int64, classic: String, improved: String, decimal: String
  ) {
    let time = ElapsedTime.seconds(seconds)
    #expect(DurationStyle.classic.text(time) == classic)
    #expect(DurationStyle.improved.text(time) == improved)
    #expect(DurationStyle.decimal.text(time) == decimal)
  }

  @Test(
    arguments: [
      (0, "0 sec"), (1, "1 sec"), (999_999, "1 sec"), (1_000_000, "1 sec"), (1_000_001, "2 sec"),
      (59_000_001, "01:00 min"), (60_000_000, "01:00 min"), (-1, "0 sec"), (-5_000_000, "0 sec"),
    ] as [(Int64, String)])
  func `A countdown counts a started second as whole, and ends at zero`(
    microseconds: Int64, text: String
  ) {
    let left = ElapsedTime(microseconds: microseconds)
    #expect(DurationStyle.classic.countdown(left) == text)
    #expect(!DurationStyle.improved.countdown(ElapsedTime(microseconds: .min)).contains("-"))
    let longest = DurationStyle.improved.countdown(ElapsedTime(microseconds: .max))
    #expect(longest.hasPrefix("2562047788:00:5"))
  }

  @Test
  func `Styles are read back, decimals up to 36 seconds longer [M19]`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(20_000) {
        let seconds = Int64.random(in: 0...3_596_400, using: &random)
        let time = ElapsedTime.seconds(seconds)
        for style in [DurationStyle.classic, .improved] {
          #expect(try DurationExpression(style.text(time)).time == time, "\(seconds)")
        }
        let read = try DurationExpression(DurationStyle.decimal.text(time)).time.seconds
        #expect((seconds..<seconds + 36).contains(read), "\(seconds)")
      }
    }
  }

  @Test
  func `Durations of any length are printed [M19]`() {
    for style in DurationStyle.allCases {
      for value in [Int64.min, Int64.max] {
        #expect(style.text(ElapsedTime(microseconds: value)).utf8.count > 10)
      }
    }
  }
}

@Suite
struct DurationDigitsTests {
  @Test(
    arguments: [
      ("", "00:00", 0), ("0", "00:00", 0), ("000000", "00:00", 0), ("1", "00:01", 1),
      ("12", "00:12", 12), ("123", "01:23", 83), ("1234", "12:34", 754), ("12345", "123:45", 7_425),
      ("123456789", "123:45", 7_425), ("60", "00:60", 60), ("87", "00:87", 87),
      ("181", "01:81", 141), ("1177", "11:77", 737), ("0120", "01:20", 80),
      ("99861", "998:61", 59_940), ("99901", "999:01", 59_940), ("99999", "999:99", 59_940),
    ] as [(String, String, Int64)])
  func `Digits are pushed from the right and not carried [M19]`(
    typed: String, shown: String, minutes: Int64
  ) {
    let digits = Self.digits(typed)
    #expect(digits.description == shown)
    #expect(digits.time == .seconds(minutes * 60))
  }

  @Test(arguments: [
    ("19", 1, "00:01"), ("127", 1, "00:12"), ("650", 1, "00:65"), ("1234", 2, "00:12"),
    ("12345", 2, "01:23"), ("99999", 3, "00:99"), ("87", 2, "00:00"), ("661", 6, "00:00"),
    ("", 3, "00:00"), ("123456", 1, "12:34"),
  ])
  func `The last digit is popped first, and none of nothing [M19]`(
    typed: String, pops: Int, shown: String
  ) {
    var digits = Self.digits(typed)
    for _ in 0..<pops { digits.pop() }
    #expect(digits.description == shown)
  }

  @Test
  func `Characters other than digits are ignored [M19]`() {
    var digits = Self.digits("12")
    for number in [-1, 10, Int.min, Int.max] { digits.push(number) }
    #expect(digits.description == "00:12")
  }

  @Test
  func `A duration is clamped, cut to minutes and kept [M19]`() {
    #expect(DurationDigits(.seconds(-1)) == DurationDigits())
    #expect(DurationDigits(ElapsedTime(microseconds: .min)).description == "00:00")
    #expect(DurationDigits(ElapsedTime(microseconds: .max)).description == "999:00")
    #expect(DurationDigits(.seconds(5_459)).description == "01:30")
    for minutes in Int64(0)...59_940 {
      let digits = DurationDigits(.seconds(minutes * 60))
      #expect(digits.time == .seconds(minutes * 60) && digits.minutes < 60)
    }
  }

  @Test
  func `Any keys leave at most five digits, as in a model of a list [M19]`() {
    withSeed { random in
      var digits = DurationDigits()
      var model: [Int] = []
      for _ in 0..<repetitions(50_000) {
        if Int.random(in: 0..<3, using: &random) == 0 {
          digits.pop()
          _ = model.popLast()
        } else {
          let digit = Int.random(in: 0...9, using: &random)
          digits.push(digit)
          if model.count < 5 && !(model.isEmpty && digit == 0) { model.append(digit) }
        }
        let number = model.reduce(0) { $0 * 10 + $1 }
        #expect(digits.hours == number / 100 && digits.minutes == number % 100)
        #expect(digits.time <= DurationExpression.longest)
      }
    }
  }

  private static func digits(_ typed: String) -> DurationDigits {
    var digits = DurationDigits()
    for byte in typed.utf8 { digits.push(Int(byte) - 0x30) }
    return digits
  }
}

/// Random texts from pieces of the grammar.
enum Garbage {
  static let durations = [
    "0", "1", "9", "30", "999", "99999999999999999999", ":", ".", ",", "-", "+", " ", "h", "m", "s",
    "min", "hours", "sec", "mo", "d", "é", "\u{0}", "1.5h", "90m", "1:30",
  ]
  static let times = [
    "0", "1", "12", "30", "60", "2026", "2026-11-21", "9999", ":", "-", "+", " ", "/", ".", "t",
    "T", "z", "am", "PM", "now", " ago", "yesterday", "monday", "fri", "noon", "midnight", "24:00",
    "9:00", "02:30", "CEST", "cst", "+02:00", "-05:00", "h", "m", "mo", "d", "y", " - ", " to ",
    " for ", "from ", ":week", ":lastmonth", "-W47", "-Q4", "W", "at ", "\t", "🕘", "é",
  ]

  static func text(from pieces: [String], using random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      text += pieces.randomElement(using: &random) ?? ""
    }
    return text
  }
}
