import RetraceLMDB

/// Opens an environment of one named database, with a map of 16 MiB.
func openEnvironment(at directory: String) throws(LMDBError) -> LMDBEnvironment {
  let options = LMDBEnvironment.Options(mapSizeBytes: 16 << 20, maxDatabases: 1)
  return try LMDBEnvironment.open(directory, options: options)
}

/// Writes values under ascending keys in one transaction.
func write(_ values: [[UInt8]], to environment: LMDBEnvironment) throws(LMDBError) {
  let database: LMDBDatabase = try environment.createDatabase("values")
  var transaction: WriteTransaction = try environment.beginWrite()
  for (key, value) in values.enumerated() {
    try transaction.append(value.span, for: UInt64(key), in: database)
  }
  try transaction.commit()
}

/// Returns the sums of the values' bytes, by key, as of the last commit.
func sums(in environment: LMDBEnvironment) throws(LMDBError) -> [UInt64: Int] {
  guard let database = try environment.openDatabase("values") else { return [:] }
  let transaction: ReadTransaction = try environment.beginRead()
  var cursor: LMDBCursor = try transaction.cursor(over: database)
  var sums: [UInt64: Int] = [:]
  while try cursor.next() {
    guard let key = cursor.integerKey else { continue }
    let value = cursor.value
    var sum = 0
    for index in value.indices { sum += Int(value[index]) }
    sums[key] = sum
  }
  return sums
}
