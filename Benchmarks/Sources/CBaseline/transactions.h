// How the programs end a transaction of LMDB.
#pragma once

#include <lmdb.h>

// Ends a transaction, also where the commit fails.
static inline int commit(MDB_txn **txn) {
  int rc = mdb_txn_commit(*txn);
  *txn = 0;
  return rc;
}
