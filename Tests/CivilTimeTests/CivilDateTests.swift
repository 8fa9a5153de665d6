import CivilTime
import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing

@Suite
struct CivilDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017),
    (1900, 3, 1, -25_508), (2026, 11, 21, 20_778), (1, 1, 1, -719_162), (0, 12, 31, -719_163),
  ])
  func `Dates are numbered from 1970`(year: Int, month: Int, day: Int, number: Int) throws {
    let date = try #require(CivilDate(year: year, month: month, day: day))
    #expect(date.daysSince1970 == number)
    #expect(CivilDate(daysSince1970: number) == date)
  }

  @Test
  func `Every day number leads to a date and back, the next day is later`() {
    withSeed { random in
      for _ in 0..<repetitions(100_000) {
        let number = Int.random(in: -3_000_000...3_000_000, using: &random)
        let date = CivilDate(daysSince1970: number)
        let next = CivilDate(daysSince1970: number + 1)
        #expect(date.daysSince1970 == number)
        #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
        #expect(date < next && (date.weekday + 1) % 7 == next.weekday)
      }
    }
  }

  @Test
  func `Days that do not exist are refused`() {
    #expect(CivilDate(year: 2026, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2026, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2026, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 2026, month: 4, day: 0) == nil)
  }

  @Test
  func `Saturday and the extremes of moments have a local time`() throws {
    #expect(try #require(CivilDate(year: 2026, month: 11, day: 21)).weekday == 6)
    for value in [Int64.min, Int64.max, -1] {
      let local = LocalTime(Moment(microseconds: value), offsetSeconds: -3_600)
      #expect((0..<86_400).contains(local.secondOfDay))
    }
    #expect(LocalTime(Moment(microseconds: -1), offsetSeconds: 0).clock == "23:59")
    #expect(LocalTime(secondsSince1970: .max).description == "999999-12-31 23:59:59")
    #expect(LocalTime(secondsSince1970: .min).description == "-999999-01-01 00:00:00")
  }
}
