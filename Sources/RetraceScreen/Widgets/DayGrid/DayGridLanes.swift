/// Where the entries of a day are: their lines, and the lanes of those that share a line.
struct DayGridLanes {
  struct Block {
    /// The index of the entry.
    var index: Int
    /// The first line, and the one after the last.
    var top: Int
    var bottom: Int
    /// The number of the lane, from 0.
    var lane: Int
    /// The number of the group of blocks that share lines.
    var group: Int
  }

  /// Blocks that share lines.
  struct Group {
    var lanes: Int
    var top: Int
  }

  /// The blocks from top to bottom.
  private(set) var blocks: [Block] = []
  private(set) var groups: [Group] = []

  /// Finds the lanes of a day's entries in a grid of some rows.
  ///
  /// - Complexity: O(entries × (rows + lanes)).
  init(_ day: GridDay, rows: Int, linesPerRow: Int) {
    let lines = max(rows * linesPerRow, 1)
    for index in day.entries.indices {
      let entry = day.entries[index]
      let top = day.line(of: entry.start, linesPerRow: linesPerRow, roundsUp: false)
      let bottom = day.line(of: entry.end, linesPerRow: linesPerRow, roundsUp: true)
      blocks.append(
        Block(
          index: index, top: min(top, lines - 1), bottom: min(max(bottom, top + 1), lines),
          lane: 0, group: 0))
    }
    blocks.sort { one, two in
      if one.top != two.top { return one.top < two.top }
      return one.bottom != two.bottom ? one.bottom > two.bottom : one.index < two.index
    }
    var first = 0
    while first < blocks.count {
      var (next, end) = (first + 1, blocks[first].bottom)
      while next < blocks.count, blocks[next].top < end {
        end = max(end, blocks[next].bottom)
        next += 1
      }
      addGroup(of: first..<next, day)
      first = next
    }
  }

  /// Gives blocks that share lines their lanes: the first that is free, leading ones on the left.
  private mutating func addGroup(of places: Range<Int>, _ day: GridDay) {
    func isLeading(_ place: Int) -> Bool { day.entries[blocks[place].index].isLeading }
    func lane(of block: Block, _ free: inout [Int]) -> Int {
      let lane = free.firstIndex { $0 <= block.top } ?? free.count
      if lane == free.count { free.append(block.bottom) } else { free[lane] = block.bottom }
      return lane
    }
    var (leading, others): ([Int], [Int]) = ([], [])
    for place in places {
      let block = blocks[place]
      blocks[place].lane =
        isLeading(place) ? lane(of: block, &leading) : lane(of: block, &others)
      blocks[place].group = groups.count
    }
    for place in places where !isLeading(place) { blocks[place].lane += leading.count }
    groups.append(
      Group(lanes: leading.count + others.count, top: blocks[places.lowerBound].top))
  }

  /// Moves an entry to one of the first lanes of its group, in exchange with all of that lane.
  mutating func show(_ index: Int, lanes: Int) {
    guard let block = blocks.first(where: { $0.index == index }), block.lane >= lanes, lanes > 0
    else { return }
    for place in blocks.indices where blocks[place].group == block.group {
      if blocks[place].lane == block.lane {
        blocks[place].lane = lanes - 1
      } else if blocks[place].lane == lanes - 1 {
        blocks[place].lane = block.lane
      }
    }
  }
}
