#ifndef RETRACE_CLMDB_H
#define RETRACE_CLMDB_H
#include <lmdb.h>
#endif
